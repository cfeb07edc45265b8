"""Reads the evidence for the effort rules from the journal, of environments and static tasks."""

import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any

from django.db.models import Q, QuerySet

from playtest.play.errors import Refusal
from playtest.play.journal.masked import Restated, masks_of_attempts, restated_entries
from playtest.play.models import Attempt, Entry, Event, EventKind, InputKind, Session
from playtest.play.sessions.adjustments import adjustments_of, adjustments_of_attempts
from playtest.play.sessions.reads import TASKS, whose
from playtest.review.queries.exclusions import cannot_count
from playtest.review.task_document import edited
from playtest.rules.adjustments import NO_ADJUSTMENTS, Adjustments
from playtest.rules.attempt import Outcome
from playtest.rules.effort.evidence import Absence, Act, AttemptEvidence, Connection, absences, without_pauses
from playtest.rules.effort.norms import NormSample
from playtest.rules.effort.thresholds import FIRST_LEVELS, Thresholds
from playtest.rules.tasks.effort import Submitted, TaskView

_COLUMNS = (
    "attempt seq action x y level changed server_time client_time input_kind screen_age_ms available".split()
)
_AWAY = {EventKind.PAGE_HIDDEN: "page", EventKind.WINDOW_BLURRED: "window"}
_BACK = {EventKind.PAGE_SHOWN: "page", EventKind.WINDOW_FOCUSED: "window"}

ENDED = Q(ended_at__isnull=False)
JUDGED = ENDED & Q(first_frame_at__isnull=False) & ~Q(outcome=Outcome.FAULT)
"""The attempts that rules assess: those that have ended, but not by a fault."""
COMPLETED_SOMETHING = Q(outcome=Outcome.COMPLETED) | Q(levels_completed__gt=FIRST_LEVELS)
"""`rules.effort.norms.completed_something`."""


def setting_norms() -> QuerySet[Attempt]:
    """The attempts that norms come from: of sessions in which something was completed, and not excluded."""
    counting = Attempt.objects.filter(JUDGED, ~TASKS, ~cannot_count())
    return counting.filter(session__in=counting.filter(COMPLETED_SOMETHING).order_by().values("session"))


def judged_attempts(session: Session) -> list[Attempt]:
    """The session's attempts that these rules assess: those that have ended, but not by a fault.

    Static tasks have rules of their own (`task_views`).
    """
    return list(session.attempts.filter(JUDGED, ~TASKS).select_related("environment").order_by("number"))


def evidence(session: Session, attempts: list[Attempt]) -> list[AttemptEvidence]:
    """These attempts of one session, in three queries."""
    away = _away_times(session)
    same = Attempt.objects.filter(JUDGED, ~TASKS, session=session)
    cut_off, clock = _absences(same), adjustments_of(session)
    return [
        _evidence(attempt, acts, cut_off, clock, _seconds_within(away, attempt, clock))
        for attempt, acts in _with_acts(attempts, same)
    ]


def cut_offs(session: Session, attempts: list[Attempt]) -> Iterator[tuple[Attempt, list[float]]]:
    """Each attempt with the seconds of each time in which a lost connection stopped its clock."""
    clock = adjustments_of(session)
    for attempt in attempts:
        if attempt.first_frame_at is not None and attempt.ended_at is not None:
            stops = clock.own_outages(attempt.first_frame_at, attempt.ended_at)
            yield attempt, [stop.total_seconds() for stop in stops]


def norm_samples(versions: Iterable[int], session: Session, limits: Thresholds) -> dict[int, NormSample]:
    """The attempts that norms come from, for each of these versions that was played, in three queries.

    They are of real people who completed something in studies held here, without those whom reviewers
    excluded. A rehearsal, or a study from outside, is compared with itself.
    """
    study = session.study
    among = whose(study if study.stands_alone else None)
    played = setting_norms().filter(among, version__in=list(versions))
    cut_off, clocks = _absences(played), adjustments_of_attempts(played)
    by_version: defaultdict[int, list[AttemptEvidence]] = defaultdict(list)
    for attempt, acts in _with_acts(list(played.select_related("environment").order_by("pk")), played):
        clock = clocks.get(attempt.pk, NO_ADJUSTMENTS)
        by_version[attempt.version_id].append(_evidence(attempt, acts, cut_off, clock, 0.0))
    return {version: NormSample(everyone, limits) for version, everyone in by_version.items()}


