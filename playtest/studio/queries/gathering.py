"""What can be started to gather the evidence that the gate lacks."""

from collections.abc import Sequence
from dataclasses import dataclass

from playtest.rules.evidence import Verdict
from playtest.studio.models import Version
from playtest.studio.queries import evidence


@dataclass(frozen=True)
class Plan:
    """What can be started: levels whose state graph is to be searched, and how many tries of which level.

    `recordings`: the levels for which nothing can be started before somebody adds a recording that wins them.
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
    """What is missing and was not asked for; `judged` are the verdicts on its levels, if they are known."""
    known = evidence.verdicts([version])[version.pk] if judged is None else judged
    needed = [one for one in known if one.level >= evidence.NEEDED_FROM]
    graphs = tuple(one.level for one in needed if evidence.graph_to_ask_for(version, one))
    tries = [(one.level, evidence.tries_to_ask_for(version, one)) for one in needed]
    stuck = tuple(one.level for one in needed if one.budget is None and one.open and one.level not in graphs)
    return Plan(graphs, tuple((level, number) for level, number in tries if number), stuck)
