"""Rules in words for games of OpenSpiel, whose information states are terse."""

from __future__ import annotations

BRIEFS = {
    "kuhn_poker": (
        "Each player antes 1 chip and is dealt one card; cards are 0, 1, 2 and so on, and the "
        "highest card wins. In turn a player passes (p) or bets 1 chip (b); after a bet, the "
        "others pass to fold or bet to call. What you know is written as your card, then the "
        "moves so far."
    ),
    "leduc_poker": (
        "Each player antes 1 chip and is dealt one private card; the deck has two cards of each "
        "rank, cards 0 and 1 being the lowest rank, 2 and 3 the next, and so on. Round 1: fold, "
        "call (or check) or raise by 2. Then one public card is shown. Round 2: the same with "
        "raises of 4. At most two raises a round. A pair with the public card wins, else the "
        "higher rank; equal ranks share. Moves are written 0 fold, 1 call, 2 raise."
    ),
    "liars_dice": (
        "Each player rolls dice that only it sees. In turn a player makes a higher bid "
        "quantity-face, meaning that all dice together show that face at least that many times "
        "(the highest face is wild), or says Liar. On Liar the last bidder wins if its bid is "
        "true, else the challenger. What you know is written as your dice, then the bids so far."
    ),
}
"""By the game's short name."""
