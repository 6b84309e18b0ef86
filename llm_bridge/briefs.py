"""Rules in words for games of OpenSpiel, whose information states are terse."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pyspiel


def _kuhn_poker(game: pyspiel.Game) -> str:
    players = game.num_players()
    return (
        f"Each player antes 1 chip and is dealt one card; cards are 0 to {players}, one of each, "
        "and the highest card wins. In turn a player passes (p) or bets 1 chip (b); after a bet, "
        "the others pass to fold or bet to call. What you know is written as your card, then the "
        "moves so far."
    )


def _leduc_poker(game: pyspiel.Game) -> str:
    parameters, ranks = game.get_parameters(), game.num_players() + 1
    cards = "cards 0 and 1 are of the lowest rank, 2 and 3 of the next, and so on"
    if parameters["suit_isomorphism"]:
        cards = "the number of a card is its rank, 0 the lowest"
    mapped = (
        "Any move may be named at any time, but a fold with nothing to call and a third raise "
        "count as a call. "
    )
    return (
        "Each player has 100 chips, antes 1 and is dealt one private card. The deck has "
        f"{2 * ranks} cards, two of each of {ranks} ranks; {cards}. "
        f"P{parameters['starting_player'] + 1} begins each round, or the next player who is still "
        "in. In turn a player folds (only if there is something to call), calls (pays what it has "
        "paid less than another, perhaps nothing) or raises (calls and pays 2 chips more; at most "
        "two raises a round). A round ends when all who are still in have moved and paid the same. "
        "Then one public card is shown, and a second round is played, with raises of 4. "
        f"{mapped if parameters['action_mapping'] else ''}"
        "If all others fold, the last player wins the pot. Else a pair with the public card wins "
        "it, or, if nobody has one, the highest private rank; equal ranks share it. Your payoff is "
        "what you win or lose. What you know is written with players numbered from 0: Observer and "
        "Player 0 is P1, 1 is P2, and so on. Private and Public are your card and the public one, "
        "Money is what each player has left, Round1 and Round2 are the moves: 0 fold, 1 call, 2 "
        "raise."
    )


def _liars_dice(game: pyspiel.Game) -> str:
    parameters = game.get_parameters()
    dice, sides = parameters["numdice"], parameters["dice_sides"]
    higher = {
        "reset-face": "more dice, or as many of a higher face",
        "reset-quantity": "a higher face, or more dice of the same face",
    }[parameters["bidding_rule"]]
    return (
        f"Each player rolls {'1 die' if dice == 1 else f'{dice} dice'} with faces 1 to {sides}, "
        f"which only it sees; there are {dice * game.num_players()} dice in all. P1 begins. In "
        "turn a player makes a bid quantity-face, meaning that all dice together show that face "
        f"at least that many times (a {sides} is wild: it counts as every face), or says Liar to "
        f"the last bid. A bid must be higher than the last one: {higher}. On Liar the last bidder "
        "wins if its bid is true, else the challenger; the winner gets 1, the loser -1. What you "
        "know is written as your dice, lowest first and without spaces, then the bids so far."
    )


BRIEFS: Mapping[str, Callable[[pyspiel.Game], str]] = {
    "kuhn_poker": _kuhn_poker,
    "leduc_poker": _leduc_poker,
    "liars_dice": _liars_dice,
}
"""The rules of a game as its parameters make them, by its short name."""