def _evidence(
    attempt: Attempt,
    acts: tuple[Act, ...],
    cut_off: Mapping[int, list[Absence]],
    clock: Adjustments,
    away_seconds: float,
) -> AttemptEvidence:
    """On the attempt's clock, which stands still in pauses: their time is neither idle nor active."""
    assert attempt.first_frame_at is not None
    assert attempt.ended_at is not None
    start = attempt.first_frame_at.timestamp()
    found = AttemptEvidence(
        attempt=attempt.pk,
        number=attempt.number,
        version=attempt.version_id,
        environment=attempt.environment.code,
        outcome=Outcome(attempt.outcome),
        levels_completed=attempt.levels_completed,
        seconds=(attempt.ended_at - attempt.first_frame_at).total_seconds(),
        away_seconds=away_seconds,
        acts=acts,
        absences=tuple(absence.after(start) for absence in cut_off[attempt.session_pk]),
    )
    spans = [
        (pause.start.timestamp() - start, (pause.end or attempt.ended_at).timestamp() - start)
        for pause in clock.pauses
    ]
    return without_pauses(found, spans) if spans else found


def _with_acts(attempts: list[Attempt], same: QuerySet[Attempt]) -> Iterator[tuple[Attempt, tuple[Act, ...]]]:
    """Each attempt with its actions; `same` are these attempts as a query, or more."""
    rows = (
        Entry.objects.filter(attempt__in=same.order_by().values("pk"))
        .order_by("attempt", "seq")
        .values_list(*_COLUMNS)
    )
    acts: dict[int, tuple[Act, ...]] = {}
    masks = masks_of_attempts(attempt.pk for attempt in attempts)
    began = {attempt.pk: attempt.first_frame_at for attempt in attempts}
    for attempt_id, entries in groupby(rows.iterator(), key=itemgetter(0)):
        start = began.get(attempt_id)
        if start is not None:
            acts[attempt_id] = tuple(
                _acts(entries, start, restated_entries(attempt_id, masks.get(attempt_id)))
            )
    return ((attempt, acts.get(attempt.pk, ())) for attempt in attempts)


def _acts(entries: Iterable[tuple[Any, ...]], start: datetime, masked: Restated) -> Iterator[Act]:
    """Whether they changed anything is told without the masked cells of the version."""
    offered = 0
    for _, seq, action, x, y, level, changed, at, pressed, kind, screen_age, available in entries:
        if seq:
            yield Act(
                seq=seq,
                action=action,
                cell=None if x is None else (x, y),
                level=level,
                changed=masked[seq][0] if seq in masked else changed,
                at=(at - start).total_seconds(),
                pressed=None if pressed is None else (pressed - start).total_seconds(),
                held=kind == InputKind.KEY_REPEAT,
                offered=offered,
                screen_age=screen_age,
            )
        offered = available


def _absences(attempts: QuerySet[Attempt]) -> Mapping[int, list[Absence]]:
    """When the sessions of these attempts had no connection, by session, in seconds since 1970."""
    events = (
        Event.objects.filter(session__in=attempts.order_by().values("session"), kind__in=list(Connection))
        .order_by("session", "server_time", "pk")
        .values_list("session", "kind", "server_time")
    )
    found: defaultdict[int, list[Absence]] = defaultdict(list)
    for session, of_session in groupby(events.iterator(), key=itemgetter(0)):
        found[session] = absences((Connection(kind), at.timestamp()) for _, kind, at in of_session)
    return found


