"""What agents are scored against: the human baseline of a version, or its simulated reference."""

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from django.conf import settings
from django.db.models import OuterRef, Subquery
from django.db.models.functions import Coalesce

from playtest.insight.compute.results import bring_up_to_date
from playtest.insight.models import LevelResult, Release, ReleaseInput
from playtest.play.models import Attempt
from playtest.rules.baseline import upper_median
from playtest.rules.results import counted_actions
from playtest.rules.score import Reading, Variant
from playtest.studio.models import Version
from playtest.studio.queries.given_baseline import given_baseline

type _People = defaultdict[tuple[int, int], list[tuple[int, int]]]
"""By release and level: the actions of each of its people, ascending, and the undos left out of them."""


class Source(StrEnum):
    """Where a baseline is from."""

    RELEASE = "release"
    METADATA = "metadata"
    SIMULATED = "simulated reference"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Baseline:
    """The actions of people on each level of a version, from 1; `actions` is empty without a baseline.

    `second_best` has the second fewest actions of the people in the release, None for a level that fewer than
    two of them completed; it is empty when the baseline is not from a release. A withdrawal can change it.
    With `undo_left_out` it is that of a release without the undos of its people, by who is stored now.
    """

    source: Source = Source.NONE
    actions: tuple[int, ...] = ()
    release: int | None = None
    provisional: bool = False
    second_best: tuple[int | None, ...] = ()
    undo_left_out: bool = False

    @property
    def name(self) -> str:
        """What a score names: "release 3 (provisional)", "release 3 (undo not counted)", "metadata",
        "simulated reference", "none"."""
        if self.source != Source.RELEASE:
            return self.source.value
        said = ["provisional"] * self.provisional + ["undo not counted"] * self.undo_left_out
        return f"release {self.release}{f' ({", ".join(said)})' if said else ''}"

    def of(self, level: int) -> int | None:
        """The baseline of a level, from 1."""
        return self.actions[level - 1] if 0 < level <= len(self.actions) else None


NO_BASELINE = Baseline()


def baseline_of(version: Version) -> Baseline:
    """The newest release of the version, else `baseline_actions` of its metadata, else none."""
    return baselines_of([version])[version.pk]


def baselines_of(versions: Iterable[Version], *, undo_counts: bool = True) -> dict[int, Baseline]:
    """The same of many versions, by primary key, in two queries.

    Without `undo_counts`, releases have no undos, as the runs that are compared with them. Metadata are taken
    as they are given: the official ones leave undo out of most counts.
    """
    by_key = {version.pk: version for version in versions}
    newest = {
        release.version_id: release
        for release in Release.objects.filter(version__in=by_key).order_by("number")
    }
    people = _people(newest.values(), undo_counts=undo_counts)
    return {
        key: _released(newest[key], people, undo_counts) if key in newest else _described(version)
        for key, version in by_key.items()
    }


def compared_with(versions: Iterable[Version], reading: Reading) -> dict[int, Baseline]:
    """What runs on these versions are scored against in a reading, by primary key.

    The simulated reference counts undo, so there is none where undo is left out.
    """
    if reading.variant != Variant.SIMULATED_REFERENCE:
        return baselines_of(versions, undo_counts=reading.undo_counts)
    known = simulated_references() if reading.undo_counts else {}
    return {
        one.pk: Baseline(Source.SIMULATED, known[one.digest]) if one.digest in known else NO_BASELINE
        for one in versions
    }


@cache
def simulated_references() -> dict[str, tuple[int, ...]]:
    """By digest of a version, the upper medians of those simulated people who completed each level.

    They were written when the demonstration was recorded. Nothing but their own variant reads them.
    """
    file = settings.DEMONSTRATION_DIR / "simulated_reference.json"
    if not file.is_file():
        return {}
    return {one["version"]: tuple(one["actions"]) for one in json.loads(file.read_text())}


def _released(release: Release, people: _People, undo_counts: bool) -> Baseline:
    levels = sorted((row["level"], row["upper_median"]) for row in release.levels)
    found = [(median, people[release.pk, level]) for level, median in levels]
    return Baseline(
        Source.RELEASE,
        tuple(
            upper_median([count for count, _ in counts]) if any(undos for _, undos in counts) else median
            for median, counts in found
        ),
        release.number,
        release.provisional,
        tuple(counts[1][0] if counts[1:] else None for _, counts in found),
        undo_left_out=not undo_counts,
    )


def _described(version: Version) -> Baseline:
    given = given_baseline(version)
    return Baseline(Source.METADATA, given) if given else NO_BASELINE


def _people(releases: Iterable[Release], *, undo_counts: bool) -> _People:
    """Who is counted in these releases."""
    inputs = ReleaseInput.objects.filter(release__in=[release.pk for release in releases], counted=True)
    rows: Iterable[tuple[int, int, int, int]]
    if undo_counts:
        rows = ((*row, 0) for row in inputs.values_list("release", "level", "actions"))
    else:
        bring_up_to_date(Attempt.objects.filter(pk__in=inputs.values("attempt")))
        same = LevelResult.objects.filter(attempt=OuterRef("attempt"), level=OuterRef("level"))
        with_undos = inputs.annotate(undos=Coalesce(Subquery(same.values("undos")), 0))
        rows = with_undos.values_list("release", "level", "actions", "undos")
    found: _People = defaultdict(list)
    for release, level, actions, undos in rows:
        counted = counted_actions(actions, undos, undo_counts=undo_counts)
        found[release, level].append((max(counted, 1), undos))
    for counts in found.values():
        counts.sort()
    return found
