"""Seats with other names: positions renamed, told apart, and cut down to what one player knows."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from .position import NOBODY, Position, Stage, replaced
from .table import Table

UNMARKED = {Stage.REVEAL, Stage.VOTE, Stage.KILL, Stage.NIGHT}
"""Stages whose players choose unseen by each other, in whatever order."""
CHAINS = {Stage.DUSK, Stage.DAWN}
"""Stages in which the order of ``acts`` counts."""


def interchangeable(table: Table) -> bool:
    """Whether the seats are: nobody acts in seat order before the eyes of others."""
    options = table.options
    in_order = options.elimination == "order" or (
        options.elimination == "votes" and options.vote == "sequential"
    )
    return not (in_order or table.talk.speaks or dying_act_in_order(table))


def dying_act_in_order(table: Table) -> bool:
    """Whether two dying players of whom one has a choice may act one after the other."""
    deck = [table.roles[card] for card in table.deck]
    return any(role.shoots for role in deck) and (
        sum(role.shoots or role.is_avenged for role in deck) > 1
    )


def relabelled(table: Table, position: Position, seats: Sequence[int]) -> Position:
    """See `Interchangeable.relabelled`."""
    places = [0] * len(seats)
    for seat, name in enumerate(seats):
        places[name] = seat
    names = (*seats, NOBODY)  # names[NOBODY] is NOBODY

    def moved(values: tuple) -> tuple:
        return tuple(values[seat] for seat in places)

    renamed = table.actions.renamed
    acts = [
        (names[seat], renamed(what, seats) if isinstance(what, int) else what)
        for seat, what in position.acts
    ]
    queue = [names[seat] for seat in position.queue]
    roles = moved(position.roles)
    if position.stage in UNMARKED:
        queue.sort()
        if position.stage is Stage.NIGHT:
            queue.sort(key=lambda seat: table.turn[roles[seat]])
    if position.stage not in CHAINS:
        acts.sort()
    return position._replace(
        roles=roles,
        alive=moved(position.alive),
        queue=tuple(queue),
        acts=tuple(acts),
        notes=moved(tuple(tuple(sorted((names[s], what) for s, what in n)) for n in position.notes))
        if position.notes
        else (),
        public=moved(position.public),
        lovers=tuple(sorted(names[seat] for seat in position.lovers)),
        executed=tuple(sorted(names[seat] for seat in position.executed)),
        order=tuple(names[seat] for seat in position.order),
    )


def signatures(table: Table, position: Position) -> list[Hashable]:
    """Of every seat, role and state, own notes, and what notes and acts of others say of it."""
    roles, notes = position.roles, position.notes
    meanings = table.actions.meanings
    noted: list[list[tuple[str, str]]] = [[] for _ in roles]
    done: list[list[str]] = [[] for _ in roles]
    suffered: list[list[tuple[str, str]]] = [[] for _ in roles]
    for owner, own in enumerate(notes):
        for seat, what in own:
            if seat != NOBODY:
                noted[seat].append((roles[owner], str(what)))
    for actor, what in position.acts:
        label, target = (what, NOBODY) if isinstance(what, str) else meanings[what][:2]
        if actor != NOBODY:
            done[actor].append(label)
        if target != NOBODY:
            suffered[target].append((label, "" if actor == NOBODY else roles[actor]))
    return [
        (
            role,
            position.alive[seat],
            position.public[seat],
            tuple(sorted(str(what) for _, what in notes[seat])) if notes else (),
            tuple(sorted(noted[seat])),
            seat in position.lovers,
            seat in position.executed,
            seat in position.order,
            tuple(done[seat]),
            tuple(sorted(suffered[seat])),
            seat in position.queue,
        )
        for seat, role in enumerate(roles)
    ]


def known(table: Table, position: Position, player: int) -> Position:
    """See `Interchangeable.known`.

    At decisions of ``player`` stage, queue and acts are kept as far as it knows them; elsewhere it
    cannot tell how far the others have got, and the stage is `Stage.DAY` without queue and acts.
    """
    own = table.roles.get(position.roles[player])
    queue, acts = position.queue, position.acts
    moves = bool(queue) and queue[0] == player
    if not moves:
        queue = acts = ()
    elif position.stage in UNMARKED and not _seen_in_order(table, position):
        keeps = own is not None and (own.sees_victim or own.wolf)
        acts = tuple(act for act in acts if keeps and act[0] == NOBODY)
        queue = (player,)
    elif position.stage in CHAINS:
        acts = ()
    notes: tuple = ((),) * len(position.notes)
    if notes:
        notes = replaced(notes, player, position.notes[player])
    counts = table.options.reveal_day != "none" or (own is not None and own.knows_wolves)
    return position._replace(
        stage=position.stage if moves else Stage.DAY,
        roles=_known_roles(table, position, player),
        queue=queue,
        acts=acts,
        notes=notes,
        lovers=position.lovers if player in position.lovers else (),
        voted_out_wolves=position.voted_out_wolves if counts else 0,
        winner="",
    )


def _seen_in_order(table: Table, position: Position) -> bool:
    return position.stage is Stage.VOTE and table.options.vote == "sequential"


def _known_roles(table: Table, position: Position, player: int) -> tuple[str, ...]:
    roles = position.roles
    if table.options.deal == "fixed":
        return roles
    shown = [""] * len(roles)
    shown[player] = roles[player]
    if "" in roles:
        return tuple(shown)
    own = table.roles[roles[player]]
    wolves = [kind for kind in table.kinds if table.roles[kind].wolf]
    for seat, role in enumerate(roles):
        if own.knows_wolves and table.roles[role].wolf and seat != player:
            shown[seat] = role if len(wolves) == 1 else "wolf"
        if own.knows_kin and role == roles[player]:
            shown[seat] = role
    return tuple(shown)
