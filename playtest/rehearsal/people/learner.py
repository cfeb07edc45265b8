"""A learner: looks around, tries, gets further with each try, restarts levels, and at last sees the solution.

Learners know the recorded solution, but see only a part of it: how much depends on their skill and on the
level, and each try shows them more. What they have understood they play with detours, which they take back
where they can. Each level makes the controls more familiar. Patience decides how many tries they accept.
"""

from dataclasses import replace
from random import Random

from playtest.rehearsal.people.person import Person, Thought, any_press
from playtest.rehearsal.people.steps import (
    RESET,
    UNDO,
    Leave,
    Passage,
    Play,
    Press,
    Scene,
    Solution,
    Solutions,
    Step,
    after,
)

_FEWEST_TRIES, _MOST_TRIES = 3.0, 13.0
"""Tries at an environment that the least and the most patient people accept."""
_LOOKS_AROUND = 0.92
"""The share of new levels in which people try something before they begin."""
_DETOURS = 0.11
"""Detours for each action of a solution, of people without skill at the first level."""
_LONG_THOUGHTS = 0.03
"""The share of actions before which slow people think for long."""
_OPPOSITES = {1: 2, 2: 1, 3: 4, 4: 3}


def learn(person: Person, scene: Scene, solutions: Solutions, chance: Random) -> Play:
    """Plays an environment until it is won or patience is used up."""
    weariness, enough = 0.0, _enough(person, chance)
    while scene.state != "WIN":
        level, solution = scene.level, solutions.of(scene.level)
        seen, gain = _insight(person, solutions.difficulty(level), chance)
        detours = _DETOURS * (1.3 - person.skill) / (1 + 0.15 * level)
        scene = yield from _look_around(person, scene, solution, chance)
        while scene.level == level and scene.state != "WIN":
            scene = yield from _try(person, scene, solution, chance, min(1.0, seen), detours)
            if scene.level != level or scene.state == "WIN":
                weariness *= 0.6  # completing a level motivates
                break
            weariness, seen = weariness + 1, seen + gain * chance.uniform(0.3, 1.7)
            detours *= 0.7  # people take more care each time
            if weariness > enough:
                yield Step(person.pause(Thought.THINK, chance), Leave())
                return
            scene = yield Step(person.pause(Thought.SETBACK, chance), Press(RESET))


def learn_slowly(person: Person, scene: Scene, solutions: Solutions, chance: Random) -> Play:
    """A learner who takes three times as long, and at times thinks for a minute or two."""
    steps = learn(replace(person, tempo=3 * person.tempo), scene, solutions, chance)
    step = next(steps, None)
    while step is not None:
        thinks = chance.uniform(40, 150) if chance.random() < _LONG_THOUGHTS else 0.0
        scene = yield Step(step.pause + thinks, step.act)
        step = after(steps, scene)


def _enough(person: Person, chance: Random) -> float:
    share: float = person.patience**1.5
    return (_FEWEST_TRIES + share * (_MOST_TRIES - _FEWEST_TRIES)) * chance.uniform(0.7, 1.3)


def _insight(person: Person, difficulty: float, chance: Random) -> tuple[float, float]:
    """The share of the solution that is seen at first, and how much each try adds."""
    first = chance.betavariate(1 + 5 * person.skill, 1 + 0.9 * difficulty)
    return first + 0.5 * person.skill, (0.15 + 0.6 * person.skill) / difficulty


def _look_around(person: Person, scene: Scene, solution: Solution, chance: Random) -> Passage:
    """Tries controls at the start of a level: many at the first one, fewer once they are familiar."""
    level = scene.level
    if level > 1 and chance.random() > _LOOKS_AROUND:
        return scene
    touched = False
    for number in range(1 + int(chance.expovariate(1.0) * 3 / (1 + 0.7 * level))):
        if not _continues(scene, level):
            break
        thought = Thought.NEW_LEVEL if number == 0 else Thought.STEP
        scene = yield Step(person.pause(thought, chance), any_press(scene, chance, solution))
        touched = touched or scene.changed
    if scene.level == level and (touched or scene.state == "GAME_OVER") and scene.state != "WIN":
        scene = yield Step(person.pause(Thought.THINK, chance), Press(RESET))
    return scene


def _try(
    person: Person, scene: Scene, solution: Solution, chance: Random, understood: float, detours: float
) -> Passage:
    """Plays the understood part of the solution with detours, then tries other actions if it is not all."""
    level = scene.level
    for number, press in enumerate(solution[: int(len(solution) * understood)]):
        if _continues(scene, level) and chance.random() < detours:
            scene = yield from _detour(person, scene, solution, chance)
        if not _continues(scene, level) or not scene.allows(press.action):
            return scene
        thought = Thought.NEW_LEVEL if number == 0 else _thought(chance, 0.2)
        scene = yield Step(person.pause(thought, chance), press)
    if understood == 1 and solution:
        return scene
    return (yield from _explore(person, scene, solution, chance))


def _explore(person: Person, scene: Scene, solution: Solution, chance: Random) -> Passage:
    """Tries other actions, more of them where levels are long; what changes the board is often repeated."""
    level, last = scene.level, None
    for _ in range(2 + int(chance.expovariate(4 / (len(solution) + 8)))):
        if not _continues(scene, level):
            break
        again = last is not None and scene.changed and scene.allows(last.action) and chance.random() < 0.5
        last = last if again and last is not None else any_press(scene, chance, solution)
        if scene.allows(UNDO) and chance.random() < 0.08:
            last = Press(UNDO)
        scene = yield Step(person.pause(_thought(chance, 0.25), chance), last)
    return scene


def _detour(person: Person, scene: Scene, solution: Solution, chance: Random) -> Passage:
    """Up to three actions that lead nowhere, each taken back where undo or the opposite direction can."""
    level, back = scene.level, list[Press]()
    for _ in range(chance.randint(1, 3)):
        moves = [Press(action) for action in scene.available if action in _OPPOSITES]
        press = chance.choice(moves) if moves else any_press(scene, chance, solution)
        scene = yield Step(person.pause(_thought(chance, 0.3), chance), press)
        if not _continues(scene, level):
            return scene
        if scene.changed:
            back.append(Press(UNDO) if scene.allows(UNDO) else _taken_back(press))
    for press in reversed(back):
        if not _continues(scene, level) or not scene.allows(press.action):
            return scene
        scene = yield Step(person.pause(Thought.STEP, chance), press)
    return scene


def _taken_back(press: Press) -> Press:
    """The opposite direction; of a click the same click again, which takes back what is a switch."""
    return Press(_OPPOSITES[press.action]) if press.action in _OPPOSITES else press


def _thought(chance: Random, hesitation: float) -> Thought:
    drawn = chance.random()
    if drawn < hesitation:
        return Thought.THINK
    return Thought.STEP if drawn < 0.6 else Thought.FLOW


def _continues(scene: Scene, level: int) -> bool:
    return scene.level == level and scene.state == "NOT_FINISHED"
