"""A small game with interchangeable seats, and plain recursions over whole trees."""

from collections.abc import Sequence
from copy import copy
from fractions import Fraction
from typing import NamedTuple

from crywolf.games.rules import CHANCE, TERMINAL, Interchangeable, Rules, Step


class Position(NamedTuple):
    stage: str  # deal, hint, draw, shoot, eat, end
    roles: tuple[str, ...]  # "" before the card is dealt
    alive: tuple[bool, ...]
    shooter: int  # -1: nobody
    hint: tuple[int, ...]  # the seat of which the owl knows whether it is a fox


class Hunt(Interchangeable[Position], Rules[Position]):
    """A fox, an owl and hens: one of them, drawn by chance, shoots another; then the fox eats.

    The owl knows of one other seat, drawn by chance, whether it is the fox. Without a fox the hens
    win (the owl is on their side), with two players left the fox.
    """

    name = title = "hunt"

    def __init__(self, players: int = 4, numbered: bool = False):
        self.parameters = {"players": players, "numbered": numbered}
        self.numbered = numbered
        self.num_players = self.num_distinct_actions = self.max_chance_outcomes = players
        self.max_game_length = self.max_chance_nodes = 3 * players
        self.utility_range, self.utility_sum = (Fraction(-1), Fraction(1)), None
        self.cards = ("fox", "owl", *["hen"] * (players - 2))
        self.kinds = ("fox", "owl", "hen")
        self.silence = ((),) * players

    def initial(self):
        n = self.num_players
        return Step(Position("deal", ("",) * n, (True,) * n, -1, ()), self.silence)

    def mover(self, position):
        if position.stage in ("deal", "hint", "draw"):
            return CHANCE
        if position.stage == "shoot":
            return position.shooter
        return position.roles.index("fox") if position.stage == "eat" else TERMINAL

    def others(self, position, seat):
        return [s for s in range(self.num_players) if position.alive[s] and s != seat]

    def legal_actions(self, position):
        return tuple(self.others(position, self.mover(position)))

    def chance_outcomes(self, position):
        if position.stage == "deal":
            left = [self.cards.count(k) - position.roles.count(k) for k in self.kinds]
            return tuple((k, Fraction(c, sum(left))) for k, c in enumerate(left) if c)
        owl = position.roles.index("owl") if position.stage == "hint" else -1
        seats = self.others(position, owl)
        return tuple((seat, Fraction(1, len(seats))) for seat in seats)

    def to_one(self, seat, news):
        return (*self.silence[:seat], (news,), *self.silence[seat + 1 :])

    def play(self, position, action):
        stage, roles, alive, _, _ = position
        if stage == "deal":
            seat = roles.index("")
            roles = (*roles[:seat], self.kinds[action], *roles[seat + 1 :])
            after = position._replace(roles=roles, stage="deal" if "" in roles else "hint")
            return Step(after, self.to_one(seat, ("role", self.kinds[action])))
        if stage == "hint":
            news = self.to_one(roles.index("owl"), ("hint", action, roles[action] == "fox"))
            return Step(position._replace(stage="draw", hint=(action,)), news)
        if stage == "draw":
            after = position._replace(stage="shoot", shooter=action)
            return Step(after, ((("shooter", action),),) * self.num_players)
        alive = (*alive[:action], False, *alive[action + 1 :])
        fox_lives = alive[roles.index("fox")]
        over = not fox_lives or sum(alive) == 2
        after = "end" if over else "eat" if stage == "shoot" else "draw"
        news = (("dead", action, after),)
        return Step(
            position._replace(stage=after, alive=alive, shooter=-1), (news,) * self.num_players
        )

    def payoffs(self, position):
        side = {"fox": "fox"}
        won = self.outcome(position)
        return tuple(Fraction(1 if side.get(r, "hens") == won else -1) for r in position.roles)

    def action_name(self, player, action):
        return f"{action}"

    def observation_name(self, player, observation):
        return str(observation)

    @property
    def interchangeable(self):
        return not self.numbered

    def relabelled(self, position, seats: Sequence[int]):
        old = sorted(range(self.num_players), key=lambda s: seats[s])  # old[new] = seat
        return Position(
            position.stage,
            tuple(position.roles[s] for s in old),
            tuple(position.alive[s] for s in old),
            -1 if position.shooter < 0 else seats[position.shooter],
            tuple(seats[s] for s in position.hint),
        )

    def signature(self, position, seat):
        """Undealt cards come last."""
        role = position.roles[seat]
        return (
            role == "",
            role,
            position.alive[seat],
            position.shooter == seat,
            seat in position.hint,
        )

    def known(self, position, player):
        roles = tuple(r if s == player else "" for s, r in enumerate(position.roles))
        hint = position.hint if position.roles[player] == "owl" else ()
        return position._replace(roles=roles, hint=hint)

    def outcome(self, position):
        return "fox" if position.alive[position.roles.index("fox")] else "hens"


