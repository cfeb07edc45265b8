"""People who take part for the fee: they collect first levels, favour one key, or do hardly anything."""

from dataclasses import replace
from random import Random

from playtest.rehearsal.people.learner import learn
from playtest.rehearsal.people.person import Person, Thought, any_press
from playtest.rehearsal.people.solutions import Solutions
from playtest.rehearsal.people.steps import (
    CLICK,
    RESET,
    UNDO,
    FocusChange,
    Leave,
    Play,
    Press,
    Scene,
    Step,
)

_FIRST_LEVELS = 2
"""The levels that collectors complete at most: the tutorial ones."""


def collect_fast(person: Person, scene: Scene, solutions: Solutions, chance: Random) -> Play:
    """Completes one or two first levels quickly, and gives up after a few actions on the next."""
    hurried = replace(person, tempo=0.6 * person.tempo)
    return _collect(hurried, scene, solutions, chance, actions=(0, 12), seconds=(0.4, 4.0))


def collect_slowly(person: Person, scene: Scene, solutions: Solutions, chance: Random) -> Play:
    """The same without a hurry: with the time that others take, but without trying the next level."""
    unhurried = replace(person, tempo=2.0 * person.tempo)
    return _collect(unhurried, scene, solutions, chance, actions=(2, 14), seconds=(5.0, 30.0))


def _collect(
    person: Person,
    scene: Scene,
    solutions: Solutions,
    chance: Random,
    *,
    actions: tuple[int, int],
    seconds: tuple[float, float],
) -> Play:
    last = chance.randint(1, _FIRST_LEVELS)
    steps = learn(person, scene, solutions, chance)
    step = next(steps, None)
    while step is not None and scene.level <= last:
        scene = yield step
        if scene.state == "WIN":
            return
        if scene.level <= last:
            step = steps.send(scene)
    for _ in range(chance.randint(*actions)):
        if scene.state == "WIN":
            return
        scene = yield Step(chance.uniform(*seconds), _any(scene, chance))
    yield Step(chance.uniform(*seconds), Leave())


def favour_a_key(person: Person, scene: Scene, solutions: Solutions, chance: Random) -> Play:
    """Random actions, most of them the same one, whatever is on the board."""
    keys = [action for action in scene.available if action not in (CLICK, UNDO)] or list(scene.available)
    favourite, share = chance.choice(keys), chance.uniform(0.4, 0.75)
    for _ in range(chance.randint(80, 220)):
        if scene.state == "WIN":
            return
        press = _any(scene, chance)
        if scene.allows(favourite) and chance.random() < share and favourite != CLICK:
            press = Press(favourite)
        scene = yield Step(person.pause(Thought.STEP, chance), press)
    yield Step(person.pause(Thought.THINK, chance), Leave())


def do_little(person: Person, scene: Scene, solutions: Solutions, chance: Random) -> Play:
    """An action every few minutes, at times with another page in front; gives up at last."""
    for _ in range(chance.randint(2, 6)):
        if chance.random() < 0.3:
            yield Step(2.0, FocusChange("page_hidden"))
            yield Step(chance.uniform(60, 290), FocusChange("page_shown"))
        for _ in range(chance.randint(1, 6)):
            if scene.state == "WIN":
                return
            scene = yield Step(person.pause(Thought.THINK, chance), _any(scene, chance))
        scene = yield Step(chance.uniform(70, 290), _any(scene, chance))
        if scene.state == "WIN":
            return
    yield Step(chance.uniform(5, 120), Leave())


def _any(scene: Scene, chance: Random) -> Press:
    return Press(RESET) if scene.state == "GAME_OVER" else any_press(scene, chance)
