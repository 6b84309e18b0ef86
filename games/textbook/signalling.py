"""Games in which one player knows what another would like to know."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ..nodes import Node, chance, decision, leaf
from .catalogue import textbook


@textbook
def beer_quiche(weak: Any = "1/10") -> Node:
    """Beer-quiche: both types eat the same, or a bluff in part.

    Cho and Kreps (1987). The sender (P1) gets 1 for the breakfast it likes (the weak one quiche,
    the strong one beer) and 2 if it is spared; the receiver (P2) gets 1 for fighting the weak one
    or sparing the strong one.

    Args:
        weak: probability of the weak type; may be a SymPy symbol.
    """

    def respond(meal: str, liked: bool, is_weak: bool) -> Node:
        return decision(
            1,
            meal,
            {"fight": leaf(int(liked), int(is_weak)), "retreat": leaf(liked + 2, int(not is_weak))},
        )

    def breakfast(label: str, is_weak: bool) -> Node:
        return decision(
            0,
            label,
            {
                "beer": respond("beer", not is_weak, is_weak),
                "quiche": respond("quiche", is_weak, is_weak),
            },
        )

    return chance(
        {"weak": (weak, breakfast("weak", True)), "strong": (1 - weak, breakfast("strong", False))}
    )


@textbook
def cheap_talk() -> Node:
    """Cheap talk with common interests: two types, two messages that cost nothing, three actions.

    A version of the games of Crawford and Sobel (1982). Sender (P1) and receiver (P2) get the same:
    3 if the action fits the type, 0 if it fits the other, 2 for the safe one.
    """

    def receive(message: str, *payoffs: int) -> Node:
        return decision(1, message, {f"a{i}": leaf(u, u) for i, u in enumerate(payoffs, 1)})

    def send(label: str, *payoffs: int) -> Node:
        return decision(0, label, {message: receive(message, *payoffs) for message in ("m1", "m2")})

    return chance({"t1": ("1/2", send("t1", 3, 0, 2)), "t2": ("1/2", send("t2", 0, 3, 2))})


@textbook
def spence(able: Any = "1/3") -> Node:
    """Spence's job market: education that teaches nothing tells the able from the others.

    A discrete version of Spence (1973): productivity is 1, or 2 of the able ones; education costs
    3/2, half of it for the able. The employer (P2) pays 1 or 2 and loses 1 if that is not the
    productivity.

    Args:
        able: probability of the able type; may be a SymPy symbol.
    """

    def pay(seen: str, cost: Any, productivity: int) -> Node:
        wages = {
            f"pay {wage}": leaf(wage - cost, 0 if wage == productivity else -1) for wage in (1, 2)
        }
        return decision(1, seen, wages)

    def learn(label: str, productivity: int) -> Node:
        cost = Fraction(3, 2 * productivity)
        return decision(
            0,
            label,
            {
                "study": pay("educated", cost, productivity),
                "work": pay("uneducated", 0, productivity),
            },
        )

    return chance({"able": (able, learn("able", 2)), "other": (1 - able, learn("other", 1))})


@textbook
def lemons(good: Any = "1/2") -> Node:
    """The market for lemons: good cars are not sold, although everybody would gain.

    A discrete version of Akerlof (1970). The buyer (P1) offers 1 or 5; the seller (P2) knows the
    car. A good one is worth 4 to the seller and 6 to the buyer, a lemon 0 and 2. Payoffs are gains
    from the trade.

    Args:
        good: probability that the car is good; may be a SymPy symbol.
    """

    def offered(kind: str, to_buyer: int, to_seller: int, price: int) -> Node:
        return decision(
            1,
            f"{kind}, offered {price}",
            {"sell": leaf(to_buyer - price, price - to_seller), "keep": leaf(0, 0)},
        )

    def buyer(kind: str, to_buyer: int, to_seller: int) -> Node:
        offers = {f"offer {price}": offered(kind, to_buyer, to_seller, price) for price in (1, 5)}
        return decision(0, "buyer", offers)

    return chance({"good": (good, buyer("good", 6, 4)), "lemon": (1 - good, buyer("lemon", 2, 0))})


@textbook
def stripped_poker() -> Node:
    """Stripped-down poker: bluff one time in three.

    Reiley, Urbancic and Walker (2008). Both put in 1; player 1 sees a card, red or black. Folding
    black loses, folding red wins the pot; raising puts in 1 more, which player 2 calls or not.
    """

    def call(win: int) -> Node:
        return decision(1, "raised", {"pass": leaf(1, -1), "call": leaf(2 * win, -2 * win)})

    red = decision(0, "red", {"raise": call(1), "fold": leaf(1, -1)})
    black = decision(0, "black", {"raise": call(-1), "fold": leaf(-1, 1)})
    return chance({"red": ("1/2", red), "black": ("1/2", black)})
