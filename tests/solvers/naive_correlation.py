"""Gains against correlation devices by brute force: plain recursion over states of OpenSpiel.

A joint plan is a tuple of dictionaries, one per player: information-state string to action. A
player who has stopped obeying plays a dictionary of its own. Nothing here reads a compiled tree.
"""

from itertools import product


def menus(game):
    """Of each player: {information-state string: legal actions}."""
    found = [{} for _ in range(game.num_players())]

    def walk(state):
        if state.is_terminal():
            return
        if not state.is_chance_node():
            player = state.current_player()
            found[player][state.information_state_string()] = state.legal_actions()
        for action in state.legal_actions():
            walk(state.child(action))

    walk(game.new_initial_state())
    return found


def pure_plans(menu):
    """All pure strategies of a player."""
    return [dict(zip(menu, actions)) for actions in product(*menu.values())]


def payoff(state, player, plans, own=None, trigger=None, deviating=False):
    """The player's expected payoff if it stops obeying, by the plan ``own``, at a trigger.

    A trigger is ``("efce", key, recommended action)``, ``("efcce", key)`` or ``("nfcce",)``.
    """
    if state.is_terminal():
        return state.returns()[player]
    if state.is_chance_node():
        return sum(
            p * payoff(state.child(a), player, plans, own, trigger, deviating)
            for a, p in state.chance_outcomes()
        )
    mover, key = state.current_player(), state.information_state_string()
    action = plans[mover][key]
    if mover == player and trigger is not None:
        deviating = deviating or trigger in (("nfcce",), ("efcce", key), ("efce", key, action))
        if deviating:
            assert own is not None
            action = own[key]
    return payoff(state.child(action), player, plans, own, trigger, deviating)


def best_gain(game, device, player, kind):
    """The largest gain of one trigger and one plan, device as [(weight, joint plan)]."""
    menu = menus(game)[player]
    triggers = {
        "nfcce": [("nfcce",)],
        "efcce": [("efcce", key) for key in menu],
        "efce": [("efce", key, action) for key, actions in menu.items() for action in actions],
    }[kind]
    root = game.new_initial_state()
    obeyed = sum(w * payoff(root, player, plans) for w, plans in device)
    gains = [
        sum(w * payoff(root, player, plans, own, trigger) for w, plans in device) - obeyed
        for trigger in triggers
        for own in pure_plans(menu)
    ]
    return max(gains, default=0.0)


def best_of_all(game, device, player, kind):
    """The largest gain of a whole deviation function, by recursion over what a player may know.

    It is the best response in the game in which the device's draw is a first chance move that only
    recommendations reveal: at each of its information sets the player, as long as it obeys, knows
    the recommendations so far; after a deviation it hears nothing more.
    """
    root = game.new_initial_state()
    start = [(w, plans, root) for w, plans in device]

    def value(worlds, deviating):
        """The best sum from histories that the player cannot tell apart, advanced to its moves."""
        total, groups = 0.0, {}
        stack = list(worlds)
        while stack:
            w, plans, state = stack.pop()
            if state.is_terminal():
                total += w * state.returns()[player]
            elif state.is_chance_node():
                stack += [(w * p, plans, state.child(a)) for a, p in state.chance_outcomes()]
            elif state.current_player() != player:
                action = plans[state.current_player()][state.information_state_string()]
                stack.append((w, plans, state.child(action)))
            else:
                groups.setdefault(state.information_state_string(), []).append((w, plans, state))
        return total + sum(choose(key, group, deviating) for key, group in groups.items())

    def alone(group):
        legal = group[0][2].legal_actions()
        return max(value([(w, q, s.child(a)) for w, q, s in group], True) for a in legal)

    def choose(key, group, deviating):
        if deviating:
            return alone(group)
        recommended = {}
        for w, plans, state in group:
            recommended.setdefault(plans[player][key], []).append((w, plans, state))
        obey = [
            (part, value([(w, q, s.child(a)) for w, q, s in part], False))
            for a, part in recommended.items()
        ]
        if kind == "efce":
            return sum(max(follow, alone(part)) for part, follow in obey)
        follow = sum(v for _, v in obey)
        return max(follow, alone(group)) if kind == "efcce" else follow

    obeyed = sum(w * payoff(root, player, plans) for w, plans in device)
    best = max(value(start, True), obeyed) if kind == "nfcce" else value(start, False)
    return best - obeyed