def _away_times(session: Session) -> list[tuple[datetime, datetime | None]]:
    """When the page was hidden or its window unfocused; None: to the end. A new connection starts afresh."""
    spans: list[tuple[datetime, datetime | None]] = []
    causes: set[str] = set()
    since: datetime | None = None
    kinds = [*_AWAY, *_BACK, EventKind.CONNECTED]
    for kind, at in (
        Event.objects.filter(session=session, kind__in=kinds)
        .order_by("server_time", "pk")
        .values_list("kind", "server_time")
    ):
        if kind in _AWAY:
            causes.add(_AWAY[EventKind(kind)])
        elif kind in _BACK:
            causes.discard(_BACK[EventKind(kind)])
        else:
            causes.clear()
        if causes and since is None:
            since = at
        elif not causes and since is not None:
            spans.append((since, at))
            since = None
    return spans if since is None else [*spans, (since, None)]


def _seconds_within(
    spans: list[tuple[datetime, datetime | None]], attempt: Attempt, clock: Adjustments
) -> float:
    begin, end = attempt.first_frame_at, attempt.ended_at
    assert begin is not None
    assert end is not None
    overlaps = (clock.running(max(begin, since), min(end, until or end)) for since, until in spans)
    return sum(overlap.total_seconds() for overlap in overlaps)


logger = logging.getLogger(__name__)


def judged_tasks(session: Session) -> list[Attempt]:
    """The session's attempts at static tasks that have ended, but not by a fault."""
    found = session.attempts.filter(JUDGED, TASKS).select_related("environment", "version")
    return list(found.order_by("number"))


def task_views(session: Session, attempts: list[Attempt]) -> list[TaskView]:
    """The views of these attempts in order of time; without the time in which staff had paused the session.

    A task that is set aside and taken up again is viewed again.
    """
    if not attempts:
        return []
    clock = adjustments_of(session)
    entries = Entry.objects.filter(attempt__in=attempts).order_by("attempt", "seq").defer("frames")
    by_attempt = {pk: list(rows) for pk, rows in groupby(entries, key=attrgetter("attempt_id"))}
    found: list[tuple[datetime, TaskView]] = []
    for attempt in attempts:
        attempt.session = session
        found += _views(attempt, by_attempt.get(attempt.pk, []), clock)
    return [view for _, view in sorted(found, key=itemgetter(0))]


def _views(attempt: Attempt, entries: list[Entry], clock: Adjustments) -> Iterator[tuple[datetime, TaskView]]:
    """Each view of a task with the moment at which it began."""
    assert attempt.first_frame_at is not None
    assert attempt.ended_at is not None
    submissions = {one.seq: one for one in _submissions(attempt, entries)}
    aside = [one.time for one in clock.aside if one.attempt == attempt.pk]
    starts = [attempt.first_frame_at, *(time.end for time in aside if time.end is not None)]
    ends = [*(time.start for time in aside), attempt.ended_at]
    for start, end in zip(starts, ends, strict=False):  # what was never taken up again ends set aside
        made = [one.seq for one in entries if one.seq and start <= one.server_time <= end]
        yield (
            start,
            TaskView(
                attempt=attempt.pk,
                seconds=clock.running(start, end).total_seconds(),
                edits=sum(seq not in submissions for seq in made),
                submissions=tuple(submissions[seq] for seq in made if seq in submissions),
            ),
        )


def _submissions(attempt: Attempt, entries: list[Entry]) -> Iterable[Submitted]:
    """What was submitted; nothing of a damaged journal, which verification names."""
    try:
        return list(_submitted(attempt, entries))
    except Refusal as refusal:
        logger.warning("attempt %s is not judged: %s", attempt.pk, refusal.message)
        return ()


def _submitted(attempt: Attempt, entries: list[Entry]) -> Iterator[Submitted]:
    for each in edited(attempt, entries):
        if (made := each.submitted) is not None:
            grid = tuple(tuple(row) for row in made.grid)
            yield Submitted(made.seq, made.input, grid, made.right)
