"""A person's hands and attention in one environment: pauses, rhythm, slips, and actions made with them."""

from math import exp, log
from random import Random

from playtest.rehearsal.people.person import Person
from playtest.rehearsal.people.steps import CLICK, RESET, UNDO, Passage, Press, Scene, Step

OPPOSITES = {1: 2, 2: 1, 3: 4, 4: 3}
_LONGEST_LAPSE_SECONDS = 120.0
_USUAL_VISIT_MINUTES = 9.0


class Hands:
    """What is drawn of a person once for all environments, and how tired they are in this one.

    `spread` is the standard deviation of a pause's logarithm. `fatigue` is the share by which pauses have
    grown after an hour; a slow drift comes on top. `slip` is the chance of a wrong key or a click beside
    the place, `double` that of an accidental second press, `lapse` that of a mind that wanders before an
    action. All of them may be set.
    """

    def __init__(self, person: Person, chance: Random, visit: int) -> None:
        own = person.chance("hands")
        self.chance = chance
        self.tempo = person.tempo
        self.spread = own.uniform(0.35, 0.65)
        self.fatigue = max(-0.1, own.gauss(0.15, 0.15))
        self.slip = own.betavariate(1.5, 90)
        self.double = own.betavariate(1, 150)
        self.lapse = own.uniform(0.001, 0.012)
        self._minutes = _USUAL_VISIT_MINUTES * (visit - 1)
        self._drift = chance.gauss(0.0, 0.1)

    def pause(self, median: float) -> float:
        """Seconds before an action that people of usual tempo make after `median` seconds."""
        slower = self.tempo * self._drifted(0.04) * (1 + self.fatigue * self._minutes / 60)
        seconds = max(0.1, self.chance.lognormvariate(log(median * slower), self.spread))
        if self.chance.random() < self.lapse:
            seconds += min(_LONGEST_LAPSE_SECONDS, self.about(12.0, 0.7))
        self._minutes += seconds / 60
        return seconds

    def beat(self, period: float, jitter: float = 0.15) -> float:
        """Seconds to the next tap of a rhythm, which no thought delays."""
        seconds = max(0.05, self.about(period * self._drifted(0.03), jitter))
        self._minutes += seconds / 60
        return seconds

    def about(self, median: float, spread: float = 0.4) -> float:
        """A number around `median`, log-normal."""
        return self.chance.lognormvariate(log(median), spread)

    def _drifted(self, width: float) -> float:
        self._drift = 0.98 * self._drift + self.chance.gauss(0.0, width)
        return exp(self._drift)

    def press(self, scene: Scene, press: Press, seconds: float) -> Passage:
        """Makes an action after `seconds` if it is allowed; now and then a slip, or twice."""
        if not scene.allows(press.action):
            return scene
        if press.action != RESET and self.chance.random() < self.slip:
            press = _slipped(scene, press, self.chance)
        scene = yield Step(seconds, press)
        if press.action != RESET and scene.allows(press.action) and self.chance.random() < self.double:
            scene = yield Step(self.beat(0.19, 0.25), press)
        return scene


def _slipped(scene: Scene, press: Press, chance: Random) -> Press:
    if press.action == CLICK:
        return beside(press, 7, chance)
    near = [action for action in scene.available if action not in (CLICK, UNDO, press.action)]
    return Press(chance.choice(near)) if near else press


def beside(press: Press, cells: int, chance: Random) -> Press:
    """A click at most so many cells away."""
    x, y = (min(63, max(0, value + chance.randint(-cells, cells))) for value in (press.x, press.y))
    return Press(CLICK, x, y, press.input)


def anywhere(chance: Random) -> Press:
    """A click anywhere on the board."""
    return Press(CLICK, chance.randrange(64), chance.randrange(64))


def goes_on(scene: Scene, level: int) -> bool:
    """Whether this level is neither won nor lost."""
    return scene.level == level and scene.state == "NOT_FINISHED"
