"""The journal as the effort rules see it, and the flags they raised."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db.models import Count, F, Max, Q, QuerySet

from playtest.play.models import Attempt, Entry, Event, EventKind, InputKind, Session
from playtest.review.models import Flag, Strength
from playtest.rules.attempt import Outcome
from playtest.rules.effort import RULE_VERSION, Act, AttemptEvidence, Norms, Thresholds, norms

_COLUMNS = (
    "attempt",
    "seq",
    "action",
    "x",
    "y",
    "level",
    "changed",
    "server_time",
    "client_time",
    "input_kind",
    "available",
)
_AWAY = {EventKind.PAGE_HIDDEN: "page", EventKind.WINDOW_BLURRED: "window"}
_BACK = {EventKind.PAGE_SHOWN: "page", EventKind.WINDOW_FOCUSED: "window"}

_ENDED = Q(ended_at__isnull=False)
_JUDGED = _ENDED & Q(first_frame_at__isnull=False) & ~Q(outcome=Outcome.FAULT)


def flags() -> QuerySet[Flag]:
    """What the rule set now in use has found, as people read it: session first, then attempt by attempt."""
    return (
        Flag.objects.filter(rule_version=RULE_VERSION)
        .select_related("attempt")
        .order_by(F("attempt__number").asc(nulls_first=True), "rule")
    )


def counting_flags() -> QuerySet[Flag]:
    """Those that can open a review; the others are for information."""
    return flags().exclude(strength=Strength.NOTE)


def newest_flag(session_id: int) -> datetime | None:
    """When the newest flag that counts was raised."""
    found = counting_flags().filter(session=session_id).aggregate(newest=Max("raised_at"))
    newest: datetime | None = found["newest"]
    return newest


def ended_attempts(session: Session) -> int:
    return session.attempts.filter(_ENDED).count()


def due_sessions() -> QuerySet[Session]:
    """Sessions in which an attempt has ended since the rules last looked, or that another rule set judged."""
    return (
        Session.objects.annotate(ended=Count("attempts", filter=Q(attempts__ended_at__isnull=False)))
        .filter(ended__gt=0)
        .filter(
            Q(assessment__isnull=True)
            | ~Q(assessment__rule_version=RULE_VERSION)
            | ~Q(assessment__attempts=F("ended"))
        )
    )


def judged_attempts(session: Session) -> list[Attempt]:
    """The session's attempts that the rules look at: those that have ended, but not by a fault."""
    return list(session.attempts.filter(_JUDGED).select_related("environment").order_by("number"))


def evidence(session: Session, attempts: list[Attempt]) -> list[AttemptEvidence]:
    """These attempts of one session, in two queries."""
    away = _away_times(session)
    return [
        _evidence(attempt, acts, _seconds_within(away, attempt))
        for attempt, acts in _with_acts(attempts, Attempt.objects.filter(_JUDGED, session=session))
    ]


def usual(versions: Iterable[int], session: Session, limits: Thresholds) -> dict[int, Norms]:
    """The norms of each of these versions that anyone has played, in two queries.

    They come from real people in studies that are no rehearsals; a rehearsal is compared with itself.
    """
    study = session.study
    among = (
        Q(session__study=study)
        if study.rehearsal
        else Q(participant__simulated=False, session__study__rehearsal=False)
    )
    played = Attempt.objects.filter(_JUDGED, among, version__in=list(versions))
    by_version: defaultdict[int, list[AttemptEvidence]] = defaultdict(list)
    for attempt, acts in _with_acts(list(played.select_related("environment").order_by("pk")), played):
        by_version[attempt.version_id].append(_evidence(attempt, acts, 0.0))
    return {version: norms(everyone, limits) for version, everyone in by_version.items()}


def _evidence(attempt: Attempt, acts: tuple[Act, ...], away_seconds: float) -> AttemptEvidence:
    assert attempt.first_frame_at is not None
    assert attempt.ended_at is not None
    return AttemptEvidence(
        attempt=attempt.pk,
        number=attempt.number,
        version=attempt.version_id,
        environment=attempt.environment.code,
        outcome=Outcome(attempt.outcome),
        levels_completed=attempt.levels_completed,
        seconds=(attempt.ended_at - attempt.first_frame_at).total_seconds(),
        away_seconds=away_seconds,
        acts=acts,
    )


def _with_acts(attempts: list[Attempt], same: QuerySet[Attempt]) -> Iterator[tuple[Attempt, tuple[Act, ...]]]:
    """Each attempt with its actions; `same` are these attempts as a query, or more."""
    rows = (
        Entry.objects.filter(attempt__in=same.order_by().values("pk"))
        .order_by("attempt", "seq")
        .values_list(*_COLUMNS)
    )
    acts: dict[int, tuple[Act, ...]] = {}
    began = {attempt.pk: attempt.first_frame_at for attempt in attempts}
    for attempt_id, entries in groupby(rows.iterator(), key=itemgetter(0)):
        start = began.get(attempt_id)
        if start is not None:
            acts[attempt_id] = tuple(_acts(entries, start))
    return ((attempt, acts.get(attempt.pk, ())) for attempt in attempts)


def _acts(entries: Iterable[tuple[Any, ...]], start: datetime) -> Iterator[Act]:
    offered = 0
    for _, seq, action, x, y, level, changed, at, pressed, kind, available in entries:
        if seq:
            yield Act(
                seq=seq,
                action=action,
                cell=None if x is None else (x, y),
                level=level,
                changed=changed,
                at=(at - start).total_seconds(),
                pressed=None if pressed is None else (pressed - start).total_seconds(),
                held=kind == InputKind.KEY_REPEAT,
                offered=offered,
            )
        offered = available


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


def _seconds_within(spans: list[tuple[datetime, datetime | None]], attempt: Attempt) -> float:
    begin, end = attempt.first_frame_at, attempt.ended_at
    assert begin is not None
    assert end is not None
    overlaps = ((min(end, until or end) - max(begin, since)).total_seconds() for since, until in spans)
    return sum(overlap for overlap in overlaps if overlap > 0)
