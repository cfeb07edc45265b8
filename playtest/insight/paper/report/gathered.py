"""What the facts of a report are made of, each read once, with its links and wording."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import median
from typing import Any

import polars as pl
from django.urls import reverse

from playtest.center.pay.totals import StudyPay, study_pay
from playtest.insight.pages.static_tasks.tables import TaskTables, tables_of
from playtest.insight.pages.study.people import Association, Breakdown, associations, breakdowns
from playtest.insight.pages.study.results import StudyNumbers, StudyResults, numbers, study_results
from playtest.insight.paper.preregistration import Standing, newest_standing
from playtest.insight.paper.report.robustness import Variant, variants
from playtest.insight.scope import Scope
from playtest.insight.tables.acceptance import counted_people
from playtest.people.models import Withdrawal
from playtest.people.participants import names_of_persons
from playtest.play.models import Session, SessionEnd, Study
from playtest.rules.attempt import Outcome
from playtest.rules.inference.clusters import Estimate
from playtest.rules.inference.shares import share
from playtest.rules.protocol import Protocol
from playtest.studio.models import Version


@dataclass(frozen=True)
class PeopleFlow:
    """People of the study, each in one of the groups after `recruited` that add up to it.

    `unfinished` agreed and never began an environment; `uncounted` began and have no attempt that counts,
    for other reasons than exclusion. `withdrawn` are of the whole installation: their data is deleted, and
    with it the study they were in.
    """

    recruited: int
    absent: int
    declined: int
    unfinished: int
    excluded: int
    uncounted: int
    counted: int
    withdrawn: int


@dataclass(frozen=True)
class AttemptFlow:
    """Attempts that showed a frame; the groups after `begun` add up to it. `excluded` is by reason.

    `in_part` are excluded from an action on, and are in one of the groups; `counted_in_part` of them count.
    """

    begun: int
    excluded: tuple[tuple[str, int], ...]
    still_open: int
    faults: int
    too_short: int
    too_long: int
    cut: int
    counted: int
    in_part: int
    counted_in_part: int


def people_flow(results: StudyResults) -> PeopleFlow:
    """The people who were given a session that was not cancelled; simulated ones only in a rehearsal."""
    study = results.study
    sessions = Session.objects.filter(study=study, participant__simulated=study.rehearsal)
    rows = sessions.exclude(end_reason=SessionEnd.CANCELLED).values_list(
        "participant__label", "checked_in_at", "consent"
    )
    recruited, came, agreed = set[str](), set[str](), set[str]()
    names = names_of_persons()
    for label, arrived, consent in rows:
        person = names.get(label, label)
        recruited.add(person)
        if arrived is not None:
            came.add(person)
        if consent is not None or (study.is_outside and arrived is not None):  # agreed elsewhere
            agreed.add(person)
    begun = set(results.everyone["participant"]) & agreed
    left_in = set(results.begun["participant"]) & begun
    counted = set(results.counted["participant"]) & begun
    return PeopleFlow(
        recruited=len(recruited),
        absent=len(recruited - came),
        declined=len(came - agreed),
        unfinished=len(agreed - begun),
        excluded=len(begun - left_in),
        uncounted=len(left_in - counted),
        counted=len(counted),
        withdrawn=Withdrawal.objects.exclude(finished_at=None).count(),
    )


def attempt_flow(results: StudyResults) -> AttemptFlow:
    """What became of the attempts, with exclusions as in force."""
    everyone = results.everyone
    excluded = everyone.filter(pl.col("excluded_from") == 0)
    left = everyone.filter(pl.col("excluded_from").ne_missing(0))
    counted = counted_people(left, results.scope)
    rest = left.join(counted.select("attempt"), on="attempt", how="anti")
    groups = rest.select(
        pl.when(pl.col("outcome") == "")
        .then(pl.lit("open"))
        .when(pl.col("outcome") == Outcome.FAULT.value)
        .then(pl.lit("fault"))
        .when(~pl.col("enough"))
        .then(pl.lit("short"))
        .when(pl.col("attempt_seconds") >= pl.col("less_than_seconds") + pl.col("granted_seconds"))
        .then(pl.lit("long"))
        .otherwise(pl.lit("cut"))
    ).to_series()
    of_rest = Counter(groups.to_list())
    reasons = Counter(excluded["why_excluded"].to_list())
    return AttemptFlow(
        begun=everyone.height,
        excluded=tuple(sorted(reasons.items(), key=lambda pair: (-pair[1], pair[0]))),
        still_open=of_rest["open"],
        faults=of_rest["fault"],
        too_short=of_rest["short"],
        too_long=of_rest["long"],
        cut=of_rest["cut"],
        counted=counted.height,
        in_part=everyone.filter(pl.col("excluded_from") > 0).height,
        counted_in_part=counted.filter(pl.col("excluded_from") > 0).height,
    )


@dataclass(frozen=True)
class Gathered:
    """One study, everybody in it, with exclusions as they are in force."""

    study: Study
    _of_rooms: dict[Any, Any] = field(default_factory=dict, init=False, compare=False)

    def once[T](self, read: "Callable[[Gathered], T]") -> T:
        """What a higher room reads about this study, read once for all its facts."""
        if read not in self._of_rooms:
            self._of_rooms[read] = read(self)
        found: T = self._of_rooms[read]
        return found

    @cached_property
    def results(self) -> StudyResults:
        return study_results(Scope(self.study))

    @property
    def said_of_short(self) -> str:
        """What an attempt lacks that is too short to count."""
        if not self.results.has_tasks:
            return "too few actions"
        return "too few actions, or viewed too briefly" if self.results.has_levels else "viewed too briefly"

    @cached_property
    def tasks(self) -> TaskTables:
        """Of the study's static tasks alone."""
        return tables_of(self.results)

    @cached_property
    def numbers(self) -> StudyNumbers:
        return numbers(self.results)

    @property
    def protocol(self) -> Protocol:
        return self.results.protocol

    @cached_property
    def people(self) -> PeopleFlow:
        return people_flow(self.results)

    @cached_property
    def attempts(self) -> AttemptFlow:
        return attempt_flow(self.results)

    @cached_property
    def variants(self) -> list[Variant]:
        return variants(self.results)

    @cached_property
    def preregistration(self) -> Standing | None:
        return newest_standing(self.study)

    @cached_property
    def pay(self) -> StudyPay:
        return study_pay(self.study)

    @cached_property
    def answers(self) -> list[Breakdown]:
        return breakdowns(self.results)

    @cached_property
    def associations(self) -> list[Association]:
        return associations(self.results, self.answers)

    @cached_property
    def sessions(self) -> list[Session]:
        """Those that began, of real people, or in a rehearsal of simulated ones."""
        found = Session.objects.filter(
            study=self.study, checked_in_at__isnull=False, participant__simulated=self.study.rehearsal
        )
        return list(found.order_by("pk"))

    @cached_property
    def versions(self) -> dict[int, Version]:
        """The versions that were played, by id."""
        found = Version.objects.filter(pk__in=self.results.everyone["version"].unique().to_list())
        return {version.pk: version for version in found.select_related("environment")}


