"""Games in which every move is seen: what backward induction says, and what people do."""

from __future__ import annotations

from ..nodes import Node, decision, leaf
from .catalogue import textbook, whole

MOST_MOVES = 100
"""Moves of a centipede: then the pot has 31 digits."""


@textbook
def entry() -> Node:
    """Entry deterrence: the threat to fight is empty.

    A version of Selten (1978) with one store.
    """
    respond = decision(1, "incumbent", {"Fight": leaf(-1, -1), "Accommodate": leaf(1, 1)})
    return decision(0, "entrant", {"Out": leaf(0, 2), "In": respond})


@textbook
def chain_store() -> Node:
    """The chain-store paradox: a chain that could scare off entrants cannot.

    Selten (1978), with 2 stores instead of 20. One entrant (P1, P2) after the other stays out or
    enters the market of its store; the chain (P3) cooperates or fights. An entrant gets 1 outside,
    2 if the chain cooperates and 0 if it fights; the chain gets 5, 2 and 0 from that store.
    Everybody sees everything.
    """
    to_entrant = {"out": 1, "cooperate": 2, "fight": 0}
    to_chain = {"out": 5, "cooperate": 2, "fight": 0}

    def market(past: tuple[str, ...]) -> Node:
        if len(past) == 2:
            return leaf(*(to_entrant[deed] for deed in past), sum(to_chain[deed] for deed in past))
        label = f"store {len(past) + 1}" + "".join(f" after {deed}" for deed in past)
        answers = {deed: market((*past, deed)) for deed in ("cooperate", "fight")}
        entered = decision(2, f"{label}, entered", answers)
        return decision(len(past), label, {"out": market((*past, "out")), "in": entered})

    return market(())


@textbook
def centipede(moves: int = 4) -> Node:
    """The centipede: backward induction takes at once what would grow by waiting.

    Rosenthal (1981), with the payoffs of McKelvey and Palfrey (1992) in units of 10 cents: in turn
    the players take four fifths of a pot, or pass and double it; if nobody takes, the shares go on
    as if the next player had taken. They have the games of 4 and of 6 moves.

    Args:
        moves: number of moves.
    """
    whole("centipede", "moves", moves, MOST_MOVES)
    large, small = 4 << moves, 1 << moves
    node: Node = leaf(large, small) if moves % 2 == 0 else leaf(small, large)
    for turn in reversed(range(moves)):
        large, small = 4 << turn, 1 << turn
        taken = leaf(large, small) if turn % 2 == 0 else leaf(small, large)
        node = decision(turn % 2, f"move {turn + 1}", {"take": taken, "pass": node})
    return node


@textbook
def ultimatum() -> Node:
    """The ultimatum minigame: a small offer is accepted, says backward induction.

    Gale, Binmore and Samuelson (1995): of 4, the proposer offers 2, which is accepted, or 1, which
    the responder may reject.
    """
    respond = decision(1, "low offer", {"accept": leaf(3, 1), "reject": leaf(0, 0)})
    return decision(0, "proposer", {"high": leaf(2, 2), "low": respond})


@textbook
def trust() -> Node:
    """The trust game: trust would be abused, so both forgo a gain.

    Kreps (1990), Corporate Culture and Economic Theory.
    """
    respond = decision(1, "trusted", {"honour": leaf(10, 10), "abuse": leaf(-5, 15)})
    return decision(0, "1", {"distrust": leaf(0, 0), "trust": respond})
