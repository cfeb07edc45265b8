"""The evidence that the gate lacks and that can be requested."""

from collections.abc import Sequence
from dataclasses import dataclass

from playtest.rules.evidence import Verdict
from playtest.studio.models import Version
from playtest.studio.queries import evidence


@dataclass(frozen=True)
class Plan:
    """What can be requested: levels to explore, and how many tries of which level.

    `recordings`: the levels that need a recording that wins them before anything can be requested.
    """

    graphs: tuple[int, ...]
    tries: tuple[tuple[int, int], ...]
    recordings: tuple[int, ...]

    def __bool__(self) -> bool:
        return bool(self.graphs or self.tries)

    @property
    def total(self) -> int:
        """The tries of all levels."""
        return sum(tries for _, tries in self.tries)


def plan(version: Version, judged: Sequence[Verdict] | None = None) -> Plan:
    """What is missing and not requested; `judged` are the verdicts on its levels, if known."""
    known = evidence.verdicts([version])[version.pk] if judged is None else judged
    needed = [one for one in known if one.level >= evidence.NEEDED_FROM]
    graphs = tuple(one.level for one in needed if evidence.needs_exploration(version, one))
    tries = [(one.level, evidence.tries_to_request(version, one)) for one in needed]
    stuck = tuple(one.level for one in needed if one.budget is None and one.open and one.level not in graphs)
    return Plan(graphs, tuple((level, number) for level, number in tries if number), stuck)
