"""People who do not try: what they do instead, each in their own rhythm and for as long as they like.

Most of them have seconds of curiosity at a new board, look at something else in between, and change what
they do when it bores them.
"""

from dataclasses import replace
from random import Random

from playtest.rehearsal.people.person import Person
from playtest.rehearsal.people.steps import CLICK, KEY_REPEAT, RESET, Play, Press, Scene, Solution, Solutions
from tools.effort_flags.unseen.body import LOOK, OPPOSITES, STEP, TAP, THINK, Body, Style
from tools.effort_flags.unseen.player import Player

_CARELESS = Style(ponders=0.02, slips=0.015, absences=4.0, absent=30.0)


class _Idle(Body):
    """Somebody who does not try; `until` is when they will have enough of this environment, in seconds."""

    def __init__(
        self, person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int, minutes: float
    ) -> None:
        super().__init__(person, scene, solutions, chance, visit, _CARELESS)
        self.until = 60 * self.about(minutes, 0.35)

    def stays(self, until: float | None = None) -> bool:
        """Whether they go on, until they leave or do something else."""
        return self.scene.seconds < min(self.until, until or self.until) and self.scene.state != "WIN"

    def curious(self) -> Play:
        """Looks at a new board and tries this and that for a moment, longer at the first ones."""
        self.distracted += self.about(5)
        yield from self.walk(self.about(6 + 18 / self.visit), STEP)


def repeats_pattern(person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int) -> Play:
    """Repeats a few actions with a steady hand, loses count, and takes another pattern when bored."""
    own = person.chance("pattern")
    idle = _Idle(person, scene, solutions, chance, visit, own.uniform(4, 20))
    beat, sloppy, length = own.uniform(0.2, 1.1), own.uniform(0.005, 0.06), own.randint(2, 7)
    bored, phone = own.uniform(1.5, 8), own.uniform(0.0, 0.05)
    yield from idle.curious()
    while idle.stays():
        changes = idle.scene.seconds + 60 * idle.about(bored)
        pattern = _pattern(idle, max(2, length + chance.randint(-1, 1)))
        while idle.stays(changes):
            for press in pattern:
                if idle.stays(changes) and not idle.happens(sloppy):
                    yield from idle.act(press, beat, 0.15)
            if idle.happens(phone):
                idle.distracted += idle.about(18, 0.8)
    yield from idle.leave()


def _pattern(idle: _Idle, length: int) -> list[Press]:
    keys = [Press(action) for action in idle.scene.available if action != CLICK]
    spots = [idle.place(0.5) for _ in range(3)] if CLICK in idle.scene.available else []
    chosen = idle.chance.sample([*keys, *spots], min(len(keys) + len(spots), idle.chance.randint(2, 4)))
    return [*chosen, *idle.chance.choices(chosen, k=max(0, length - len(chosen)))]


def two_keys(person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int) -> Play:
    """Goes left and right, or up and down, for minutes; in runs or strictly in turn; clicks two places."""
    own = person.chance("two keys")
    idle = _Idle(person, scene, solutions, chance, visit, own.uniform(4, 18))
    beat, turns, holds = own.uniform(0.15, 0.9), own.uniform(0.25, 1.0), own.random() < 0.3
    sideways, rests = own.random() < 0.75, own.uniform(0.0, 0.03)
    yield from idle.curious()
    while idle.stays():
        changes = idle.scene.seconds + 60 * idle.about(5)
        pair, now = _pair(idle, sideways != idle.happens(0.15)), 0
        while idle.stays(changes):
            now = 1 - now if idle.happens(turns) else now
            press = idle.beside(pair[now], 1) if pair[now].action == CLICK else pair[now]
            yield from idle.act(press, beat, 0.25)
            if holds and press.action in OPPOSITES and idle.happens(0.3):
                for _ in range(chance.randint(3, 15)):
                    if idle.scene.allows(press.action):
                        yield from idle.act(replace(press, input=KEY_REPEAT), 0.1, 0.05)
            if idle.happens(rests):
                idle.distracted += idle.about(12, 0.8)
            if idle.happens(0.008):
                yield from idle.walk(idle.about(4))
    yield from idle.leave()


def _pair(idle: _Idle, sideways: bool) -> list[Press]:
    keys = [action for action in idle.scene.available if action != CLICK]
    wanted = [action for action in ((3, 4) if sideways else (1, 2)) if action in keys]
    if len(wanted) == 2:
        return [Press(action) for action in wanted]
    return (
        [idle.place(0.5), idle.place(0.5)]
        if CLICK in idle.scene.available
        else [Press(keys[0]), Press(keys[-1])]
    )


