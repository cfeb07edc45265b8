"""People who try, each in their own manner, and who must not be taken for people who do not."""

from random import Random

from playtest.rehearsal.people.person import Person
from playtest.rehearsal.people.steps import (
    CLICK,
    RESET,
    UNDO,
    FocusChange,
    Leave,
    Play,
    Press,
    Scene,
    Solution,
    Solutions,
    Step,
    after,
)
from tools.effort_flags.unseen.hands import OPPOSITES, Hands, goes_on
from tools.effort_flags.unseen.tries import SEE, THINK, Style, learn, one_try

type Waiting = tuple[int, int]
"""Actions of the solution before it, and the first of two opposite moves after which all is as before."""
WAITING: dict[str, dict[int, Waiting]] = {
    "nv52": {1: (1, 3), 2: (21, 3), 3: (11, 3), 4: (4, 3), 5: (16, 3)},
    "tz85": {1: (0, 3), 2: (1, 3), 3: (0, 3), 4: (0, 3), 5: (5, 3)},
    "wz16": {1: (0, 4), 2: (1, 3), 3: (19, 3), 4: (16, 4), 5: (2, 4)},
    "xf27": {1: (0, 4), 2: (0, 3), 3: (1, 3), 4: (0, 3), 5: (1, 3)},
}
"""Where one can pace while time passes for others on the board, by environment and level."""


def slow_careful(person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int) -> Play:
    """Thinks before most actions, makes few mistakes, and gets through two or three environments."""
    own, hands = person.chance("careful"), Hands(person, chance, visit)
    hands.tempo *= own.uniform(1.7, 3.2)
    hands.slip *= 0.3
    style = Style(skill=person.skill, think=own.uniform(0.4, 0.75), detours=0.08, explore=7, gives_in=0.04)
    yield from _play(hands, style, scene, solutions)


def quick_expert(person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int) -> Play:
    """Understands after few tries and acts fast, but examines the first levels of each environment."""
    own, hands = person.chance("expert"), Hands(person, chance, visit)
    hands.tempo *= own.uniform(0.55, 0.95)
    style = Style(
        skill=own.uniform(0.85, 1.1),
        examine=own.uniform(6, 14),
        habit=own.uniform(0.55, 0.75),
        explore=8,
        detours=own.uniform(0.04, 0.12),
        think=0.12,
    )
    yield from _play(hands, style, scene, solutions)


def beginner(person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int) -> Play:
    """Has hardly played before: gives in early and starts anew, again and again, and gives up late."""
    own, hands = person.chance("beginner"), Hands(person, chance, visit)
    hands.slip *= 2
    style = Style(
        skill=own.uniform(0.0, 0.35),
        examine=own.uniform(8, 22),
        explore=own.uniform(4, 9),
        detours=own.uniform(0.12, 0.25),
        gives_in=own.uniform(0.4, 0.8),
        tries=own.uniform(12, 30),
        minutes=hands.about(16.0, 0.35),
    )
    yield from _play(hands, style, scene, solutions)


def long_pauses(person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int) -> Play:
    """Stops for a minute or more: reads, thinks, looks at a phone, goes out for a moment."""
    own, hands = person.chance("pauses"), Hands(person, chance, visit)
    stops, median, hides = own.uniform(0.01, 0.04), own.uniform(35, 100), own.uniform(0.0, 0.6)
    goes_out = scene.seconds + chance.uniform(60, 900) if chance.random() < 0.3 else float("inf")
    steps = _play(hands, Style(skill=person.skill), scene, solutions)
    step = next(steps, None)
    while step is not None:
        seconds = min(280.0, hands.about(median, 0.6)) if chance.random() < stops else 0.0
        if scene.seconds > goes_out:
            seconds, goes_out = chance.uniform(150, 330), float("inf")
        if seconds and chance.random() < hides:
            yield Step(2.0, FocusChange("page_hidden"))
            yield Step(seconds, FocusChange("page_shown"))
            seconds = 0.0
        scene = yield Step(step.pause + seconds, step.act)
        step = after(steps, scene)


def systematic(person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int) -> Play:
    """Tries each action some times in turn, then each thing, before playing; less on later levels."""
    own, hands = person.chance("systematic"), Hands(person, chance, visit)
    times, rounds, rhythm = own.randint(1, 4), own.randint(1, 2), own.uniform(0.5, 1.6)
    style, level = Style(skill=person.skill, examine=1.2, explore=9, think=0.25), 0
    while scene.state != "WIN" and scene.level > level:
        level, seconds = scene.level, hands.pause(SEE)
        tests = _tests(scene, solutions, times if level == 1 else 1, rounds if level == 1 else 1)
        for press in tests[: max(2, int(len(tests) * 0.75 ** (level - 1)))]:
            if goes_on(scene, level):
                scene = yield from hands.press(scene, press, seconds)
                seconds = hands.beat(rhythm, 0.3) + (hands.pause(THINK) if chance.random() < 0.1 else 0.0)
        if scene.level == level and scene.state != "WIN":
            scene = yield from hands.press(scene, Press(RESET), hands.pause(THINK))
            scene = yield from learn(hands, style, scene, solutions, levels=1)
    if scene.state != "WIN":
        yield Step(hands.pause(THINK), Leave())


