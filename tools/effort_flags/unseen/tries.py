"""How somebody who tries learns a level: examines it, tries what they understand, explores, begins anew.

What they have understood is a growing part of the recorded solution. The last try has detours too, since
nobody who works a level out plays the fewest actions at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from playtest.rehearsal.people.steps import CLICK, RESET, UNDO, Passage, Press, Scene, Solution, Solutions
from tools.effort_flags.unseen.hands import OPPOSITES, Hands, anywhere, beside, goes_on

FLOW, STEP, THINK, SEE = 0.45, 0.9, 3.2, 6.5
"""Median seconds before an action: known by heart, easy, thought about, and on a board that is new."""


@dataclass
class Style:
    """How one participant learns.

    `skill` 0..1 lessens the tries a level takes. `examine`: actions tried on the first level, of which
    `habit` remains from level to level. `explore`: median actions of one exploration. `detours`: chance of
    one at an action of a level seen for the first time. `gives_in`: chance of a new start in the midst of a
    try. `think`: share of actions that are thought about. `tries` and `minutes`: when they give up an
    environment's level, or all of it.
    """

    skill: float = 0.6
    examine: float = 10.0
    habit: float = 0.7
    explore: float = 11.0
    detours: float = 0.14
    gives_in: float = 0.1
    think: float = 0.2
    tries: float = 14.0
    minutes: float = 28.0


def difficulty(solutions: Solutions, level: int) -> float:
    """Tries that a level takes somebody of middling skill, the same for everybody."""
    seen_by_all = Random(f"unseen/{solutions.name}/{level}").lognormvariate(0.0, 0.45)
    return (0.7 + 0.3 * (level - 1) + len(solutions.of(level)) / 30) * seen_by_all


def learn(
    hands: Hands,
    style: Style,
    scene: Scene,
    solutions: Solutions,
    *,
    harder: float = 1.0,
    until: float = 1e9,
    levels: int = 99,
) -> Passage:
    """Plays until so many levels are won, `until` seconds are over, or the style says to give up."""
    until, last = min(until, scene.seconds + 60 * style.minutes), scene.level + levels - 1
    while scene.state != "WIN" and scene.level <= last:
        level, solution = scene.level, solutions.of(scene.level)
        needed = harder * difficulty(solutions, level) * hands.about(1.0, 0.5) * (1.25 - style.skill)
        scene = yield from examine(hands, style, scene, solution)
        number = hands.chance.uniform(0.0, 0.4)  # some things are seen at once
        while scene.level == level and scene.state != "WIN":
            if scene.seconds > until or number > style.tries:
                return scene
            if number >= 0.5 or scene.state == "GAME_OVER" or hands.chance.random() < 0.5:
                scene = yield from hands.press(scene, Press(RESET), hands.pause(2.5))
            understood = 1.0 if number >= needed else hands.chance.uniform(0.5, 1.0) * number / needed
            known = solution[: int(understood * len(solution))]
            scene = yield from one_try(hands, style, scene, known, style.detours / (1 + 0.5 * number))
            if goes_on(scene, level) and known != solution:
                scene = yield from explore(
                    hands, style, scene, solution, int(hands.about(style.explore, 0.6))
                )
            number += hands.chance.uniform(0.6, 1.4)
    return scene


def examine(hands: Hands, style: Style, scene: Scene, solution: Solution) -> Passage:
    """Looks at a new level, then tries what can be done: much on the first level, less on each later one."""
    level, count = scene.level, hands.about(style.examine, 0.5) * style.habit ** (scene.level - 1)
    places = [press for press in solution if press.action == CLICK]
    last: Press | None = None
    seconds = hands.pause(SEE)
    for _ in range(int(count)):
        if not goes_on(scene, level):
            break
        back = OPPOSITES.get(last.action) if last is not None and scene.changed else None
        if back is not None and back in scene.available and hands.chance.random() < 0.5:
            last = Press(back)
        elif last is None or not scene.changed or hands.chance.random() < 0.7:
            last = _some(scene, places, hands.chance)
        if last is None:
            break
        scene = yield from hands.press(scene, last, seconds)
        seconds = hands.pause(THINK if hands.chance.random() < style.think else STEP)
    return scene


def one_try(hands: Hands, style: Style, scene: Scene, known: Sequence[Press], detours: float) -> Passage:
    """Plays what is understood; at times goes astray and takes it back, or gives in before its end."""
    level, seconds = scene.level, hands.pause(THINK)
    gives_in = (
        hands.chance.randrange(len(known)) if known and hands.chance.random() < style.gives_in else None
    )
    for at, press in enumerate(known):
        if not goes_on(scene, level) or at == gives_in:
            return scene
        if hands.chance.random() < detours:
            scene = yield from astray(hands, scene)
        scene = yield from hands.press(scene, press, seconds)
        seconds = hands.pause(THINK if hands.chance.random() < style.think * 0.7 else FLOW)
    return scene


def astray(hands: Hands, scene: Scene) -> Passage:
    """One or two wrong actions, taken back by undo or by the opposite move; a click beside things, if any."""
    level, back = scene.level, list[Press]()
    moves = [action for action in scene.available if action in OPPOSITES]
    for _ in range(hands.chance.randint(1, 2)):
        if not goes_on(scene, level):
            return scene
        if not moves:
            return (yield from hands.press(scene, anywhere(hands.chance), hands.pause(STEP)))
        action = hands.chance.choice(moves)
        scene = yield from hands.press(scene, Press(action), hands.pause(STEP))
        if scene.changed:
            undoes = UNDO in scene.available and hands.chance.random() < 0.5
            back.append(Press(UNDO) if undoes else Press(OPPOSITES[action]))
    for press in reversed(back):
        if goes_on(scene, level):
            scene = yield from hands.press(scene, press, hands.pause(THINK if press is back[-1] else STEP))
    return scene


def explore(hands: Hands, style: Style, scene: Scene, solution: Solution, count: int) -> Passage:
    """Goes on in one direction while something changes, then in another; clicks on and beside things."""
    level, places = scene.level, [press for press in solution if press.action == CLICK]
    last: Press | None = None
    for _ in range(count):
        if not goes_on(scene, level):
            break
        if last is None or not scene.changed or hands.chance.random() < 0.35 or not scene.allows(last.action):
            last = _some(scene, places, hands.chance)
        if last is None:
            break
        scene = yield from hands.press(
            scene, last, hands.pause(THINK if hands.chance.random() < style.think else STEP)
        )
    return scene


def _some(scene: Scene, places: Sequence[Press], chance: Random) -> Press | None:
    """An action that is offered; clicks mostly on things, and undo seldom."""
    offered = [action for action in scene.available if action != UNDO or chance.random() < 0.15]
    if not offered:
        return None
    action = chance.choice(offered)
    if action != CLICK:
        return Press(action)
    return beside(chance.choice(places), 2, chance) if places and chance.random() < 0.85 else anywhere(chance)