def study_link(found: Gathered) -> str:
    """The page of the study."""
    return reverse("insight:study", args=[found.study.pk])


def protocol_link(found: Gathered) -> str:
    """All versions of the study's protocol."""
    return reverse("play:protocol-versions", args=[found.study.pk])


def tasks_link(found: Gathered) -> str:
    """The numbers of the study's static tasks."""
    return reverse("insight:study-tasks", args=[found.study.pk])


NONE = "none"


def spread(values: Sequence[float]) -> str:
    """ "median 8 (3 to 12)"; "none" without values."""
    if not values:
        return NONE
    middle, low, high = median(values), min(values), max(values)
    return f"median {_number(middle)} ({_number(low)} to {_number(high)})"


def percent(part: int, whole: int, estimate: Estimate | None = None) -> str:
    """ "12 of 40 (30 %, 95 % interval 18 to 45 %)"; of nobody, only the count.

    The interval is Wilson's, of one attempt a person, where no estimate is given.
    """
    if not whole:
        return f"{part} of {whole}"
    one = estimate or share(part, whole)
    value, low, high = (f"{100 * value:.0f}" for value in (one.value, one.low, one.high))
    return f"{part:,} of {whole:,} ({value} %, 95 % interval {low} to {high} %)"


def minutes(value: float | None) -> str:
    return NONE if value is None else f"{value:.1f} min"


def _number(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.1f}"
