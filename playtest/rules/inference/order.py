"""Whether it matters when in a session an environment is met, and which ones are mostly met last.

People tire and practise during a session, so assigning balances the positions (`rules.assignment`). Where it
could not, because people left early or the pool changed, the results of an environment say so.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

ASSUMES = (
    "95 % interval of the change within people (two-way clusters): it assumes that the position in a session"
    " changes everybody's success alike, whoever left early."
)
"""The sentence beside the effect of the order."""
FEWEST_PEOPLE = 4
"""With fewer people an environment is not flagged."""
MOSTLY = 0.5
"""An environment is mostly met last if more than this share (0..1) of its people met it last."""


@dataclass(frozen=True, slots=True)
class MetLast:
    """Of `people` who met an environment in a session with several, `last` met it as the last one."""

    environment: str
    people: int
    last: int

    @property
    def share(self) -> float:
        """0..1; 0.0 of nobody."""
        return self.last / self.people if self.people else 0.0


def mostly_last(met: Mapping[str, Iterable[tuple[int, int]]]) -> list[MetLast]:
    """The environments that are mostly met last, the highest share first.

    `met` has for each environment the position, from 1, of each person's attempt, and the number of attempts
    in that session. Sessions with one attempt have no last one and do not count.
    """
    found = []
    for environment, positions in met.items():
        several = [(position, count) for position, count in positions if count > 1]
        one = MetLast(environment, len(several), sum(position == count for position, count in several))
        if one.people >= FEWEST_PEOPLE and one.share > MOSTLY:
            found.append(one)
    return sorted(found, key=lambda one: (-one.share, one.environment))
