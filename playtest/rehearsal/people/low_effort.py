"""People who do not try, or not all the time: they work for the fee, or are inattentive or distracted."""

from dataclasses import replace
from random import Random

from playtest.rehearsal.people.learner import learn
from playtest.rehearsal.people.person import Person, Thought, any_press
from playtest.rehearsal.people.steps import (
    CLICK,
    KEY_REPEAT,
    RESET,
    UNDO,
    FocusChange,
    Leave,
    Passage,
    Play,
    Press,
    Scene,
    Solutions,
    Step,
    WalkOut,
    after,
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


_HELD_SECONDS = 0.034
_TAPPED_SECONDS = 0.075


def cycle(person: Person, scene: Scene, solutions: Solutions, chance: Random) -> Play:
    """A few actions, then the next environment."""
    yield from _few(person, scene, solutions, chance)
    yield Step(person.pause(Thought.THINK, chance), Leave())


def quit_early(person: Person, scene: Scene, solutions: Solutions, chance: Random) -> Play:
    """A few actions, then the next environment; some leave the room."""
    yield from _few(person, scene, solutions, chance)
    walks_out = chance.random() < 0.12
    yield Step(person.pause(Thought.THINK, chance), WalkOut() if walks_out else Leave())


def _few(person: Person, scene: Scene, solutions: Solutions, chance: Random) -> Passage:
    for _ in range(chance.randint(3, 9)):
        scene = yield Step(person.pause(Thought.STEP, chance), _any(scene, chance, solutions))
    return scene


def mash(person: Person, scene: Scene, solutions: Solutions, chance: Random) -> Play:
    """Bursts of one key, tapped or held."""
    for _ in range(chance.randint(8, 16)):
        press = _any(scene, chance, solutions)
        held = press.action not in (RESET, CLICK) and chance.random() < 0.5
        scene = yield Step(person.pause(Thought.STEP, chance), press)
        for _ in range(chance.randint(6, 26)):
            if not scene.allows(press.action) or press.action == RESET:
                break
            if held:
                pause, again = _HELD_SECONDS, Press(press.action, input=KEY_REPEAT)
            else:
                pause, again = _TAPPED_SECONDS, press
            scene = yield Step(pause * chance.uniform(0.8, 1.2), again)
    yield Step(person.pause(Thought.STEP, chance), Leave())


def wander(person: Person, scene: Scene, solutions: Solutions, chance: Random) -> Play:
    """Available actions, uniformly at random."""
    for _ in range(chance.randint(70, 160)):
        if scene.state == "WIN":
            return
        scene = yield Step(person.pause(Thought.STEP, chance), _any(scene, chance, solutions))
    yield Step(person.pause(Thought.THINK, chance), Leave())


def be_distracted(person: Person, scene: Scene, solutions: Solutions, chance: Random) -> Play:
    """A learner who is distracted: long pauses, half of them with the page hidden."""
    play = learn(person, scene, solutions, chance)
    step = next(play, None)
    while step is not None:
        if chance.random() < 0.08:
            away = chance.uniform(60, 170)
            if chance.random() < 0.5:
                yield Step(2.0, FocusChange("page_hidden"))
                yield Step(away, FocusChange("page_shown"))
            else:
                step = Step(step.pause + away, step.act)
        scene = yield step
        step = after(play, scene)


def _any(scene: Scene, chance: Random, solutions: Solutions | None = None) -> Press:
    """What is offered; clicks mostly near those of the level's solution, where it is known."""
    if scene.state == "GAME_OVER":
        return Press(RESET)
    return any_press(scene, chance, solutions.of(scene.level) if solutions else ())
