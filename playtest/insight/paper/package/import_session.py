"""Imports one session of a package with all that belongs to it, in one transaction.

Every attempt is written as it was played: open, then its entries by the statement of the journal, then its
end with its seal. So the triggers hold for what is imported as for what is recorded here.
"""

import json
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from django.db import connection, transaction

from engine.play.frames import deflated
from playtest.center.interventions.models import Void
from playtest.insight.paper.package.read import PackageFiles, Row
from playtest.people.models import Consent, Staff, Survey
from playtest.people.services import new_participants
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.journal.entries import NewEntry, entry_value, seal_after, start_value
from playtest.play.journal.sql import insert_entries
from playtest.play.models import (
    Attempt,
    Debrief,
    Event,
    EventKind,
    InputKind,
    OutsideAttempt,
    OutsideName,
    ProtocolVersion,
    Session,
    SessionEnd,
    Study,
)
from playtest.play.sessions.adjustments import adjustments_of
from playtest.review.models import Assessment, Comment, Decision, Flag
from playtest.review.queries.dataset import WRITTEN_BY_STAFF
from playtest.rules.effort import RULE_VERSION
from playtest.rules.survey import Question
from playtest.studio.models import Version

DIALECT = "data package"
_VOIDED = "voided_"
_INPUTS = {kind.name.lower(): kind.value for kind in InputKind}
_AS_THEY_ARE = (
    "seq", "action", "x", "y", "level", "levels_completed", "level_completed", "state", "available",
    "changed", "frame_count", "server_time", "previous_paint_ms", "screen_age_ms", "queued_ms", "edit",
)  # fmt: skip
_RELATIONS = ("part_of", "confirms", "answers", "settles", "reverses")
_MARKED_PUBLIC = (
    "Its times are those of the public package, rounded to the hour: nothing says when each action was made."
    " Its chain was made at the import."
)


@dataclass
class Destination:
    """The study that a package is imported into, and what its rows refer to there."""

    package: PackageFiles
    study: Study
    versions: Mapping[tuple[str, str], Version]
    protocols: Mapping[int, ProtocolVersion]
    questions: tuple[Question, ...]
    known: dict[tuple[str, str], int] = field(init=False)
    """The rows that were imported, by the kind and the name that the package has for them."""

    def __post_init__(self) -> None:
        named = OutsideName.objects.filter(study=self.study).values_list("kind", "name", "row")
        self.known = {(kind, name): row for kind, name, row in named}

    def has(self, kind: str, name: object) -> bool:
        return (kind, str(name)) in self.known

    def row(self, kind: str, name: object) -> int | None:
        """The row of this name; None for no name."""
        return None if name is None else self.known[kind, str(name)]

    def name(self, kind: str, rows: Mapping[Any, int]) -> None:
        """Stores what the package calls these rows."""
        OutsideName.objects.bulk_create(
            OutsideName(study=self.study, kind=kind, row=row, name=str(name)) for name, row in rows.items()
        )
        self.known.update({(kind, str(name)): row for name, row in rows.items()})

    def participant(self, name: str, *, simulated: bool) -> int:
        if not self.has("participant", name):
            (made,) = new_participants([""], outside=True, simulated=simulated)
            self.name("participant", {name: made.pk})
        return self.known["participant", name]

    def staff(self, name: str | None) -> int | None:
        """An account of whom the package names: nobody can sign in with it."""
        if name is not None and not self.has("staff", name):
            made = Staff(
                username=f"elsewhere-{secrets.token_hex(4)}", first_name="Elsewhere", is_active=False
            )
            made.set_unusable_password()
            made.save()
            self.name("staff", {name: made.pk})
        return self.row("staff", name)


def import_session(to: Destination, row: Row) -> None:
    """Imports a session that is not there yet. Refusal: chain_broken; KeyError: a name that is not there."""
    number, package = row["session"], to.package
    attempts = sorted(package.of_session("attempts", number), key=lambda one: int(one["number"]))
    events = package.of_session("events", number)
    known = dict(to.known)
    try:
        with transaction.atomic():
            session = _session(to, row, [one["ended_at"] for one in attempts])
            to.name("session", {number: session.pk})
            for one in attempts:
                _attempt(to, session, one)
            if not package.is_public:
                _events(to, session, events)
                session.paused_at = adjustments_of(session).paused_since
                session.save(update_fields=["paused_at"])
            _voids(to, attempts, events)
            _judged(to, session, row)
            _comments(to, attempts)
    except BaseException:
        to.known = known
        raise


