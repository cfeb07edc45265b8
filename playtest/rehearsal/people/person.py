"""A simulated person: kind, skill, patience, tempo and input device."""

from dataclasses import dataclass, replace
from enum import StrEnum
from random import Random

from playtest.rehearsal.people.steps import BUTTON, CLICK, KEY, MOUSE, TOUCH, UNDO, Press, Scene


class Kind(StrEnum):
    LEARNER = "learner"
    SLOW = "slow"
    DISTRACTED = "distracted"
    MASHER = "masher"
    QUITTER = "quitter"
    WANDERER = "wanderer"
    CYCLER = "cycler"
    FAST_COLLECTOR = "fast_collector"
    SLOW_COLLECTOR = "slow_collector"
    FAVOURITE_KEY = "favourite_key"
    IDLER = "idler"


class Thought(StrEnum):
    """What a person does before an action; it decides how long the pause is."""

    FLOW = "flow"
    STEP = "step"
    THINK = "think"
    NEW_LEVEL = "new_level"
    SETBACK = "setback"


_MEDIAN_SECONDS = {
    Thought.FLOW: 0.5,
    Thought.STEP: 1.0,
    Thought.THINK: 3.6,
    Thought.NEW_LEVEL: 6.0,
    Thought.SETBACK: 3.0,
}
_SPREAD = 0.55
_LONGEST_SECONDS = 50.0
_SHORTEST_SECONDS = 0.09


@dataclass(frozen=True, slots=True)
class Person:
    """`skill` and `patience` 0..1; `tempo` multiplies every pause; `hands` is an input kind.

    `lapses` is the share of environments at which somebody who does not try does so after all.
    """

    number: int
    seed: int
    kind: Kind
    skill: float = 0.5
    patience: float = 0.5
    tempo: float = 1.0
    hands: int = KEY
    lapses: float = 0.0

    def chance(self, about: str) -> Random:
        """A random generator for one purpose; equal seeds give equal numbers."""
        return Random(f"{self.seed}/{self.number}/{about}")

    def pause(self, thought: Thought, chance: Random) -> float:
        """A pause in seconds, log-normal like those of people."""
        seconds = chance.lognormvariate(0.0, _SPREAD) * _MEDIAN_SECONDS[thought] * self.tempo
        return min(max(seconds, _SHORTEST_SECONDS), _LONGEST_SECONDS)

    def by_hand(self, press: Press) -> Press:
        """The press with this person's input device."""
        if press.action == CLICK:
            return replace(press, input=TOUCH if self.hands == TOUCH else MOUSE)
        return replace(press, input=BUTTON if self.hands == TOUCH else self.hands)


def any_press(scene: Scene, chance: Random, near: tuple[Press, ...] = ()) -> Press:
    """A random available action, rarely undo; most clicks fall near those of `near`."""
    offered = [action for action in scene.available if action != UNDO] or list(scene.available)
    if not offered:
        return Press(0)
    action = chance.choice(offered)
    if action != CLICK:
        return Press(action)
    spots = [press for press in near if press.action == CLICK]
    if spots and chance.random() < 0.8:
        spot = chance.choice(spots)
        return Press(CLICK, _cell(spot.x + chance.randint(-2, 2)), _cell(spot.y + chance.randint(-2, 2)))
    return Press(CLICK, chance.randrange(64), chance.randrange(64))


def _cell(value: int) -> int:
    return min(63, max(0, value))
