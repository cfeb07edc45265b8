"""The page that shows two studies beside each other: those of two centers that tested the same versions."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import polars as pl
from django.db.models import F
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from playtest.insight.compute.results import bring_up_to_date
from playtest.insight.pages.study.results import StudyResults, study_results
from playtest.insight.scope import Scope
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.play.models import Study
from playtest.rules.baseline import LevelBaseline, level_baseline
from playtest.rules.inference.medians import FEWEST, Interval, interval, ranks
from playtest.rules.inference.shares import Share, share
from playtest.rules.text import whole_number
from playtest.studio.models import Version


@dataclass(frozen=True)
class Success:
    """Whose attempts at one version count and are whole; `minutes` is the median with the two around it."""

    solved: Share | None
    minutes: tuple[float, float | None, float | None] | None


@dataclass(frozen=True)
class Level:
    """Who completed one level, and what their baseline's interval is."""

    baseline: LevelBaseline
    interval: Interval | None


class Side:
    """One of the two studies."""

    def __init__(self, study: Study) -> None:
        self.study = study
        bring_up_to_date(Scope(study).attempts)
        self.results: StudyResults = study_results(Scope(study))
        self.timed = not study.sessions.filter(attempts__outside__timed=False).exists()

    @cached_property
    def versions(self) -> set[int]:
        return set(self.results.begun["version"].unique().to_list())

    def success(self, version: int) -> Success:
        whole = self.results.judged.filter("whole", pl.col("version") == version)
        found = share(int(whole["solved"].sum()), whole.height) if whole.height else None
        minutes = sorted(whole["minutes"].drop_nulls().to_list()) if self.timed else []
        if not minutes:
            return Success(found, None)
        low, high = ranks(len(minutes)) if len(minutes) >= FEWEST else (None, None)
        around = (minutes[low - 1], minutes[high - 1]) if low and high else (None, None)
        middle = (minutes[(len(minutes) - 1) // 2] + minutes[len(minutes) // 2]) / 2
        return Success(found, (middle, *around))

    def level(self, version: int, level: int) -> Level:
        here = self.results.completions.filter(pl.col("version") == version, pl.col("level") == level)
        actions = here["actions"].to_list()
        return Level(level_baseline(actions), interval(actions))


@dataclass(frozen=True)
class Beside:
    """Two studies, the first of which the page belongs to."""

    first: Side
    second: Side

    @property
    def sides(self) -> tuple[Side, Side]:
        return self.first, self.second

    @property
    def undo(self) -> str:
        """Whether undo is counted, of each where they differ."""
        said = [(side.study.name, Scope(side.study).undo) for side in self.sides]
        same = said[0][1] == said[1][1]
        return said[0][1] if same else "; ".join(f"{undo} in “{name}”" for name, undo in said)

    @cached_property
    def versions(self) -> list[Version]:
        """The versions that both have played."""
        both = Version.objects.filter(pk__in=self.first.versions & self.second.versions)
        return list(both.select_related("environment").order_by("environment__code", "pk"))

    @property
    def others(self) -> list[str]:
        """The environments of which only one of them has played a version."""
        only = Version.objects.filter(pk__in=self.first.versions ^ self.second.versions)
        return sorted(set(only.values_list("environment__code", flat=True)))

    @property
    def protocol_differs(self) -> list[str]:
        """The parts of their newest protocols that are not the same."""
        one, other = (side.study.newest_version.document for side in self.sides)
        return sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))

    def rows(self) -> Iterator[tuple[Version, list[Success], list[tuple[int, list[Level]]]]]:
        """Each version with both sides, and its levels with both sides; a static task has none."""
        for version in self.versions:
            levels = range(1, version.levels + 1) if version.kind.has_levels else ()
            of_levels = [(level, [side.level(version.pk, level) for side in self.sides]) for level in levels]
            yield version, [side.success(version.pk) for side in self.sides], of_levels


def comparable(study: Study) -> list[Study]:
    """The studies in which a version was played that was played in this one, from outside first."""
    played = Version.objects.filter(attempts__session__study=study).values("pk")
    found = Study.objects.filter(sessions__attempts__version__in=played).exclude(pk=study.pk).distinct()
    return list(found.order_by(F("outside").desc(nulls_last=True), "-pk"))


@require_safe
@requires(Right.READ_BASELINES)
def beside(request: StaffRequest, pk: int) -> HttpResponse:
    """Completers, baselines, success and times of two studies, by environment and level."""
    study = get_object_or_404(Study, pk=pk)
    others = comparable(study)
    chosen = _chosen(request, others)
    context: dict[str, Any] = {"study": study, "others": others, "other": chosen, "fewest_people": FEWEST}
    if chosen is not None:
        both = Beside(Side(study), Side(chosen))
        context |= {"beside": both, "rows": list(both.rows())}
    return render(request, "insight/study/comparison.html", context)


def _chosen(request: StaffRequest, others: list[Study]) -> Study | None:
    """The study that the address names, or the first one. Http404 for one that cannot be compared."""
    asked = request.GET.get("with", "")
    if not asked:
        return others[0] if others else None
    found = next((one for one in others if one.pk == whole_number(asked)), None)
    if found is None:
        raise Http404(f"Study {asked!r} has played no version that this study has.")
    return found
