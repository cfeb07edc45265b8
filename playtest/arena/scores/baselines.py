"""What agents are scored against: the human baseline of a version, or its simulated reference."""

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from django.conf import settings

from playtest.insight.models import Release, ReleaseInput
from playtest.rules.score import Variant
from playtest.studio.models import Version
from playtest.studio.queries.given_baseline import given_baseline


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
    """

    source: Source = Source.NONE
    actions: tuple[int, ...] = ()
    release: int | None = None
    provisional: bool = False
    second_best: tuple[int | None, ...] = ()

    @property
    def name(self) -> str:
        """What a score names: "release 3 (provisional)", "metadata", "simulated reference", "none"."""
        if self.source != Source.RELEASE:
            return self.source.value
        return f"release {self.release}{' (provisional)' if self.provisional else ''}"

    def of(self, level: int) -> int | None:
        """The baseline of a level, from 1."""
        return self.actions[level - 1] if 0 < level <= len(self.actions) else None


NO_BASELINE = Baseline()


def baseline_of(version: Version) -> Baseline:
    """The newest release of the version, else `baseline_actions` of its metadata, else none."""
    return baselines_of([version])[version.pk]


def baselines_of(versions: Iterable[Version]) -> dict[int, Baseline]:
    """The same of many versions, by primary key, in two queries."""
    by_key = {version.pk: version for version in versions}
    newest = {
        release.version_id: release
        for release in Release.objects.filter(version__in=by_key).order_by("number")
    }
    seconds = _second_best(newest.values())
    return {
        key: _released(newest[key], seconds[newest[key].pk]) if key in newest else _described(version)
        for key, version in by_key.items()
    }


def compared_with(versions: Iterable[Version], variant: Variant) -> dict[int, Baseline]:
    """What runs on these versions are scored against in a variant, by primary key."""
    if variant != Variant.SIMULATED_REFERENCE:
        return baselines_of(versions)
    known = simulated_references()
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


def _released(release: Release, seconds: dict[int, int]) -> Baseline:
    levels = sorted(release.levels, key=lambda row: row["level"])
    return Baseline(
        Source.RELEASE,
        tuple(row["upper_median"] for row in levels),
        release.number,
        release.provisional,
        tuple(seconds.get(row["level"]) for row in levels),
    )


def _described(version: Version) -> Baseline:
    given = given_baseline(version)
    return Baseline(Source.METADATA, given) if given else NO_BASELINE


def _second_best(releases: Iterable[Release]) -> dict[int, dict[int, int]]:
    """By release and level, the second fewest actions of those who are counted."""
    actions: dict[tuple[int, int], list[int]] = defaultdict(list)
    counted = ReleaseInput.objects.filter(release__in=[release.pk for release in releases], counted=True)
    for release, level, count in counted.values_list("release", "level", "actions"):
        actions[release, level].append(count)
    found: dict[int, dict[int, int]] = defaultdict(dict)
    for (release, level), counts in actions.items():
        if len(counts) > 1:
            found[release][level] = sorted(counts)[1]
    return found
