"""Whether a day adds up: codes, attempts and clocks, compared with what the simulated people saw themselves.

Everything is computed here from rows of the record, without the product's own rules and queries.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from playtest.center.models import PayLine
from playtest.play.models import Attempt, Entry, Event, EventKind, Session, SessionEnd, Study
from playtest.rules.pay import amount_number

_CLOCK_TOLERANCE = timedelta(milliseconds=1)

type Pauses = list[tuple[datetime, datetime]]
type Seen = Mapping[tuple[int, int], int]
"""The last sequence that a person was shown, by session and number of the attempt."""


@dataclass(frozen=True, slots=True)
class Expected:
    """How many people of the day came and how many did not, by the plan and by what happened at the door."""

    sessions: int
    came: int
    no_shows: int


def check_codes(study: Study, expected: Expected) -> Iterator[str]:
    """Every person who came used one code once; nobody else's code was used."""
    sessions = list(Session.objects.filter(study=study))
    came = [session for session in sessions if session.checked_in_at is not None]
    absent = [session for session in sessions if session.checked_in_at is None]
    if len(sessions) != expected.sessions:
        yield f"{len(sessions)} sessions were created and {expected.sessions} were planned"
    if len(came) != expected.came:
        yield f"{len(came)} people checked in and {expected.came} came"
    if len(absent) != expected.no_shows:
        yield f"{len(absent)} people did not check in and {expected.no_shows} did not come"
    for session in came:
        used = Event.objects.filter(session=session, kind=EventKind.CHECKED_IN).count()
        reissued = Event.objects.filter(session=session, kind=EventKind.CODE_REISSUED).count()
        if session.code_used_at is None or not 1 <= used <= 1 + reissued:
            yield f"session {session.pk}: {1 + reissued} codes were given out and {used} check-ins happened"
        if session.ended_at is None:
            yield f"session {session.pk} is still open"
    for session in absent:
        if session.code_used_at is not None or session.end_reason != SessionEnd.NO_SHOW:
            yield f"session {session.pk}: nobody came, but it ended as {session.end_reason or 'open'}"


def check_attempts(study: Study, seen: Seen) -> Iterator[str]:
    """Nobody met an environment twice; every turn that a person was shown is in the journal, and no other."""
    met = Counter(Attempt.objects.filter(session__study=study).values_list("participant", "environment"))
    for (participant, environment), times in met.items():
        if times > 1:
            yield f"participant {participant} met environment {environment} {times} times"
    sequences = defaultdict(list)
    for pk, seq in Entry.objects.filter(attempt__session__study=study).values_list("attempt", "seq"):
        sequences[pk].append(seq)
    attempts = {
        (attempt.session_id, attempt.number): attempt
        for attempt in Attempt.objects.filter(session__study=study)
    }
    for key, last in seen.items():
        attempt = attempts.pop(key, None)
        if attempt is None:
            yield f"session {key[0]}: attempt {key[1]} was played and is not recorded"
        else:
            yield from _check_journal(attempt, sorted(sequences[attempt.pk]), last)
    for (session, number), attempt in attempts.items():
        if any(sequences[attempt.pk]):  # the opening frame alone may not have reached anybody
            yield f"session {session}: attempt {number} is recorded and nobody played it"


def _check_journal(attempt: Attempt, recorded: list[int], last: int) -> Iterator[str]:
    if recorded != list(range(last + 1)):
        yield f"attempt {attempt.pk}: {last} actions were answered and {len(recorded) - 1} are recorded"
    if attempt.actions != last:
        yield f"attempt {attempt.pk}: its summary says {attempt.actions} actions instead of {last}"
    if not attempt.outcome:
        yield f"attempt {attempt.pk} is still open"


def check_clocks(study: Study) -> Iterator[str]:
    """Sessions end at their time and pauses, no action lies in a pause, and times of attempts fit."""
    for session in Session.objects.filter(study=study, checked_in_at__isnull=False).select_related(
        "protocol"
    ):
        pauses, granted = _changes(session)
        yield from _check_end(session, pauses, granted)
        for attempt in session.attempts.all():
            yield from _check_attempt(attempt, pauses)


