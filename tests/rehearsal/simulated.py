"""Simulated people on the shipped environments, without a server or a database."""

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random

from engine import source as sources
from engine.actions import Action
from engine.game import Game
from engine.recording import read
from engine.turns import Turn
from playtest.rehearsal.people import (
    Answer,
    FocusChange,
    Kind,
    Leave,
    Person,
    Press,
    Scene,
    Solutions,
    Step,
    WalkOut,
    population,
)
from playtest.rehearsal.people.inattentive import mash
from playtest.rehearsal.people.person import Thought, any_press
from playtest.rehearsal.people.population import play
from playtest.rehearsal.people.solutions import from_recording
from playtest.rehearsal.people.steps import KEY_REPEAT, Play
from playtest.rules.attempt import Outcome
from playtest.rules.effort import Act, AttemptEvidence

GAMES = Path(__file__).parents[2] / "games"
ENVIRONMENTS = ("ke52", "mb62", "tz85")
SOFT_SECONDS, HARD_SECONDS = 1200, 1800

type Behaviour = Callable[[Person, Scene, Solutions, Random], Play]


def honest(number: int, seed: int = 3) -> list[AttemptEvidence]:
    """A person who tries on every environment; some solve all levels and some give up."""
    person = [one for one in population(40, seed) if one.kind == Kind.LEARNER][number]
    return _sitting(number, person, lambda who, scene, solutions, _: play(who, scene, solutions))


def careless(number: int, behave: Behaviour) -> list[AttemptEvidence]:
    """A person who does not try, with the same behaviour on every environment."""
    return _sitting(number, Person(number, 5, Kind.QUITTER), behave)


def hurry(person: Person, scene: Scene, solutions: Solutions, chance: Random) -> Play:
    """Fifteen actions in ten seconds, too many for the cycling rule, then gives up."""
    yield from _some(scene, solutions, chance, 15, 0.7)


def give_up_early(person: Person, scene: Scene, solutions: Solutions, chance: Random) -> Play:
    """Thirty-five actions in 66 seconds, more than the response-time rule asks for, then gives up."""
    yield from _some(scene, solutions, chance, 35, 66 / 36)


def leave_after_the_tutorial(person: Person, scene: Scene, solutions: Solutions, chance: Random) -> Play:
    """Wins the first level like the recording, gives up after a few actions on the second."""
    for press in solutions.of(1):
        scene = yield Step(person.pause(Thought.STEP, chance), press)
    yield from _some(scene, solutions, chance, 12, 4.5)


def press_at_random(person: Person, scene: Scene, solutions: Solutions, chance: Random) -> Play:
    """Uniformly random actions and clicks, too slow for the response-time rule."""
    for _ in range(140):
        if scene.state == "WIN":
            return
        press = Press(0) if scene.state == "GAME_OVER" else any_press(scene, chance)
        scene = yield Step(1.6, press)
    yield Step(2.0, Leave())


CARELESS: dict[str, Behaviour] = {
    "hurries": hurry,
    "gives up early": give_up_early,
    "leaves after the tutorial": leave_after_the_tutorial,
    "presses at random": press_at_random,
    "mashes keys": mash,
}


def _some(scene: Scene, solutions: Solutions, chance: Random, actions: int, apart: float) -> Play:
    """Makes this many random actions, given the solution of the level, then gives up."""
    for _ in range(actions):
        press = (
            Press(0) if scene.state == "GAME_OVER" else any_press(scene, chance, solutions.of(scene.level))
        )
        scene = yield Step(apart, press)
    yield Step(apart, Leave())


def _sitting(number: int, person: Person, behave: Behaviour) -> list[AttemptEvidence]:
    return [
        _attempt(number * 10 + place, place, environment, person, behave)
        for place, environment in enumerate(ENVIRONMENTS, start=1)
    ]


def _attempt(pk: int, number: int, environment: str, person: Person, behave: Behaviour) -> AttemptEvidence:
    game, turn = Game.start(_source(environment), 0)
    solutions, chance = _solutions(environment), person.chance(environment)
    seconds, acts = 0.0, list[Act]()
    moves = behave(person, _scene(turn, seconds), solutions, chance)
    step = next(moves, None)
    outcome = Outcome.GAVE_UP
    while step is not None and seconds + step.pause < HARD_SECONDS:
        seconds += step.pause
        if isinstance(step.act, Leave | WalkOut):
            break
        if step.act == Answer("finish"):
            outcome = Outcome.CONCLUDED
            break
        if isinstance(step.act, Press):
            before, turn = turn, game.act(_action(step.act))
            acts.append(_act(len(acts) + 1, step.act, before, turn, seconds))
        assert isinstance(step.act, Press | Answer | FocusChange)
        if turn.state == "WIN":
            outcome = Outcome.COMPLETED
            break
        step = _next(moves, _scene(turn, seconds))
    if step is not None and seconds + step.pause >= HARD_SECONDS:
        outcome, seconds = Outcome.TIMED_OUT, float(HARD_SECONDS)
    version = ENVIRONMENTS.index(environment) + 1
    return AttemptEvidence(
        pk, number, version, environment, outcome, turn.levels_completed, seconds, 0.0, tuple(acts)
    )


def _next(moves: Play, scene: Scene) -> Step | None:
    try:
        return moves.send(scene)
    except StopIteration:
        return None


def _scene(turn: Turn, seconds: float) -> Scene:
    return Scene(
        turn.level,
        turn.levels,
        turn.available_actions,
        turn.state,  # type: ignore[arg-type]
        turn.changed,
        seconds,
        seconds >= SOFT_SECONDS,
    )


def _action(press: Press) -> Action:
    return Action(press.action, press.x, press.y) if press.action == 6 else Action(press.action)


def _act(seq: int, press: Press, before: Turn, turn: Turn, at: float) -> Act:
    offered = 1 | sum(1 << action for action in before.available_actions)
    cell = (press.x, press.y) if press.action == 6 else None
    held = press.input == KEY_REPEAT
    return Act(seq, press.action, cell, before.level, turn.changed, at, at, held, offered)


@cache
def _source(environment: str) -> sources.Source:
    return sources.load(GAMES / environment)


@cache
def _solutions(environment: str) -> Solutions:
    """Returns the actions of the shipped winning recording, level by level."""
    lines = (GAMES / environment / "recordings" / "win.jsonl").read_text().splitlines()
    game, turn = Game.start(_source(environment), 0)
    return from_recording(environment, list(_won(game, turn, lines)), turn.levels)


def _won(game: Game, turn: Turn, lines: list[str]) -> Iterator[tuple[int, Press]]:
    for recorded in read(lines).turns[1:]:
        action = recorded.action
        yield turn.level, Press(action.id, action.x or 0, action.y or 0)
        turn = game.act(action)
