"""What people did among the states of a level: where they stopped, went in circles, and gave away a win."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from playtest.rules.attempt import RESET
from playtest.rules.state_space.locating import HOPELESS, Outlook, Outlooks, Walk


@dataclass(frozen=True, slots=True)
class Fall:
    """The action (its number on the level, from 1) that led from a state with a way to a win to one without.

    `for_good`: the person was in no state with a way to a win afterwards.
    """

    action: int
    before: int
    after: int
    for_good: bool


@dataclass(frozen=True, slots=True)
class Stay:
    """One person on the level: their state at the beginning and after each action.

    `returns` counts by state the actions that led back to it after the person had left it, since the last
    reset. `closest` is the fewest known actions to a win of any state they were in: 0 if they won.
    """

    places: tuple[int, ...]
    returns: Mapping[int, int]
    falls: tuple[Fall, ...]
    closest: int | None

    @property
    def last(self) -> int:
        return self.places[-1]


def stay(walk: Walk, places: tuple[int, ...], known: Outlooks) -> Stay:
    """What one person did, from their actions and states."""
    fewest = [int(known.fewest[place]) for place in set(places) if known.fewest[place] >= 0]
    return Stay(places, _returns(walk, places), _falls(walk, places, known), min(fewest, default=None))


def _returns(walk: Walk, places: Sequence[int]) -> dict[int, int]:
    returns: Counter[int] = Counter()
    left: set[int] = set()
    for number, step in enumerate(walk.steps, start=1):
        before, after = places[number - 1], places[number]
        if step.action == RESET:
            left = set()
        elif after != before:
            left.add(before)
            returns[after] += after in left
    return {state: times for state, times in returns.items() if times}


def _falls(walk: Walk, places: Sequence[int], known: Outlooks) -> tuple[Fall, ...]:
    judged = [Outlook(number) for number in known.outlook[list(places)].tolist()]
    hopeful = [number for number, outlook in enumerate(judged) if outlook in (Outlook.OPEN, Outlook.WON)]
    last_hopeful = max(hopeful, default=0)
    return tuple(
        Fall(number, places[number - 1], places[number], for_good=number > last_hopeful)
        for number, step in enumerate(walk.steps, start=1)
        if step.action != RESET and judged[number - 1] == Outlook.OPEN and judged[number] in HOPELESS
    )


@dataclass(slots=True)
class Use:
    """What people did in one state.

    `first` has everybody who was there, with the action after which they first were. `returned` has who came
    back, with how often; `stopped` are those whose last state it is.
    """

    first: dict[int, int] = field(default_factory=dict)
    returned: dict[int, int] = field(default_factory=dict)
    stopped: list[int] = field(default_factory=list)


def uses(stays: Mapping[int, Stay], stopped: Mapping[int, bool]) -> dict[int, Use]:
    """By state; `stopped` says of each person whether their last state is where they stopped."""
    found: defaultdict[int, Use] = defaultdict(Use)
    for person, one in stays.items():
        for number, place in enumerate(one.places):
            found[place].first.setdefault(person, number)
        for place, times in one.returns.items():
            found[place].returned[person] = times
        if stopped[person]:
            found[one.last].stopped.append(person)
    return dict(found)


@dataclass(slots=True)
class Falls:
    """People whom one move cost the win: the number of the first such action of each; who stayed without."""

    people: dict[int, int] = field(default_factory=dict)
    for_good: list[int] = field(default_factory=list)


def falls(stays: Mapping[int, Stay]) -> dict[tuple[int, int], Falls]:
    """By move, as the states before and after."""
    found: defaultdict[tuple[int, int], Falls] = defaultdict(Falls)
    for person, one in stays.items():
        for fall in one.falls:
            here = found[fall.before, fall.after]
            here.people.setdefault(person, fall.action)
            if fall.for_good:
                here.for_good.append(person)
    return dict(found)


def moves(stays: Mapping[int, Stay], walks: Mapping[int, Walk]) -> dict[tuple[int, int], int]:
    """By move, as the states before and after: how many people made it. Resets and no-ops are none."""
    found: Counter[tuple[int, int]] = Counter()
    for person, one in stays.items():
        steps = walks[person].steps
        found.update(
            {
                (before, after)
                for before, after, step in zip(one.places, one.places[1:], steps, strict=False)
                if before != after and step.action != RESET
            }
        )
    return dict(found)
