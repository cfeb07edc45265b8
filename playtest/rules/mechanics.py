"""Which mechanic people were lost on: the levels of an environment beside what its card introduces on each.

The card says on which level a mechanic comes first, not which levels use it. So people who are lost on a
level that introduces something are lost where that is new; any other level may combine what came before.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from playtest.rules.cards import Mechanic
from playtest.rules.dropoff import LevelFacts


@dataclass(frozen=True, slots=True)
class Stretch:
    """The levels from one that introduces mechanics to the one before the next such level.

    `new` are these mechanics, `introduces` the facts of that level, None where the card names nothing for the
    first levels; `combines` are the facts of the levels after it. `before` are the mechanics introduced
    earlier.
    """

    new: tuple[Mechanic, ...]
    before: tuple[Mechanic, ...]
    introduces: LevelFacts | None
    combines: tuple[LevelFacts, ...]

    @property
    def lost_combining(self) -> int:
        return sum(level.lost for level in self.combines)


@dataclass(frozen=True, slots=True)
class Loss:
    """How many people were lost where something is new, and how many on all other levels."""

    on_new: int
    on_others: int
    most: tuple[Stretch, ...]
    """The stretches whose first level lost most people, several if equally many; () if none lost anybody."""


def stretches(
    introduced: Mapping[int, Sequence[Mechanic]], levels: Sequence[LevelFacts]
) -> tuple[Stretch, ...]:
    """The levels, from 1 on, cut before each that introduces mechanics; `introduced` has these by level.

    Mechanics of a level that the version does not have are left out. () without any mechanic.
    """
    starts = [level for level in levels if introduced.get(level.level)]
    if not starts:
        return ()
    found: list[Stretch] = []
    first = tuple(level for level in levels if level.level < starts[0].level)
    if first:
        found.append(Stretch((), (), None, first))
    before: tuple[Mechanic, ...] = ()
    ends = [*(level.level for level in starts[1:]), levels[-1].level + 1]
    for start, end in zip(starts, ends, strict=True):
        new = tuple(introduced[start.level])
        combines = tuple(level for level in levels if start.level < level.level < end)
        found.append(Stretch(new, before, start, combines))
        before += new
    return tuple(found)


def loss(found: Sequence[Stretch]) -> Loss:
    """Where the people of all stretches were lost."""
    new = [one for one in found if one.introduces is not None]
    counts = {one: one.introduces.lost for one in new if one.introduces is not None}
    most = max(counts.values(), default=0)
    return Loss(
        sum(counts.values()),
        sum(one.lost_combining for one in found),
        tuple(one for one, lost in counts.items() if lost == most) if most else (),
    )