def _check_end(session: Session, pauses: Pauses, granted: timedelta) -> Iterator[str]:
    assert session.protocol is not None
    assert session.checked_in_at is not None
    limit = timedelta(seconds=session.protocol.document["limits"]["session_seconds"])
    if session.ended_at is None:
        return
    due = session.checked_in_at + limit + granted + sum((end - start for start, end in pauses), timedelta(0))
    if session.end_reason == SessionEnd.TIME_OVER and abs(session.ended_at - due) > _CLOCK_TOLERANCE:
        yield f"session {session.pk} ended at {session.ended_at} and its time was over at {due}"
    if session.ended_at > due + _CLOCK_TOLERANCE:
        yield f"session {session.pk} lasted {session.ended_at - due} longer than it may"


def _check_attempt(attempt: Attempt, pauses: Pauses) -> Iterator[str]:
    times = list(
        Entry.objects.filter(attempt=attempt, seq__gt=0).order_by("seq").values_list("server_time", flat=True)
    )
    if times != sorted(times):
        yield f"attempt {attempt.pk}: its actions are not in the order of their times"
    late = [moment for moment in times for start, end in pauses if start < moment < end]
    if late:
        yield f"attempt {attempt.pk}: {len(late)} actions lie in a pause"
    if times and attempt.first_frame_at is not None:
        first, last = attempt.first_frame_at, times[-1]
        paused = sum(
            (max(min(end, last) - max(start, first), timedelta(0)) for start, end in pauses), timedelta(0)
        )
        if abs(attempt.paused - paused) > _CLOCK_TOLERANCE:
            yield f"attempt {attempt.pk}: {attempt.paused} are stored as paused instead of {paused}"


def check_pay(study: Study) -> Iterator[str]:
    """Each session has the fee once consent is given, and the bonus for each environment solved."""
    for session in Session.objects.filter(study=study).select_related("protocol"):
        due = _due(session)
        lines = PayLine.objects.filter(account__link__session=session).values_list("amount", flat=True)
        if sum(lines, Decimal(0)) != due:
            found = amount_number(sum(lines, Decimal(0)), study.currency)
            yield f"session {session.pk}: {found} are in the ledger instead of {due}"


def paid(study: Study) -> Decimal:
    """The sum of the ledger's lines of a study."""
    lines = PayLine.objects.filter(account__study=study).values_list("amount", flat=True)
    return sum(lines, Decimal(0))


def _due(session: Session) -> Decimal:
    if session.consent_id is None or session.protocol is None:
        return Decimal(0)
    pay = session.protocol.document["pay"]
    solved = sum(
        attempt.levels_completed == attempt.version.levels
        for attempt in session.attempts.select_related("version")
    )
    return Decimal(pay["fee"]) + solved * Decimal(pay["bonus"])


def _changes(session: Session) -> tuple[Pauses, timedelta]:
    """The pauses of a session, outages too, and the time granted to it."""
    kinds = (EventKind.PAUSED, EventKind.RESUMED, EventKind.TIME_GRANTED)
    pauses: Pauses = []
    granted = timedelta(0)
    since: dict[bool, datetime] = {}
    for event in session.events.filter(kind__in=kinds).order_by("pk"):
        is_outage = bool(event.details.get("outage"))
        if event.kind == EventKind.PAUSED:
            since[is_outage] = event.server_time
        elif event.kind == EventKind.RESUMED and is_outage in since:
            pauses.append((since.pop(is_outage), event.server_time))
        elif event.kind == EventKind.TIME_GRANTED and event.details["session"]:
            granted += timedelta(seconds=event.details["seconds"])
    if since and session.ended_at is not None:
        pauses += [(start, session.ended_at) for start in since.values()]
    return pauses, granted
