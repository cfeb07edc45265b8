"""People who came for the fee, or who know the solution: what each of them does with an environment."""

from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random

from engine.play.recording import read
from playtest.rehearsal.people.person import Person
from playtest.rehearsal.people.steps import (
    BUTTON,
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
    from_recording,
)
from tools.effort_flags.unseen.hands import OPPOSITES, Hands, anywhere, beside, goes_on
from tools.effort_flags.unseen.tries import FLOW, SEE, STEP, THINK, Style, astray, examine, explore, learn

_GAMES = Path(__file__).parents[3] / "games"
_FIRST_VISITS = 3
"""Who plays one environment honestly does so with one of the first, while the proctor still walks about."""


def fixed_pattern(person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int) -> Play:
    """Taps three to nine actions over and over for minutes; most use the same pattern everywhere."""
    own, hands = person.chance("pattern"), Hands(person, chance, visit)
    period, jitter, length = own.uniform(0.22, 0.95), own.uniform(0.08, 0.3), own.randint(3, 9)
    minutes, drawn = own.uniform(2.0, 5.0), own if own.random() < 0.7 else chance
    pattern = _pattern(scene, solutions, length, drawn)
    if chance.random() < 0.4:
        scene = yield from examine(hands, Style(examine=4), scene, solutions.of(scene.level))
    ends = scene.seconds + 60 * hands.about(minutes, 0.25) * max(0.4, 1 - 0.08 * (visit - 1))
    scene = yield from _repeat(hands, scene, pattern, period, jitter, ends)
    if scene.state != "WIN":
        yield Step(hands.pause(STEP), Leave())


def to_and_fro(person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int) -> Play:
    """Two opposite actions in turn for minutes, or two places; some change the pair now and then."""
    own, hands = person.chance("pair"), Hands(person, chance, visit)
    period, jitter, changes = own.uniform(0.18, 0.8), own.uniform(0.06, 0.25), own.random() < 0.3
    first = own.choice((3, 3, 3, 4, 1, 2))
    ends = scene.seconds + 60 * hands.about(own.uniform(2.5, 5.0), 0.25) * max(0.5, 1 - 0.07 * (visit - 1))
    while scene.state != "WIN" and scene.seconds < ends:
        if first in scene.available and OPPOSITES[first] in scene.available:
            pair = [Press(first), Press(OPPOSITES[first])]
        else:
            pair = _pattern(scene, solutions, 2, chance)
        until = min(ends, scene.seconds + hands.about(70.0)) if changes else ends
        scene = yield from _repeat(hands, scene, pair, period, jitter, until)
        first = chance.choice((1, 3)) if changes else first
    if scene.state != "WIN":
        yield Step(hands.pause(STEP), Leave())


def _pattern(scene: Scene, solutions: Solutions, length: int, chance: Random) -> list[Press]:
    """Actions with at least two different ones, if that many are offered; clicks on and off things."""
    places = [press for press in solutions.of(scene.level) if press.action == CLICK]
    offered = [action for action in scene.available if action != UNDO] or list(scene.available)
    pattern: list[Press] = []
    while len(pattern) < length:
        action = chance.choice(offered)
        press = Press(action)
        if action == CLICK:
            on_things = places and chance.random() < 0.5
            press = beside(chance.choice(places), 2, chance) if on_things else anywhere(chance)
        if len(pattern) < length - 1 or len(offered) == 1 or {one.action for one in pattern} != {action}:
            pattern.append(press)
    return pattern


def _repeat(
    hands: Hands, scene: Scene, pattern: list[Press], period: float, jitter: float, ends: float
) -> Passage:
    """Repeats a pattern to a moment: misses or doubles some taps, rests, and clicks a little beside."""
    at, rests = 0, hands.chance.uniform(0.002, 0.015)
    while scene.state != "WIN" and scene.seconds < ends:
        if scene.state == "GAME_OVER":
            scene = yield Step(hands.pause(1.2), Press(RESET))
            at = at if hands.chance.random() < 0.5 else 0
            continue
        press = pattern[at % len(pattern)]
        at += 1 if hands.chance.random() > 0.006 else hands.chance.choice((0, 2))
        rest = hands.about(5.0, 0.8) if hands.chance.random() < rests else 0.0
        seconds = hands.beat(period, jitter) + rest
        if not scene.allows(press.action):
            press = Press(RESET)
        press = beside(press, 1, hands.chance) if press.action == CLICK else press
        scene = yield from hands.press(scene, press, seconds)
    return scene