def _session(to: Destination, row: Row, ends: list[datetime]) -> Session:
    participant = to.participant(row["participant"], simulated=row["simulated"])
    protocol = None if row["protocol_version"] is None else to.protocols[row["protocol_version"]]
    consent = survey = None
    if row["consented_at"] is not None and protocol is not None:
        consent = Consent.objects.create(
            participant_id=participant, text=protocol.value.consent_text, given_at=row["consented_at"]
        )
    if answers := dict(_answers(to.questions, row)):
        answered_at = row["tutorial_done_at"] or row["consented_at"] or row["created_at"]
        survey = Survey.objects.create(participant_id=participant, answers=answers, answered_at=answered_at)
    ended_at, reason = row["ended_at"], row["end_reason"]
    if ended_at is None:  # it went on when the package was made; here nobody sits in it
        ended_at, reason = max([row["checked_in_at"] or row["created_at"], *ends]), SessionEnd.IMPORTED
    return Session.objects.create(
        study=to.study, participant_id=participant, protocol=protocol, consent=consent, survey=survey,
        code_hash=secrets.token_hex(32), station=row.get("station"), language=row["language"],
        ended_at=ended_at, end_reason=reason,
        **{name: row[name] for name in ("created_at", "checked_in_at", "tutorial_done_at")},
    )  # fmt: skip


def _answers(questions: tuple[Question, ...], row: Row) -> Iterator[tuple[str, Any]]:
    """The answers in the form that the question asks for: the public variant has groups and no texts."""
    for question in questions:
        answer = row.get(f"survey_{question.name}")
        if answer is not None and question.is_whole == isinstance(answer, int):
            yield question.name, answer


def _attempt(to: Destination, session: Session, row: Row) -> None:
    version = to.versions[row["environment"], row["version"]]
    entries = to.package.of_attempt("entries", row["attempt"])
    if to.package.is_public:
        row, entries = _untimed(row, entries)
    attempt = Attempt.objects.create(
        session=session, participant_id=session.participant_id, version=version,
        environment_id=version.environment_id,
        **{name: row[name] for name in ("number", "seed", "assigned_at", "first_frame_at")},
    )  # fmt: skip
    written = list(_chained(attempt.pk, row, entries, check=not to.package.is_public))
    insert_entries(connection, written)
    for name in (
        *("ended_at", "outcome", "fault_code", "fault_message", "actions", "levels_completed"),
        "last_action_at",
    ):
        setattr(attempt, name, row[name])
    attempt.paused = timedelta(seconds=row["paused_seconds"])
    attempt.granted = timedelta(seconds=row["granted_seconds"])
    last = written[-1].chain if written else _start(row)
    attempt.seal = seal_after(attempt, last, len(written))
    if not to.package.is_public and attempt.seal.hex() != row["seal"]:
        raise Refusal("chain_broken", f"The end of attempt {row['attempt']} is not what was sealed.")
    attempt.save()
    to.name("attempt", {row["attempt"]: attempt.pk})
    OutsideAttempt.objects.create(
        attempt=attempt, name=f"attempt {row['attempt']}", digest=sha256(attempt.seal).hexdigest(),
        dialect=DIALECT, person=row["participant"], as_arcengine=False, timed=not to.package.is_public,
        notes=_MARKED_PUBLIC if to.package.is_public else "", imported_at=now(),
    )  # fmt: skip
    for debrief in to.package.of_attempt("debriefs", row["attempt"]):
        difficulty, about = debrief["difficulty"], debrief.get("about") or ""
        if difficulty is not None or about:
            Debrief.objects.create(
                attempt=attempt, difficulty=difficulty, about=about, answered_at=debrief["answered_at"]
            )


def _untimed(row: Row, entries: list[Row]) -> tuple[Row, list[Row]]:
    """A public attempt: its first frame at its hour, everything else after the time that it took."""
    first = row["first_frame_at"]
    if first is None:
        return row | {"paused_seconds": 0.0}, entries
    last = first + timedelta(seconds=row["seconds"])
    times = {"last_action_at": last, "ended_at": last, "assigned_at": first, "paused_seconds": 0.0}
    return row | times, [one | {"server_time": last if one["seq"] else first} for one in entries]


