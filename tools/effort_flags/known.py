"""The kinds of people that the author of the rules has written, and chose their thresholds with."""

from dataclasses import replace
from random import Random

from playtest.rehearsal.people.learner import learn
from playtest.rehearsal.people.person import Person, Thought, any_press
from playtest.rehearsal.people.population import GROUPS
from playtest.rehearsal.people.steps import (
    CLICK,
    KEY_REPEAT,
    RESET,
    UNDO,
    Leave,
    Play,
    Press,
    Scene,
    Solutions,
    Step,
    after,
)
from tools.effort_flags.kinds import SimulatedKind, of_group


def repeat_a_pattern(person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int) -> Play:
    """The same few presses over and over, for one and a half to six minutes, whatever they do."""
    habit = person.chance("pattern")
    keys = [habit.choice((1, 2, 3, 4)) for _ in range(habit.randint(2, 6))]
    keys = keys if len(set(keys)) > 1 else [1, 3]
    times, slips = habit.choice((1, 1, 2, 4)), habit.uniform(0, 0.03)
    pattern = [Press(key) for key in keys for _ in range(times)]
    yield from _over_and_over(person, scene, solutions, chance, pattern, slips, chance.uniform(90, 360))


def left_and_right(person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int) -> Play:
    """Two opposite keys for minutes, in turn or some of one and then some of the other."""
    habit = person.chance("left and right")
    pair, most = habit.choice(((3, 4), (3, 4), (1, 2))), habit.choice((1, 1, 3, 8))
    yield from _two_keys(person, scene, solutions, chance, pair, most, chance.uniform(120, 360))


def _two_keys(
    person: Person,
    scene: Scene,
    solutions: Solutions,
    chance: Random,
    pair: tuple[int, int],
    most: int,
    seconds: float,
) -> Play:
    places = _places(solutions, chance, 2)
    side = 0
    while scene.state != "WIN" and scene.seconds < seconds:
        for _ in range(chance.randint(1, most)):
            press = Press(pair[side]) if scene.allows(pair[side]) else places[side]
            scene = yield Step(0.5 * person.pause(Thought.STEP, chance), _or_reset(press, scene, chance))
            if scene.state == "WIN":
                return
        side = 1 - side
    yield Step(person.pause(Thought.STEP, chance), Leave())


def _over_and_over(
    person: Person,
    scene: Scene,
    solutions: Solutions,
    chance: Random,
    pattern: list[Press],
    slips: float,
    seconds: float,
) -> Play:
    places, number = _places(solutions, chance, 4), 0
    while scene.state != "WIN" and scene.seconds < seconds:
        press = pattern[number % len(pattern)]
        press = press if scene.allows(press.action) else places[press.action - 1]
        press = any_press(scene, chance) if chance.random() < slips else press
        press = _or_reset(press, scene, chance)
        number += press.action != RESET
        scene = yield Step(0.6 * person.pause(Thought.STEP, chance), press)
    yield Step(person.pause(Thought.STEP, chance), Leave())


