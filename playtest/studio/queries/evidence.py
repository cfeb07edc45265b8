"""The evidence about a random player's chance to win each level of a version; what the gate lacks of it."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.play.actions import CLICK
from engine.prove.chance import Runs
from playtest.jobs.models import UNFINISHED, JobStatus
from playtest.rules.evidence import GraphBounds, Split, Standing, Tries, Verdict, judge
from playtest.rules.protocol import DEFAULT
from playtest.studio.models import Exploration, LevelComparison, RandomPlay, Version
from playtest.studio.queries.fewest import fewest_stored

NEEDED_FROM = 2
"""The first level may be won by chance."""


def verdicts(versions: Collection[Version]) -> dict[int, list[Verdict]]:
    """The verdict on every level of each version, the first level's too, by the version's pk.

    What a version's own evidence leaves open is judged with that of earlier versions that play alike.
    """
    compared = _compared(versions)
    keys = {version.pk for version in versions}
    keys |= {comparison.before_id for of_level in compared.values() for comparison in of_level}
    stored = fewest_stored(keys), _graphs(keys), _tries(keys)
    return {
        version.pk: [
            _inherited(version.pk, level, compared[version.environment_id, level], stored)
            for level in range(1, version.levels + 1)
        ]
        for version in versions
    }


type _Stored = tuple[
    Mapping[int, Mapping[int, int]],
    Mapping[tuple[int, int], list[GraphBounds]],
    Mapping[tuple[int, int], list[Tries]],
]
"""The fewest known actions, the graphs and the random play, of versions and levels."""


def _inherited(version: int, level: int, compared: Sequence[LevelComparison], stored: _Stored) -> Verdict:
    """The verdict by a version's own evidence, and where that is open by what it inherits."""
    own = _judged([version], level, stored)
    if not own.open:
        return own
    origins, inheritance, differing = [version], "", ""
    for one in compared:
        if one.version_id not in origins:
            continue
        if one.difference:
            differing = (
                differing
                or f". In version {one.before.digest[:8]} the level plays otherwise: {one.difference}"
            )
            continue
        origins.append(one.before_id)
        inheritance = (
            f", inherited from version {one.before.digest[:8]}, which plays the level alike"
            f" in {one.actions:,} actions of recordings and seeded play"
        )
    found = _judged(origins, level, stored)
    return replace(found, reason=found.reason + (differing if found.open else inheritance))


def _judged(versions: Sequence[int], level: int, stored: _Stored) -> Verdict:
    fewest, graphs, tries = stored
    known = [fewest[version][level] for version in versions if level in fewest.get(version, {})]
    return judge(
        level,
        min(known, default=None),
        [graph for version in versions for graph in graphs.get((version, level), ())],
        [one for version in versions for one in tries.get((version, level), ())],
        DEFAULT.random_player,
    )


def _compared(versions: Collection[Version]) -> defaultdict[tuple[int, int], list[LevelComparison]]:
    """The comparisons of each environment's levels, the latest versions' first."""
    found: defaultdict[tuple[int, int], list[LevelComparison]] = defaultdict(list)
    environments = {version.environment_id for version in versions}
    made = LevelComparison.objects.filter(version__environment__in=environments).select_related("before")
    for one in made.defer("before__source", "before__metadata").order_by("-version", "-before"):
        found[one.before.environment_id, one.level].append(one)
    return found


def verdict(version: Version, level: int) -> Verdict:
    """The verdict on one level."""
    return verdicts([version])[version.pk][level - 1]


def bounds_of(exploration: Exploration, *, clicks: bool = False) -> GraphBounds:
    """The bounds that a finished exploration reports; `clicks`: of a version with clicks.

    Older reports do not say whether their player knew the places that can be clicked.
    """
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
        knows_places=bool(report.get("knows_places", clicks)),
    )


def needs_play(version: Version, known: Verdict) -> bool:
    """Whether random play is lacking that no job makes."""
    unfinished = RandomPlay.objects.filter(version=version, level=known.level, status__in=UNFINISHED)
    return known.standing == Standing.MISSING and not unfinished.exists()


def needs_exploration(version: Version, known: Verdict) -> bool:
    """Whether another exploration of a level could tell more than those done or requested.

    One stopped by a limit would be stopped again; a complete one is about its own budget only. Where clicks
    are known to win, its player knows the places that matter, so its bounds do not count.
    """
    if not known.open or (CLICK in version.available_actions and known.budget is not None):
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
    done = Exploration.objects.filter(version__in=versions, status=JobStatus.DONE).select_related("version")
    for one in done.only("version", "version__available_actions", "level", "report").order_by("pk"):
        clicks = CLICK in one.version.available_actions
        found[one.version_id, one.level].append(bounds_of(one, clicks=clicks))
    return found


def _tries(versions: Collection[int]) -> defaultdict[tuple[int, int], list[Tries]]:
    """All random play that is done, by version and level, of a player who knows nothing.

    Earlier one knew the places of clicks, which the report of its play does not say.
    """
    found: defaultdict[tuple[int, int], list[Tries]] = defaultdict(list)
    done = RandomPlay.objects.filter(version__in=versions, status=JobStatus.DONE)
    names = ("version", "version__available_actions", "level", "budget", "report")
    for version, actions, level, most, report in done.values_list(*names):
        if "clicks" in report or CLICK not in actions:
            wins = tuple(used for _, used in report["wins"])
            found[version, level].append(Tries(most, report["tries"], wins, split_of(report)))
    return found


def split_of(report: Mapping[str, Any]) -> Split | None:
    """What the splitting of a report says; None if there was none."""
    stored = report.get("splitting")
    if not stored:
        return None
    runs = Runs(
        stored["particles"], stored["stages"], tuple(map(tuple, stored["hits"])), tuple(stored["wins"])
    )
    found = runs.interval()
    return Split(found.lower, found.upper, found.estimate, len(runs.hits))


@dataclass(frozen=True)
class Plan:
    """What can be requested: levels to explore, and levels to play at random.

    `recordings`: the levels that need a recording that wins them before anything can be requested. `failed`:
    a level that is too easy, because of which nothing more is asked for.
    """

    graphs: tuple[int, ...] = ()
    plays: tuple[int, ...] = ()
    recordings: tuple[int, ...] = ()
    failed: int | None = None

    def __bool__(self) -> bool:
        return bool(self.graphs or self.plays)


def plan(version: Version, judged: Sequence[Verdict] | None = None) -> Plan:
    """What is missing and not requested; `judged` are the verdicts on its levels, if known."""
    known = verdicts([version])[version.pk] if judged is None else judged
    needed = [one for one in known if one.level >= NEEDED_FROM]
    failed = next((one.level for one in needed if one.standing == Standing.TOO_EASY), None)
    if failed is not None:
        return Plan(failed=failed)
    graphs = tuple(one.level for one in needed if needs_exploration(version, one))
    plays = tuple(one.level for one in needed if needs_play(version, one))
    stuck = tuple(one.level for one in needed if one.budget is None and one.open and one.level not in graphs)
    return Plan(graphs, plays, stuck)