def _tests(scene: Scene, solutions: Solutions, times: int, rounds: int) -> list[Press]:
    """Each action so many times, then each thing on the board; all of it in rounds."""
    simple = [action for action in scene.available if action not in (CLICK, UNDO)]
    keys = [Press(action) for action in simple for _ in range(times)]
    places = list(dict.fromkeys(press for press in solutions.of(scene.level) if press.action == CLICK))
    clicks = [
        press for press in sorted(places, key=lambda press: (press.y, press.x)) for _ in range(min(times, 2))
    ]
    undo = [Press(UNDO)] * times if UNDO in scene.available else []
    return (keys + clicks + undo) * rounds


def tried_hard(person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int) -> Play:
    """Gives up after real work, where many tries have failed; for some these are most environments."""
    own, hands = person.chance("gives up"), Hands(person, chance, visit)
    hard = chance.random() < own.uniform(0.4, 0.95)
    style = Style(
        skill=own.uniform(0.2, 0.7),
        examine=own.uniform(8, 20),
        explore=own.uniform(9, 16),
        tries=hands.about(12.0, 0.3) if hard else 25.0,
        minutes=max(5.0, hands.about(9.0, 0.35)) if hard else 20.0,
    )
    yield from _play(hands, style, scene, solutions, harder=own.uniform(2.0, 4.0) if hard else 1.0)


def older(person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int) -> Play:
    """Reacts slowly, presses twice without meaning to, clicks beside things and again, and looks for keys."""
    own, hands = person.chance("older"), Hands(person, chance, visit)
    hands.tempo *= own.uniform(1.6, 2.6)
    hands.spread = own.uniform(0.5, 0.8)
    hands.double = own.uniform(0.05, 0.2)
    hands.slip = own.uniform(0.01, 0.05)
    hands.fatigue += own.uniform(0.05, 0.35)
    style = Style(
        skill=own.uniform(0.05, 0.6), detours=0.1, think=0.35, minutes=hands.about(22.0, 0.25), explore=8
    )
    yield from _play(hands, style, scene, solutions)


def gets_stuck(person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int) -> Play:
    """Solves early levels quickly, then sticks at one: stares, repeats a plan that fails, starts anew."""
    own, hands = person.chance("stuck"), Hands(person, chance, visit)
    wall = max(1, own.choice((2, 3, 3, 4)) + chance.choice((-1, 0, 0, 1)) - 1)
    hands.tempo *= own.uniform(0.6, 1.1)
    eager = Style(skill=own.uniform(0.8, 1.0), examine=own.uniform(4, 9))
    scene = yield from learn(hands, eager, scene, solutions, harder=0.5, levels=wall)
    ends, share = scene.seconds + 60 * hands.about(16.0, 0.4), chance.uniform(0.2, 0.8)
    style = Style(skill=person.skill, examine=4, explore=own.uniform(8, 18), detours=0.2, tries=6, think=0.3)
    while scene.state != "WIN" and scene.seconds < ends:
        if scene.state == "GAME_OVER" or chance.random() < 0.3:
            scene = yield from hands.press(scene, Press(RESET), min(150.0, hands.about(30.0, 0.7)))
        plan = solutions.of(scene.level)
        scene = yield from one_try(hands, style, scene, plan[: int(len(plan) * share)], style.detours)
        until = scene.seconds + hands.about(60.0)
        scene = yield from learn(hands, style, scene, solutions, harder=9.0, until=until)
    if scene.state != "WIN":
        yield Step(hands.pause(THINK), Leave())


def good_timing(person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int) -> Play:
    """Paces to and fro to watch what moves on the board where time passes, then goes on."""
    own, hands = person.chance("timing"), Hands(person, chance, visit)
    rounds, waits = own.uniform(12, 45), WAITING.get(solutions.name, {})
    levels = [
        paced(solutions.of(level), waits[level], hands.about(rounds, 0.4))
        if level in waits
        else solutions.of(level)
        for level in range(1, scene.levels + 1)
    ]
    style = Style(skill=own.uniform(0.5, 0.95), explore=8, detours=0.02, gives_in=0.05, think=0.08)
    yield from _play(hands, style, scene, Solutions(solutions.name, tuple(levels)), harder=0.6)


def paced(solution: Solution, waiting: Waiting, pairs: float) -> Solution:
    """The solution with about so many pairs of moves to and fro in it, after which all is as before."""
    at, first = waiting
    return solution[:at] + (Press(first), Press(OPPOSITES[first])) * max(1, round(pairs)) + solution[at:]


def _play(hands: Hands, style: Style, scene: Scene, solutions: Solutions, harder: float = 1.0) -> Play:
    """Learns, and gives up when the style says so."""
    scene = yield from learn(hands, style, scene, solutions, harder=harder)
    if scene.state != "WIN":
        yield Step(hands.pause(THINK), Leave())