def _places(solutions: Solutions, chance: Random, count: int) -> list[Press]:
    """Places to click at: some that matter at the first level, and some anywhere."""
    known = list({press for press in solutions.of(1) if press.action == CLICK})
    anywhere = [Press(CLICK, chance.randrange(64), chance.randrange(64)) for _ in range(count)]
    return (chance.sample(known, min(count // 2, len(known))) + anywhere)[:count]


def _or_reset(press: Press, scene: Scene, chance: Random) -> Press:
    if scene.state == "GAME_OVER":
        return Press(RESET)
    return press if scene.allows(press.action) else any_press(scene, chance)


def leave_at_three_minutes(
    person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int
) -> Play:
    """Tries at one or two environments, and gives the others up at about three minutes by the clock."""
    habit = person.chance("three minutes")
    tried = {habit.randint(1, 4) for _ in range(habit.choice((1, 1, 2)))}
    if visit in tried:
        yield from learn(person, scene, solutions, chance)
        return
    until = habit.uniform(150, 210) + chance.uniform(-12, 12)
    lazy = replace(person, skill=0.5 * person.skill, tempo=habit.uniform(1, 3) * person.tempo)
    steps = learn(lazy, scene, solutions, chance)
    step = next(steps, None)
    while step is not None and not isinstance(step.act, Leave) and scene.seconds + step.pause < until:
        scene = yield step
        step = after(steps, scene)
    if scene.state != "WIN":
        yield Step(max(0.5, until - scene.seconds), Leave())


def play_what_was_told(
    person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int
) -> Play:
    """The solution from the first action on, with a slip now and then."""
    slips = person.chance("told").choice((0.0, 0.01, 0.03))
    while scene.state != "WIN":
        level = scene.level
        for press in solutions.of(level):
            slipped = chance.random() < slips
            made = any_press(scene, chance) if slipped else press
            if scene.level != level or scene.state != "NOT_FINISHED" or not scene.allows(made.action):
                break
            thought = Thought.THINK if chance.random() < 0.1 else Thought.FLOW
            scene = yield Step(person.pause(thought, chance), made)
            if slipped:
                break
        if scene.level == level and scene.state != "WIN":
            scene = yield Step(person.pause(Thought.THINK, chance), Press(RESET))


def think_and_play(person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int) -> Play:
    """An expert: tries the controls at the first level, then thinks long and plays with few detours."""
    expert = replace(person, patience=0.9)
    steps = learn(expert, scene, solutions, chance)
    step, level = next(steps, None), 0
    while step is not None:
        thinks = chance.uniform(10, 70) if scene.level != level else 0.0
        level = scene.level
        scene = yield Step(step.pause + thinks, step.act)
        step = after(steps, scene)


def begin_again(person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int) -> Play:
    """A beginner: starts the level afresh after a few actions, again and again, and gets further slowly."""
    enough, tries, known = 8 + 30 * person.patience * chance.uniform(0.7, 1.3), 0.0, 0.0
    level = scene.level
    while scene.state != "WIN" and tries < enough:
        solution = solutions.of(level)
        for press in [*solution[: int(known)], *[None] * chance.randint(2, 7)]:
            if scene.level != level or scene.state != "NOT_FINISHED":
                break
            made = press if press is not None and scene.allows(press.action) else None
            made = made or any_press(scene, chance, solution)
            scene = yield Step(person.pause(Thought.STEP, chance), made)
        tries, known = tries + 1, known + chance.uniform(0, 1 + 3 * person.skill)
        if scene.level != level or scene.state == "WIN":
            level, known, tries = scene.level, 0.0, tries * 0.6
        else:
            scene = yield Step(person.pause(Thought.SETBACK, chance), Press(RESET))
    if scene.state != "WIN":
        yield Step(person.pause(Thought.THINK, chance), Leave())


def take_breaks(person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int) -> Play:
    """A learner who stops for one to four minutes now and then."""
    steps = learn(person, scene, solutions, chance)
    step, often = next(steps, None), person.chance("breaks").uniform(0.01, 0.04)
    while step is not None:
        stops = chance.uniform(60, 240) if chance.random() < often else 0.0
        scene = yield Step(step.pause + stops, step.act)
        step = after(steps, scene)


def test_each_key(person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int) -> Play:
    """Tries every key in turn, several times round, at the start; then a learner who holds keys down."""
    for _ in range(chance.randint(2, 6)):
        for action in (1, 2, 3, 4):
            if scene.level == 1 and scene.state == "NOT_FINISHED" and scene.allows(action):
                scene = yield Step(person.pause(Thought.STEP, chance), Press(action))
    if scene.state == "GAME_OVER" or scene.level == 1:
        scene = yield Step(person.pause(Thought.THINK, chance), Press(RESET))
    steps = learn(person, scene, solutions, chance)
    step, last = next(steps, None), None
    while step is not None:
        act, pause = step.act, step.pause
        if isinstance(act, Press) and act.action not in (RESET, CLICK, UNDO):
            if act.action == last and chance.random() < 0.5:
                act, pause = replace(act, input=KEY_REPEAT), 0.05
            last = act.action
        scene = yield Step(pause, act)
        step = after(steps, scene)


KINDS = (
    *(of_group(group) for group in GROUPS if not group.tries),
    SimulatedKind("pattern", "fixed pattern", tries=False, play=repeat_a_pattern),
    SimulatedKind("left_right", "left and right", tries=False, play=left_and_right),
    SimulatedKind("three_minutes", "leaves at three minutes", tries=False, play=leave_at_three_minutes),
    SimulatedKind("told", "told the solution", tries=False, play=play_what_was_told),
    *(of_group(group) for group in GROUPS if group.tries),
    SimulatedKind("expert", "expert who thinks first", tries=True, play=think_and_play, skill=(0.95, 0.999)),
    SimulatedKind("beginner", "beginner with many resets", tries=True, play=begin_again, skill=(0.05, 0.4)),
    SimulatedKind("breaks", "player with long pauses", tries=True, play=take_breaks),
    SimulatedKind("key_tester", "tries every key in turn first", tries=True, play=test_each_key),
)
