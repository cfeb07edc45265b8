"""The evidence about a random player's chance to win each level of a version; what the gate lacks of it."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from playtest.jobs.models import UNFINISHED, JobStatus
from playtest.rules.evidence import GraphBounds, Tries, Verdict, judge
from playtest.rules.protocol import DEFAULT
from playtest.studio.models import Exploration, RandomPlay, Version
from playtest.studio.queries.fewest import fewest_stored

NEEDED_FROM = 2
"""The first level may be won by chance."""


def verdicts(versions: Collection[Version]) -> dict[int, list[Verdict]]:
    """The verdict on every level of each version, the first level's too, by the version's pk."""
    keys = [version.pk for version in versions]
    fewest, graphs, tries = fewest_stored(keys), _graphs(keys), _tries(keys)
    return {
        version.pk: [
            judge(
                level,
                fewest[version.pk].get(level),
                graphs[version.pk, level],
                tries[version.pk, level],
                DEFAULT.random_player,
            )
            for level in range(1, version.levels + 1)
        ]
        for version in versions
    }


def verdict(version: Version, level: int) -> Verdict:
    """The verdict on one level."""
    return verdicts([version])[version.pk][level - 1]


def bounds_of(exploration: Exploration) -> GraphBounds:
    """The bounds that a finished exploration reports."""
    report = exploration.report
    within = report.get("p_win_within") or {}
    return GraphBounds(
        run=exploration.pk,
        budget=int(within.get("steps", 0)),
        lower=float(within.get("lower", 0.0)),
        upper=float(within.get("upper", 1.0)),
        ever_upper=float((report.get("p_win") or {}).get("upper", 1.0)),
        states=int(report.get("nodes", 0)),
        stopped_by="" if report.get("fully_explored") else str(report.get("stopped_by") or "limits"),
        draws=bool(report.get("depends_on_action_count")),
    )


def tries_to_request(version: Version, known: Verdict) -> int:
    """The tries that the gate lacks and that no job makes."""
    if known.budget is None or not known.missing:
        return 0
    requested = RandomPlay.objects.filter(
        version=version, level=known.level, budget__gte=known.budget, status__in=UNFINISHED
    )
    return max(0, known.missing - sum(requested.values_list("total", flat=True)))


def needs_exploration(version: Version, known: Verdict) -> bool:
    """Whether another exploration of a level could tell more than those done or requested.

    One stopped by a limit would be stopped again; a complete one is about its own budget only.
    """
    if not known.open:
        return False
    explorations = Exploration.objects.filter(version=version, level=known.level).defer("graph")
    for exploration in explorations.filter(status__in=(*UNFINISHED, JobStatus.DONE)):
        if exploration.status != JobStatus.DONE or known.budget is None:
            return False
        bounds = bounds_of(exploration)
        if bounds.budget == known.budget or (bounds.stopped_by and bounds.budget >= known.budget):
            return False
    return True


def _graphs(versions: Collection[int]) -> defaultdict[tuple[int, int], list[GraphBounds]]:
    found: defaultdict[tuple[int, int], list[GraphBounds]] = defaultdict(list)
    done = Exploration.objects.filter(version__in=versions, status=JobStatus.DONE)
    for one in done.defer("graph", "limits").order_by("pk"):
        found[one.version_id, one.level].append(bounds_of(one))
    return found


def _tries(versions: Collection[int]) -> defaultdict[tuple[int, int], list[Tries]]:
    """The tries of every finished batch by version and level, even if other batches of its request failed."""
    found: defaultdict[tuple[int, int], list[Tries]] = defaultdict(list)
    done = RandomPlay.objects.filter(version__in=versions, status=JobStatus.DONE)
    for version, level, most, report in done.values_list("version", "level", "budget", "report"):
        found[version, level].append(_tries_of(most, report))
    return found


def _tries_of(most: int, report: Mapping[str, Any]) -> Tries:
    return Tries(most, report["tries"], tuple(actions for _, actions in report["wins"]))


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
    known = verdicts([version])[version.pk] if judged is None else judged
    needed = [one for one in known if one.level >= NEEDED_FROM]
    graphs = tuple(one.level for one in needed if needs_exploration(version, one))
    tries = [(one.level, tries_to_request(version, one)) for one in needed]
    stuck = tuple(one.level for one in needed if one.budget is None and one.open and one.level not in graphs)
    return Plan(graphs, tuple((level, number) for level, number in tries if number), stuck)
