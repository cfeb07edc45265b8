"""Who was recruited and what became of them and of their attempts, each counted once (checklist 3.2, 5.1)."""

from collections import Counter
from dataclasses import dataclass

import polars as pl

from playtest.insight.pages.study.results import StudyResults
from playtest.insight.tables.acceptance import counted_people
from playtest.people.models import Withdrawal
from playtest.people.participants import names_of_persons
from playtest.play.models import Session, SessionEnd
from playtest.rules.attempt import Outcome


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
    """Attempts that showed a frame; the groups after `begun` add up to it. `excluded` is by reason."""

    begun: int
    excluded: tuple[tuple[str, int], ...]
    still_open: int
    faults: int
    too_short: int
    too_long: int
    cut: int
    counted: int


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
        if consent is not None:
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
    )