def three_minutes(person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int) -> Play:
    """Plays one or two environments for real, and gives up all others after about three minutes of little."""
    own, hands = person.chance("real"), Hands(person, chance, visit)
    real = set(own.sample(range(1, _FIRST_VISITS + 2), own.choice((1, 1, 1, 2))))
    if visit in real:
        yield from _for_real(person, hands, scene, solutions)
        return
    ends = scene.seconds + min(240.0, max(150.0, chance.gauss(own.uniform(165, 205), 16)))
    half = Style(skill=0.7 * person.skill, examine=6, explore=9, tries=99, think=0.1)
    hands.tempo *= own.uniform(1.0, 2.2)
    solves = own.random() < 0.5 and chance.random() < 0.7
    while scene.state != "WIN" and scene.seconds < ends:
        level = scene.level
        if solves and level == 1:
            scene = yield from _until(learn(hands, half, scene, solutions), level, ends)
            solves = scene.level == 1 and scene.seconds < ends
            continue
        if scene.state == "GAME_OVER" or chance.random() < 0.1:
            scene = yield from hands.press(scene, Press(RESET), hands.pause(THINK))
        scene = yield from explore(hands, half, scene, solutions.of(level), chance.randint(3, 14))
        if chance.random() < 0.5:
            scene = yield from hands.press(scene, _any(scene, solutions, chance), hands.about(14.0, 0.6))
    if scene.state != "WIN":
        yield Step(hands.pause(STEP), Leave())


def one_for_show(person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int) -> Play:
    """Plays one environment honestly, and sends in the rest: a few actions, a rhythm, or nearly nothing."""
    own, hands = person.chance("show"), Hands(person, chance, visit)
    if visit == own.randint(1, _FIRST_VISITS):
        yield from _for_real(person, hands, scene, solutions)
        return
    manner = own.choice(("few", "rhythm", "first level", "mixed"))
    manner = chance.choice(("few", "rhythm", "first level")) if manner == "mixed" else manner
    ends = scene.seconds + hands.about(own.uniform(40, 150), 0.35)
    if manner == "rhythm":
        pattern = _pattern(scene, solutions, chance.randint(2, 5), chance)
        scene = yield from _repeat(hands, scene, pattern, own.uniform(0.25, 0.7), 0.2, ends)
    elif manner == "first level":
        eager = Style(skill=0.9, examine=3, tries=6)
        scene = yield from _until(learn(hands, eager, scene, solutions), 1, ends + 60)
    for _ in range(chance.randint(2, 18)):
        if scene.state == "WIN" or scene.seconds > ends + 90:
            break
        scene = yield from hands.press(scene, _any(scene, solutions, chance), hands.pause(2.0))
    if scene.state != "WIN":
        yield Step(hands.pause(THINK), Leave())


def _for_real(person: Person, hands: Hands, scene: Scene, solutions: Solutions) -> Passage:
    scene = yield from learn(
        hands, Style(skill=person.skill, minutes=hands.about(17.0, 0.3)), scene, solutions
    )
    if scene.state != "WIN":
        yield Step(hands.pause(THINK), Leave())
    return scene


def _until(passage: Passage, level: int, ends: float) -> Passage:
    """This passage, to the end of the level or the moment, whichever is first."""
    try:
        step = next(passage)
        while True:
            scene = yield step
            if scene.level != level or scene.state == "WIN" or scene.seconds > ends:
                return scene
            step = passage.send(scene)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]


def told(person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int) -> Play:
    """Was told the solutions, or has met them before: plays each level nearly as it was told.

    Stops to recall, and slips on some levels, which is taken back or costs a new start. Some remember nothing
    of an environment or two, and play those like anybody.
    """
    own, hands = person.chance("told"), Hands(person, chance, visit)
    shortest, tempo, recalls = own.random() < 0.7, own.uniform(0.6, 1.6), own.uniform(0.02, 0.12)
    fails, forgets = own.uniform(0.0, 0.25), own.choice((0.0, 0.0, 0.1))
    if chance.random() < forgets:
        yield from _for_real(person, hands, scene, solutions)
        return
    hands.tempo, hands.slip, hands.double = tempo * hands.tempo, 0.05 * hands.slip, 0.05 * hands.double
    known, examines = fewest(solutions) if shortest else solutions, chance.random() < 0.3
    while scene.state != "WIN":
        level, seconds = scene.level, hands.pause(SEE if scene.level == 1 else THINK)
        if examines and level == 1:
            scene = yield from hands.press(scene, _any(scene, solutions, chance), seconds)
            scene = yield from hands.press(scene, Press(RESET), hands.pause(THINK))
        slips = chance.randrange(len(known.of(level))) if chance.random() < fails else None
        for at, press in enumerate(known.of(level)):
            if at == slips:
                scene = yield from astray(hands, scene)
            if not goes_on(scene, level):
                break
            scene = yield from hands.press(scene, press, seconds)
            seconds = hands.pause(THINK if chance.random() < recalls else FLOW)
        if scene.level == level and scene.state != "WIN":
            scene = yield from hands.press(scene, Press(RESET), hands.pause(THINK))
            fails, examines = 0.5 * fails, False


