"""A learner: explores, makes errors, restarts levels, and finally finds the solution.

Learners know the recorded solution, but do not use it at once. Their skill and the level decide how many
wrong tries come first; their patience decides how many they accept before they leave.
"""

from dataclasses import replace
from random import Random

from playtest.rehearsal.people.person import Person, Thought, any_press
from playtest.rehearsal.people.steps import (
    CLICK,
    RESET,
    UNDO,
    Leave,
    Passage,
    Play,
    Press,
    Scene,
    Solutions,
    Step,
    after,
)

_TRIES_A_DIFFICULTY = 1.8
_FEWEST_TRIES, _MOST_TRIES = 4.0, 22.0
"""Wrong tries at an environment that the least and the most patient people accept."""
_LONG_THOUGHTS = 0.03
"""The share of actions before which slow people think for long."""


def learn(person: Person, scene: Scene, solutions: Solutions, chance: Random) -> Play:
    """Plays an environment until it is won or patience is used up."""
    weariness, enough = 0.0, _enough(person, chance)
    while scene.state != "WIN":
        level, touched = scene.level, False
        tries = _tries(person, solutions.difficulty(level), chance)
        if level == 1:
            scene, touched = (yield from _probe(person, scene, solutions, chance)), True
            if scene.level != level or scene.state == "WIN":
                continue
        while True:
            scene = yield from _try(person, scene, solutions, chance, touched=touched, knows=tries <= 0)
            if scene.level != level or scene.state == "WIN":
                weariness *= 0.5  # completing a level motivates
                break
            touched, tries, weariness = True, tries - 1, weariness + 1
            if weariness > enough:
                yield Step(person.pause(Thought.THINK, chance), Leave())
                return


def learn_slowly(person: Person, scene: Scene, solutions: Solutions, chance: Random) -> Play:
    """A learner who takes three times as long, and at times thinks for a minute or two."""
    steps = learn(replace(person, tempo=3 * person.tempo), scene, solutions, chance)
    step = next(steps, None)
    while step is not None:
        thinks = chance.uniform(40, 150) if chance.random() < _LONG_THOUGHTS else 0.0
        scene = yield Step(step.pause + thinks, step.act)
        step = after(steps, scene)


def _probe(person: Person, scene: Scene, solutions: Solutions, chance: Random) -> Passage:
    """Tries the controls in random order."""
    offered = [press for press in _each(scene, solutions, chance) if chance.random() < 0.8]
    for press in offered:
        for _ in range(chance.randint(1, 2)):
            if scene.level != 1 or not scene.allows(press.action):
                break
            scene = yield Step(person.pause(Thought.STEP, chance), press)
    return scene


def _each(scene: Scene, solutions: Solutions, chance: Random) -> list[Press]:
    moves = [Press(action) for action in scene.available if action not in (CLICK, UNDO)]
    clicks = [any_press(Scene(1, 1, (CLICK,)), chance, solutions.of(1)) for _ in range(3)]
    presses = moves + (clicks if CLICK in scene.available else [])
    chance.shuffle(presses)
    return presses


def _enough(person: Person, chance: Random) -> float:
    share: float = person.patience**1.5
    return (_FEWEST_TRIES + share * (_MOST_TRIES - _FEWEST_TRIES)) * chance.uniform(0.7, 1.3)


def _tries(person: Person, difficulty: float, chance: Random) -> int:
    """Wrong tries before the solution is found: exponential, by the level and the person's skill."""
    return int(chance.expovariate(1.0) * difficulty * _TRIES_A_DIFFICULTY * (1.05 - person.skill))


def _try(
    person: Person, scene: Scene, solutions: Solutions, chance: Random, *, touched: bool, knows: bool
) -> Passage:
    if touched or scene.state == "GAME_OVER":
        scene = yield Step(person.pause(Thought.SETBACK, chance), Press(RESET))
    if knows and solutions.of(scene.level):
        return (yield from _follow(person, scene, solutions, chance))
    return (yield from _explore(person, scene, solutions, chance))


def _follow(person: Person, scene: Scene, solutions: Solutions, chance: Random) -> Passage:
    """Follows the solution with occasional errors, which are undone where the environment permits it."""
    level, solution = scene.level, solutions.of(scene.level)
    slip = 0.04 * (1.15 - person.skill)
    for number, press in enumerate(solution):
        if _continues(scene, level) and chance.random() < slip:
            scene = yield Step(person.pause(Thought.FLOW, chance), any_press(scene, chance, solution))
            if not _continues(scene, level):
                return scene
            if scene.changed:
                if not scene.allows(UNDO):
                    return scene
                scene = yield Step(person.pause(Thought.STEP, chance), Press(UNDO))
        if not _continues(scene, level) or not scene.allows(press.action):
            return scene
        thought = Thought.NEW_LEVEL if number == 0 else _thought(chance, 0.12)
        scene = yield Step(person.pause(thought, chance), press)
    return scene


def _explore(person: Person, scene: Scene, solutions: Solutions, chance: Random) -> Passage:
    """Follows the beginning of the solution, then tries other actions."""
    level, solution = scene.level, solutions.of(scene.level)
    seen = int(len(solution) * 0.7 * chance.betavariate(1 + 3 * person.skill, 4))
    for press in solution[:seen]:
        if not _continues(scene, level) or not scene.allows(press.action):
            return scene
        scene = yield Step(person.pause(_thought(chance, 0.2), chance), press)
    last = None
    for _ in range(chance.randint(2, 9)):
        if not _continues(scene, level):
            return scene
        again = last is not None and scene.changed and scene.allows(last.action) and chance.random() < 0.5
        last = last if again and last is not None else any_press(scene, chance, solution)
        if scene.allows(UNDO) and chance.random() < 0.08:
            last = Press(UNDO)
        scene = yield Step(person.pause(_thought(chance, 0.25), chance), last)
    return scene


def _thought(chance: Random, hesitation: float) -> Thought:
    drawn = chance.random()
    if drawn < hesitation:
        return Thought.THINK
    return Thought.STEP if drawn < 0.6 else Thought.FLOW


def _continues(scene: Scene, level: int) -> bool:
    return scene.level == level and scene.state == "NOT_FINISHED"