def uniform(rules, position):
    legal = rules.legal_actions(position)
    return dict.fromkeys(legal, Fraction(1, len(legal)))


def eager_fox(rules, position):
    """The fox eats and shoots the owl if it lives; hens and owl shoot at random."""
    mover = rules.mover(position)
    owl = position.roles.index("owl")
    if position.roles[mover] == "fox" and position.alive[owl]:
        return {owl: Fraction(1)}
    return uniform(rules, position)


def naive_probabilities(rules, policy, position=None):
    """Outcome probabilities by walking the whole tree, position by position."""
    position = rules.initial().position if position is None else position
    mover = rules.mover(position)
    if mover == TERMINAL:
        return {rules.outcome(position): Fraction(1)}
    moves = rules.chance_outcomes(position) if mover == CHANCE else policy(rules, position).items()
    found = {}
    for action, weight in moves:
        for outcome, p in naive_probabilities(
            rules, policy, rules.play(position, action).position
        ).items():
            found[outcome] = found.get(outcome, 0) + weight * p
    return found


def naive_optimum(rules, outcome, decisions, position=None):
    """The value with decisions by players who see everything, by walking the whole tree."""
    position = rules.initial().position if position is None else position
    mover = rules.mover(position)
    if mover == TERMINAL:
        return Fraction(rules.outcome(position) == outcome)
    decision = (
        dict(rules.chance_outcomes(position)) if mover == CHANCE else decisions(rules, position)
    )
    values = {
        action: naive_optimum(rules, outcome, decisions, rules.play(position, action).position)
        for action in (rules.legal_actions(position) if isinstance(decision, str) else decision)
    }
    if isinstance(decision, str):
        return {"max": max, "min": min}[decision](values.values())
    return sum((p * values[action] for action, p in decision.items()), Fraction(0))


def naive_leaves(rules, position=None):
    position = rules.initial().position if position is None else position
    if rules.mover(position) == TERMINAL:
        return 1
    return sum(
        naive_leaves(rules, rules.play(position, a).position) for a in rules.actions(position)
    )


def compiled_response(rules, tree, player, policy):
    """The best-response value on the compiled tree of rules that pay an outcome: `paying`."""
    from crywolf.solvers.exact import evaluate_exact

    row = [Fraction(1)] * tree.num_sequences
    for h in range(tree.num_infosets):
        position = rules.initial().position
        for action in tree.history(int(tree.first_node[h])):
            position = rules.play(position, action).position
        mixture = policy(rules, position)
        for s, action in zip(
            range(*tree.slice(h).indices(tree.num_sequences)), tree.legal[h], strict=True
        ):
            row[s] = mixture.get(action, Fraction(0))
    return evaluate_exact(tree, row).best_response_values[player]


def paying(rules, outcome):
    """The same rules, but everybody gets 1 at the outcome and 0 elsewhere."""

    class Paying(type(rules)):
        def payoffs(self, position):
            return (Fraction(self.outcome(position) == outcome),) * self.num_players

    twin = copy(rules)
    twin.__class__ = Paying
    twin.utility_range = (Fraction(0), Fraction(1))
    twin.utility_sum = None
    return twin