def after_three_minutes(
    person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int
) -> Play:
    """Thinks that about three minutes each will do, and plays only one or two environments for real.

    In the three minutes they look, walk about without a thought, and wait for the time to pass.
    """
    own = person.chance("three minutes")
    liked = {own.choice([1, 1, 2, 3, 4]), own.randint(1, 9)}
    if visit in liked:
        yield from Player(person, scene, solutions, chance, visit, Style(minutes=7)).play()
        return
    idle = _Idle(person, scene, solutions, chance, visit, own.uniform(2.6, 3.5))
    idle.until = 180 + (idle.until - 180) * 0.35
    busy = own.uniform(2, 9)
    yield from idle.curious()
    while idle.stays():
        yield from idle.walk(idle.about(busy), LOOK)
        idle.distracted += min(idle.about(14, 0.8), max(0.0, idle.until - idle.scene.seconds))
    yield from idle.leave()


class _Told(Player):
    """Somebody who has the list of actions; `forgets` is the share of levels that they do not recall."""

    forgets = 0.0
    pretends = 0.0
    grasp = 5

    def level(self) -> Play:
        """Enters the list in groups, as one recalls it; after a slip, corrects it or begins anew."""
        level, plan = self.scene.level, self.solutions.of(self.scene.level)
        if not plan or self.happens(self.forgets):
            yield from super().level()
            return
        self.failures = 0
        self.distracted += self.about(4)
        if self.happens(self.pretends):
            yield from self.walk(self.about(4), LOOK)
        while self.at(level):
            if self.made or self.scene.state == "GAME_OVER" or self.done == len(plan):
                yield from self.restore()
                self.failures += 0.5
            if self.had_enough():
                return
            yield from self._group(plan)

    def _group(self, plan: Solution) -> Play:
        level, group = self.scene.level, plan[self.done :][: max(2, self.grasp + self.chance.randint(-2, 2))]
        for number, press in enumerate(group):
            if self.made or not self.on(level):
                return
            again = number and press == group[number - 1]
            pause = TAP if again else STEP * 0.7 if number else LOOK
            yield from self.act(press, pause, 0.35, planned=True)


def was_told(person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int) -> Play:
    """Follows a list of actions that somebody gave them; does not recall all, and may pretend to look."""
    own = person.chance("told")
    told = _Told(person, scene, solutions, chance, visit, Style(slips=0.012, failures=6, minutes=8))
    told.forgets, told.pretends, told.grasp = own.uniform(0, 0.2), own.uniform(0, 0.35), own.randint(3, 9)
    yield from told.play()


def bursts(person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int) -> Play:
    """Presses any keys with all fingers for seconds, then does nothing, and again."""
    own = person.chance("bursts")
    idle = _Idle(person, scene, solutions, chance, visit, own.uniform(3, 18))
    beat, burst, gap = own.uniform(0.09, 0.25), own.uniform(8, 45), own.uniform(3, 30)
    weights = [own.uniform(0.2, 1) for _ in range(8)]
    while idle.stays():
        idle.distracted += min(idle.about(gap, 0.9), 400.0)
        level = idle.scene.level
        for _ in range(int(idle.about(burst, 0.7))):
            keys = [*idle.scene.available, RESET]
            chances = [weights[key] * (0.03 if key == RESET else 1) for key in keys]
            action = chance.choices(keys, chances)[0]
            yield from idle.act(idle.place(0.4) if action == CLICK else Press(action), beat, 0.5)
            if not idle.stays() or (idle.scene.level != level and idle.happens(0.5)):
                break
    yield from idle.leave()


def sits_out(person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int) -> Play:
    """Waits for the time to be over: a key now and then, some when somebody passes, otherwise nothing."""
    own = person.chance("sits")
    idle = _Idle(person, scene, solutions, chance, visit, own.uniform(18, 60))
    gap, some = own.uniform(25, 140), own.uniform(1, 5)
    if visit == 1:
        yield from idle.curious()
    while idle.stays():
        idle.distracted += idle.about(gap, 0.8)
        yield from idle.walk(idle.about(12) if idle.happens(0.06) else idle.about(some), LOOK)
    yield from idle.leave()


def rushes_home(person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int) -> Play:
    """Wants to go home with the pay: touches each environment for a moment and gives it up."""
    own = person.chance("rushes")
    idle = _Idle(person, scene, solutions, chance, visit, own.uniform(0.3, 1.4) * (1.6 if visit == 1 else 1))
    beat = own.uniform(0.5, 1.6)
    idle.distracted += idle.about(3)
    while idle.stays():
        yield from idle.walk(idle.about(5), beat)
        if idle.happens(0.3):
            idle.distracted += idle.about(4)
    yield from idle.leave()


def switches_off(person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int) -> Play:
    """Plays the first environment or two, finds it tiresome, and from then on only passes the time."""
    own = person.chance("switches off")
    if visit <= own.choice([1, 1, 2]) or chance.random() < 0.04:
        yield from Player(person, scene, solutions, chance, visit, Style(failures=6, minutes=6)).play()
        return
    idle = _Idle(person, scene, solutions, chance, visit, own.uniform(1.5, 7))
    talks = own.uniform(6, 40)
    idle.distracted += idle.about(THINK)
    while idle.stays():
        yield from idle.walk(idle.about(9, 0.8), own.uniform(0.3, 1.2))
        if idle.happens(0.5):
            idle.distracted += min(idle.about(talks, 0.9), 300.0)
    yield from idle.leave()