@cache
def _shortest(code: str) -> Solutions | None:
    """The fewest actions known of each level; None of an environment without such a recording."""
    path = _GAMES / code / "recordings" / "shortest.jsonl"
    if not path.exists():
        return None
    turns = read(path.read_text().splitlines()).turns
    actions = [
        (before.levels_completed + 1, Press(turn.action.id, turn.action.x or 0, turn.action.y or 0))
        for before, turn in pairwise(turns)
    ]
    return from_recording(code, actions, turns[-1].levels)


def fewest(solutions: Solutions) -> Solutions:
    """The solutions of the fewest known actions."""
    return _shortest(solutions.name) or solutions


def masher(person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int) -> Play:
    """Bursts of any keys as fast as fingers go, some of them held down, with rests in between."""
    own, hands = person.chance("mash"), Hands(person, chance, visit)
    period, holds = own.uniform(0.07, 0.2), own.uniform(0.0, 0.35)
    rest, same = own.uniform(1.0, 9.0), own.uniform(0.0, 0.6)
    ends = scene.seconds + 60 * hands.about(own.uniform(0.8, 2.8), 0.4)
    press = _any(scene, solutions, chance)
    while scene.state != "WIN" and scene.seconds < ends:
        scene = yield Step(hands.pause(rest), _any(scene, solutions, chance))
        held = chance.random() < holds
        for _ in range(int(hands.about(24.0, 0.6))):
            if scene.state != "NOT_FINISHED":
                break
            if not (held or chance.random() < same) or not scene.allows(press.action):
                press = _any(scene, solutions, chance)
            repeats = held and press.action not in (RESET, CLICK, UNDO)
            again = Press(press.action, input=KEY_REPEAT) if repeats else press
            scene = yield Step(hands.beat(0.035, 0.08) if repeats else hands.beat(period, 0.4), again)
    if scene.state != "WIN":
        yield Step(hands.pause(STEP), Leave())


def background_clicker(
    person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int
) -> Play:
    """Clicks one place, or wanders over the background; without clicks, presses a button on the page."""
    own, hands = person.chance("clicks"), Hands(person, chance, visit)
    period, stays = own.uniform(0.35, 2.0), own.choice((0.0, 0.5, 0.95, 0.99))
    ends = scene.seconds + 60 * hands.about(own.uniform(2.0, 6.0), 0.3)
    spot, button = anywhere(chance), chance.choice(scene.available)
    while scene.state != "WIN" and scene.seconds < ends:
        seconds = hands.beat(period, 0.35) + (hands.about(8.0, 0.7) if chance.random() < 0.01 else 0.0)
        if scene.state == "GAME_OVER":
            scene = yield Step(hands.pause(THINK), Press(RESET))
        elif CLICK in scene.available:
            spot = (
                beside(spot, 0 if stays == 0.99 else 1, chance)
                if chance.random() < stays
                else beside(spot, 14, chance)
            )
            scene = yield Step(seconds, spot)
        else:
            button = button if chance.random() < max(stays, 0.5) else chance.choice(scene.available)
            scene = yield Step(seconds, Press(button, input=BUTTON))
    if scene.state != "WIN":
        yield Step(hands.pause(STEP), Leave())


def sitter(person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int) -> Play:
    """Sits the time out with a key now and then, some with another page in front."""
    own, hands = person.chance("sits"), Hands(person, chance, visit)
    gap, browses = own.uniform(15, 110), own.choice((0.0, 0.0, 0.3))
    ends = scene.seconds + 60 * hands.about(own.uniform(5, 20), 0.3)
    while scene.state != "WIN" and scene.seconds < ends:
        if chance.random() < browses:
            yield Step(2.0, FocusChange("page_hidden"))
            scene = yield Step(hands.about(gap, 0.6), FocusChange("page_shown"))
        for _ in range(chance.choice((1, 1, 1, 2, 4))):
            if scene.state != "WIN":
                scene = yield Step(hands.pause(1.5), _any(scene, solutions, chance))
        if scene.state != "WIN":
            scene = yield Step(hands.about(gap, 0.6), _any(scene, solutions, chance))
    if scene.state != "WIN":
        yield Step(hands.pause(THINK), Leave())


def _any(scene: Scene, solutions: Solutions, chance: Random) -> Press:
    """Any action that is allowed; clicks fall on things or anywhere."""
    if scene.state == "GAME_OVER":
        return Press(RESET)
    [press] = _pattern(scene, solutions, 1, chance)
    return press
