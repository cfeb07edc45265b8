"""What a simulated person is like, and what their body does: pauses, pace, slips, absences, and walks."""

from dataclasses import dataclass, fields, replace
from math import exp, log
from random import Random

from playtest.rehearsal.people.person import Person
from playtest.rehearsal.people.steps import (
    CLICK,
    KEY,
    KEY_REPEAT,
    RESET,
    UNDO,
    FocusChange,
    Leave,
    Play,
    Press,
    Scene,
    Solutions,
    Step,
)

OPPOSITES = {1: 2, 2: 1, 3: 4, 4: 3}
TAP, STEP, LOOK, THINK = 0.32, 0.75, 2.0, 6.5
"""Median seconds before an action of a known run, a usual one, one after a look, and one after a thought."""


@dataclass(frozen=True)
class Style:
    """How people of a kind play on average; each person has each figure a little higher or lower.

    `tempo` multiplies pauses. `ponders`: the share of actions thought about. `probes`: tests of each action
    on the first board. `resets`: the share of failed ideas not taken back by hand. `varies` and `orderly`:
    the shares of ideas that vary the plan and that test things in order; others are walks of about `roams`
    actions. `failures` of ideas and `minutes` are what they put up with. `slips` and `doubles`: shares of
    actions. `absences` an hour last about `absent` seconds. `stalls`: the share of levels, from the second
    on, at which for long no idea leads further.
    """

    tempo: float = 1.0
    ponders: float = 0.1
    probes: float = 1.5
    resets: float = 0.4
    varies: float = 0.4
    orderly: float = 0.1
    roams: float = 9.0
    failures: float = 11.0
    minutes: float = 11.0
    slips: float = 0.008
    doubles: float = 0.004
    absences: float = 0.7
    absent: float = 45.0
    stalls: float = 0.08

    def of(self, own: Random) -> "Style":
        """The style of one person of this kind."""
        return replace(
            self, **{one.name: getattr(self, one.name) * own.lognormvariate(0, 0.25) for one in fields(self)}
        )


