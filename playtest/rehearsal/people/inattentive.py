"""People who do not try, or not all the time: quitters, mashers, wanderers and distracted learners."""

from random import Random

from playtest.rehearsal.people.learner import learn
from playtest.rehearsal.people.person import Person, Thought, any_press
from playtest.rehearsal.people.solutions import Solutions
from playtest.rehearsal.people.steps import (
    CLICK,
    KEY,
    KEY_REPEAT,
    RESET,
    FocusChange,
    Leave,
    Passage,
    Play,
    Press,
    Scene,
    Step,
    WalkOut,
)

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
        scene = yield Step(person.pause(Thought.STEP, chance), _any(scene, solutions, chance))
    return scene


def mash(person: Person, scene: Scene, solutions: Solutions, chance: Random) -> Play:
    """Bursts of one key, tapped or held."""
    for _ in range(chance.randint(8, 16)):
        press = _any(scene, solutions, chance)
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
        scene = yield Step(person.pause(Thought.STEP, chance), _any(scene, solutions, chance))
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
        try:
            step = play.send(scene)
        except StopIteration:
            return


def _any(scene: Scene, solutions: Solutions, chance: Random) -> Press:
    if scene.state == "GAME_OVER":
        return Press(RESET, input=KEY)
    return any_press(scene, chance, solutions.of(scene.level))