def _chained(attempt: int, row: Row, entries: list[Row], *, check: bool) -> Iterator[NewEntry]:
    """The entries with their chain. Refusal chain_broken, if it is checked and not what the package says."""
    value = _start(row)
    for place, one in enumerate(entries):
        if one["frames"] is None or one["seq"] != place:
            raise Refusal("chain_broken", f"Entry {place} of attempt {row['attempt']} is not in the package.")
        entry = NewEntry(
            attempt_id=attempt,
            **{name: one[name] for name in _AS_THEY_ARE},
            client_time=one.get("client_time"),
            input_kind=_INPUTS[one["input"]],
            state_hash=bytes.fromhex(one["state_hash"]),
            frames=b"",
        )
        value = entry_value(value, entry, one["frames"])
        if check and value.hex() != one["chain"]:
            message = f"Entry {place} of attempt {row['attempt']} is not what was recorded."
            raise Refusal("chain_broken", message)
        yield entry._replace(frames=deflated(one["frames"]), chain=value)


def _start(row: Row) -> bytes:
    return start_value(
        attempt=row["attempt"], session=row["session"], number=row["number"], game_id=row["game_id"],
        version_digest=row["version"], seed=row["seed"], assigned_at=row["assigned_at"],
    )  # fmt: skip


def _events(to: Destination, session: Session, rows: list[Row]) -> None:
    made = Event.objects.bulk_create(
        Event(
            session=session, attempt_id=to.row("attempt", row["attempt"]), staff_id=to.staff(row["staff"]),
            details=_details(row), **{name: row[name] for name in ("kind", "server_time", "client_time")},
        )
        for row in rows
    )  # fmt: skip
    to.name("event", {row["event"]: event.pk for row, event in zip(rows, made, strict=True)})


def _details(row: Row) -> dict[str, Any]:
    """What staff wrote is empty where the package leaves it out."""
    details: dict[str, Any] = json.loads(row["details"])
    hidden = WRITTEN_BY_STAFF.get(EventKind(row["kind"]))
    return details if hidden is None else {hidden: "", **details}


def _voids(to: Destination, attempts: list[Row], events: list[Row]) -> None:
    """The voids that stand. Their events have who voided."""
    for row in attempts:
        why = row["excluded_why"] or ""
        if why.startswith(_VOIDED):
            event = next(
                one
                for one in reversed(events)
                if one["attempt"] == row["attempt"] and one["kind"] == EventKind.ATTEMPT_VOIDED
            )
            Void.objects.create(
                attempt_id=to.row("attempt", row["attempt"]), staff_id=to.staff(event["staff"]),
                reason=why.removeprefix(_VOIDED), voided_at=event["server_time"],
            )  # fmt: skip


def _judged(to: Destination, session: Session, of: Row) -> None:
    """Flags, and the decisions of reviewers. The rules of effort judge nothing of it again."""
    flags = to.package.of_session("flags", of["session"])
    Flag.objects.bulk_create(_flag(to, session, row) for row in flags)
    if attempts := session.attempts.count():
        assert session.protocol is not None, "nobody plays before the check-in"
        Assessment.objects.create(
            session=session, rule_version=RULE_VERSION, attempts=attempts,
            thresholds=session.protocol.value.effort.changes,
        )  # fmt: skip
    for row in to.package.of_session("decisions", of["session"]):
        made = Decision.objects.create(
            session=session, reviewer_id=to.staff(row["reviewer"]),
            attempt_id=to.row("attempt", row["attempt"]),
            explanation=row.get("words") or "", opened_by=row["opened_by"] or "",
            **{f"{name}_id": to.row("decision", row[name]) for name in _RELATIONS},
            **{name: row[name] for name in ("kind", "from_seq", "reason", "rule_version", "decided_at")},
            needs_confirmation=row["needs_confirmation"],
        )  # fmt: skip
        to.name("decision", {row["decision"]: made.pk})


def _flag(to: Destination, session: Session, row: Row) -> Flag:
    figures = json.loads(row["figures"])
    if "moments" in figures:
        figures["moments"] = [[to.row("attempt", number), seq] for number, seq in figures["moments"]]
    return Flag(
        session=session, attempt_id=to.row("attempt", row["attempt"]), figures=figures,
        thresholds=None if row["thresholds"] is None else json.loads(row["thresholds"]),
        judged_at=row["superseded_at"] or row["raised_at"],
        **{
            name: row[name]
            for name in ("rule", "rule_version", "strength", "sentence", "raised_at", "superseded_at")
        },
    )  # fmt: skip


def _comments(to: Destination, attempts: list[Row]) -> None:
    for attempt in attempts:
        for row in to.package.of_attempt("comments", attempt["attempt"]):
            made = Comment.objects.create(
                attempt_id=to.row("attempt", attempt["attempt"]), author_id=to.staff(row["author"]),
                text=row.get("text") or "", tags=json.loads(row["tags"]),
                **{name: row[name] for name in ("seq", "seconds", "created_at")},
            )  # fmt: skip
            to.name("comment", {row["comment"]: made.pk})