class Body:
    """A person at an environment. Its methods are parts of a play; `scene` is what they saw last.

    `done` actions of the plan were made, and then `made`, which changed the board and are not of the plan;
    `since` counts actions since the level began.
    """

    def __init__(
        self, person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int, style: Style
    ) -> None:
        own = person.chance("traits")
        self.person, self.scene, self.solutions, self.chance = person, scene, solutions, chance
        self.visit = visit
        self.style = style.of(own)
        self.spread = own.uniform(0.3, 0.6)
        self.order = own.sample(range(8), 8) if own.random() < 0.4 else list(range(8))
        self.tidy = own.uniform(0.1, 0.8)
        self.holds = own.random() < 0.3 and person.hands == KEY
        settled = 1 + own.uniform(0.1, 0.6) * exp(1 - visit) + own.uniform(-0.01, 0.03) * visit
        self.tempo = person.tempo * self.style.tempo * settled * chance.lognormvariate(0, 0.12)
        liking = chance.gauss(0, 0.13) + own.uniform(0, 0.02) * (visit - 1)
        self.skill = min(1.0, max(0.02, person.skill + liking))
        self.puts_up = (0.5 + person.patience) * chance.lognormvariate(0, 0.35)
        self.drift = self.distracted = 0.0
        self.since = self.done = 0
        self.made: list[Press] = []

    def on(self, level: int) -> bool:
        """Whether the level is neither won nor lost."""
        return self.at(level) and self.scene.state == "NOT_FINISHED"

    def at(self, level: int) -> bool:
        """Whether the level is still to be won."""
        return self.scene.level == level and self.scene.state != "WIN"

    def seconds(self, median: float, spread: float | None = None) -> float:
        """A pause of about so many seconds; the pace drifts, as attention does."""
        self.drift = 0.96 * self.drift + self.chance.gauss(0, 0.05)
        noise = self.chance.gauss(0, self.spread if spread is None else spread)
        return max(0.06, median * self.tempo * exp(self.drift + noise))

    def about(self, median: float, spread: float = 0.5) -> float:
        """So many of anything, more or less."""
        return self.chance.lognormvariate(log(median), spread)

    def happens(self, share: float) -> bool:
        """Whether something happens this time."""
        return self.chance.random() < share

    def leave(self) -> Play:
        """Gives up."""
        yield Step(self.seconds(LOOK) + self.distracted, Leave())

    def rest(self, seconds: float) -> Play:
        """Does something else, at times in another window."""
        if self.happens(0.3):
            yield Step(self.seconds(STEP), FocusChange("window_blurred"))
            self.scene = yield Step(seconds, FocusChange("window_focused"))
        else:
            self.distracted += seconds

    def act(self, press: Press, median: float, spread: float | None = None, *, planned: bool = False) -> Play:
        """Makes an action after a pause, with slips, double presses and absences."""
        pause = self.seconds(median, spread)
        if self.happens(self.style.absences * (pause + 0.5) / 3600):
            yield from self.rest(self.about(self.style.absent, 0.7))
        elif self.happens(0.004):
            pause += self.about(9)
        if press.action != RESET and self.happens(self.style.slips):
            press, planned = self._slip(press), False
        yield from self._make(press, pause, planned)
        if press.action != RESET and self.scene.allows(press.action) and self.happens(self.style.doubles):
            yield from self._make(press, self.chance.uniform(0.1, 0.28), False)

    def _make(self, press: Press, pause: float, planned: bool) -> Play:
        level = self.scene.level
        if not self.scene.allows(press.action):
            press, planned = Press(RESET) if self.scene.state == "GAME_OVER" else self.choose(None), False
        self.scene = yield Step(pause + self.distracted, press)
        self.distracted = 0.0
        self.since += 1
        if press.action == RESET or self.scene.level != level:
            self.since = self.done = 0
            self.made.clear()
        elif planned:
            self.done += 1
        elif self.scene.changed:
            self.made.append(press)

    def _slip(self, press: Press) -> Press:
        """Another key, or a click a little beside."""
        if press.action == CLICK:
            return self.beside(press, 4)
        keys = [Press(action) for action in self.scene.available if action not in (CLICK, UNDO)]
        return self.chance.choice(keys or [press])

    def beside(self, press: Press, cells: int) -> Press:
        """A click within so many cells of another."""
        x, y = (value + self.chance.randint(-cells, cells) for value in (press.x, press.y))
        return Press(CLICK, min(63, max(0, x)), min(63, max(0, y)))

    def choose(self, last: Press | None) -> Press:
        """What somebody who looks at the board may try: seldom the way back, mostly clicks on things."""
        offered = [action for action in self.scene.available if action != UNDO or self.happens(0.2)]
        if last is not None and len(offered) > 2 and self.happens(0.75):
            offered = [action for action in offered if action != OPPOSITES.get(last.action)]
        action = self.chance.choice(offered or list(self.scene.available) or [RESET])
        if action != CLICK:
            return Press(action)
        return self.place(0.75)

    def place(self, on_things: float) -> Press:
        """A click on or near one of the things of the board in this share of cases, otherwise anywhere."""
        things = [press for press in self.solutions.of(self.scene.level) if press.action == CLICK]
        if things and self.happens(on_things):
            return self.beside(self.chance.choice(things), 1)
        return Press(CLICK, self.chance.randint(3, 60), self.chance.randint(3, 60))

    def walk(self, count: float, median: float = STEP) -> Play:
        """Moves about: straight until something is in the way, and clicks or uses what there is."""
        if self.scene.state == "GAME_OVER":
            yield from self.act(Press(RESET), LOOK)
        level, last = self.scene.level, None
        while count > 0 and self.on(level):
            last = self.choose(last)
            run = 1 + int(self.chance.expovariate(0.45)) if last.action in OPPOSITES else 1
            count -= run
            held = self.holds and run > 2
            for number in range(run):
                if number and held:
                    yield from self._make(
                        replace(last, input=KEY_REPEAT), self.chance.uniform(0.07, 0.14), False
                    )
                else:
                    yield from self.act(last, TAP if number else self.thought(median))
                if not self.on(level) or not self.scene.changed:
                    break

    def thought(self, median: float) -> float:
        """The median pause before an action: longer if they think about it."""
        if self.happens(min(0.9, self.style.ponders)):
            return THINK
        return LOOK if self.happens(0.15) else median
