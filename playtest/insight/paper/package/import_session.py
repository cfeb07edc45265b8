"""Imports one session of a package with all that belongs to it, in one transaction.

Every attempt is written as it was played: open, then its entries by the statement of the journal, then its
end with its seal. So the triggers hold for what is imported as for what is recorded here.
"""

import json
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
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
from playtest.play.models.outside import PUBLIC_PACKAGE, SEALED_PACKAGE
from playtest.play.sessions.adjustments import adjustments_of
from playtest.play.sessions.studies import questions_of_study
from playtest.review.models import Assessment, Comment, Decision, Flag
from playtest.review.queries.dataset import STATE_HASH, WRITTEN_BY_STAFF
from playtest.rules.effort.thresholds import RULE_VERSION
from playtest.rules.survey import Question
from playtest.studio.models import Version

_VOIDED = "voided_"
_INPUTS = {kind.name.lower(): kind.value for kind in InputKind}
_ENTRY = (
    "seq action x y level levels_completed level_completed state available changed frame_count server_time"
    " previous_paint_ms screen_age_ms queued_ms edit"
)
_END = "ended_at outcome fault_code fault_message actions levels_completed last_action_at"
_CLOCKS = ("paused", "granted")
_RELATIONS = ("part_of", "confirms", "answers", "settles", "reverses")
_MARKED_PUBLIC = (
    "Its times are those of the public package: minutes, and nothing says when each action was made."
    " Its chain was made at the import."
)
_NOT_PUBLIC: Row = {"previous_paint_ms": None, "screen_age_ms": None, "queued_ms": None, "input": "unknown"}
_NO_ROW = 0
_LANGUAGE = "en"
"""Where the public data do not say it."""
_NO_SENTENCE = "The public data do not say what raised this flag."


@dataclass
class Destination:
    """The study that a package is imported into, and what its rows refer to there."""

    package: PackageFiles
    study: Study
    versions: Mapping[tuple[str, str], Version]
    protocols: dict[int, ProtocolVersion] = field(init=False)
    questions: tuple[Question, ...] = field(init=False)
    known: dict[tuple[str, str], int] = field(init=False)
    """The rows that were imported, by the kind and the name that the package has for them."""

    def __post_init__(self) -> None:
        self.protocols = {version.number: version for version in self.study.protocol_versions.all()}
        self.questions = questions_of_study(self.study)
        named = OutsideName.objects.filter(study=self.study).values_list("kind", "name", "row")
        self.known = {(kind, name): row for kind, name, row in named}

    def has(self, kind: str, name: object) -> bool:
        return (kind, str(name)) in self.known

    def row(self, kind: str, name: object) -> Any:
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

    def staff(self, name: str | None) -> Any:
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
    """Imports a session that is not there yet. Refusal: chain_broken."""
    number, package = row["session"], to.package
    attempts = sorted(package.rows("attempts", session=number), key=lambda one: int(one["number"]))
    events = package.rows("events", session=number)
    played = [_played(package, one) for one in attempts]  # before it keeps others from recording
    with transaction.atomic():
        session = _session(to, row, [one["ended_at"] for one in attempts])
        to.name("session", {number: session.pk})
        for one, journal in played:
            _attempt(to, session, one, journal)
        if not package.is_public:
            _events(to, session, events)
            session.paused_at = adjustments_of(session).paused_since
            session.save(update_fields=["paused_at"])
        _voids(to, attempts, events)
        _judged(to, session, row)


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
        code_hash=secrets.token_hex(32), station=row.get("station"), language=row["language"] or _LANGUAGE,
        ended_at=ended_at, end_reason=reason,
        **_same(row, "created_at checked_in_at tutorial_done_at"),
    )  # fmt: skip


def _same(row: Row, names: str) -> Row:
    """These columns as they are."""
    return {name: row[name] for name in names.split()}


def _answers(questions: tuple[Question, ...], row: Row) -> Iterator[tuple[str, Any]]:
    """The answers in the form that the question asks for: the public variant has groups and no texts."""
    for question in questions:
        answer = row.get(f"survey_{question.name}")
        if answer is not None and question.is_whole == isinstance(answer, int):
            yield question.name, answer


def _played(package: PackageFiles, row: Row) -> tuple[Row, list[NewEntry]]:
    """An attempt with its times, and its entries, of no row yet."""
    entries = package.rows("entries", attempt=row["attempt"])
    if package.is_public:
        row, entries = _untimed(row, entries)
    return row, list(_chained(row, entries, check=not package.is_public))


def _attempt(to: Destination, session: Session, row: Row, journal: list[NewEntry]) -> None:
    version, public = to.versions[row["environment"], row["version"]], to.package.is_public
    attempt = Attempt.objects.create(
        session=session, participant_id=session.participant_id, version=version,
        environment_id=version.environment_id, **_same(row, "number seed assigned_at first_frame_at"),
    )  # fmt: skip
    insert_entries(connection, [entry._replace(attempt_id=attempt.pk) for entry in journal])
    last = journal[-1].chain if journal else _start(row)
    known: Row = {
        "name": f"attempt {row['attempt']}", "dialect": PUBLIC_PACKAGE if public else SEALED_PACKAGE,
        "as_arcengine": False, "timed": not public, "notes": _MARKED_PUBLIC if public else "",
    }  # fmt: skip
    OutsideAttempt.objects.create(
        attempt=attempt, digest=last.hex(), person=row["participant"], imported_at=now(),
        ratings=json.loads(row.get("ratings") or "{}"),
        **known | to.package.recordings.get(str(row["attempt"]), {}),
    )  # fmt: skip
    ended = _same(row, _END) | {name: timedelta(seconds=row[f"{name}_seconds"]) for name in _CLOCKS}
    for name, value in ended.items():
        setattr(attempt, name, value)
    attempt.seal = seal_after(attempt, last, len(journal))
    if not public and row["seal"] not in (None, attempt.seal.hex()):
        raise Refusal("chain_broken", f"The end of attempt {row['attempt']} is not what was sealed.")
    attempt.save()
    to.name("attempt", {row["attempt"]: attempt.pk})
    for one in to.package.rows("debriefs", attempt=row["attempt"]):
        if one["difficulty"] is not None or one.get("about"):
            about = one.get("about") or ""
            Debrief.objects.create(attempt=attempt, about=about, **_same(one, "difficulty answered_at"))
    for one in to.package.rows("comments", attempt=row["attempt"]):
        made = Comment.objects.create(
            attempt=attempt, author_id=to.staff(one["author"]), text=one.get("text") or "",
            tags=json.loads(one["tags"]), **_same(one, "seq seconds created_at"),
        )  # fmt: skip
        to.name("comment", {one["comment"]: made.pk})


def _untimed(row: Row, entries: list[Row]) -> tuple[Row, list[Row]]:
    """A public attempt: its first frame at its hour, everything else after the time that it took."""
    first = row["first_frame_at"]
    if first is None:
        return row | {"paused_seconds": 0.0}, [
            _NOT_PUBLIC | {"server_time": row["ended_at"]} | one for one in entries
        ]
    last = first + timedelta(seconds=row["seconds"])
    times = {"last_action_at": last, "ended_at": last, "assigned_at": first, "paused_seconds": 0.0}
    return row | times, [
        _NOT_PUBLIC | one | {"server_time": last if one["seq"] else first} for one in entries
    ]


def _chained(row: Row, entries: list[Row], *, check: bool) -> Iterator[NewEntry]:
    """The entries with their chain. Refusal chain_broken, if it is checked and not what the package says."""
    value = _start(row)
    for place, one in enumerate(entries):
        if one["frames"] is None or one["seq"] != place:
            raise Refusal("chain_broken", f"Entry {place} of attempt {row['attempt']} is not in the package.")
        entry = NewEntry(
            attempt_id=_NO_ROW,
            **_same(one, _ENTRY),
            client_time=one.get("client_time"),
            input_kind=_INPUTS[one["input"]],
            state_hash=bytes.fromhex(one["state_hash"].removeprefix(STATE_HASH)),
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
            details=_details(row), **_same(row, "kind server_time client_time"),
        )
        for row in rows
    )  # fmt: skip
    to.name("event", {row["event"]: event.pk for row, event in zip(rows, made, strict=True)})


def _details(row: Row) -> Row:
    """What staff wrote is empty where the package leaves it out."""
    details: Row = json.loads(row["details"])
    hidden = WRITTEN_BY_STAFF.get(EventKind(row["kind"]))
    return details if hidden is None else {hidden: "", **details}


def _voids(to: Destination, attempts: list[Row], events: list[Row]) -> None:
    """The voids that stand. Their last events have who voided, where the package has them."""
    voided = {one["attempt"]: one for one in events if one["kind"] == EventKind.ATTEMPT_VOIDED}
    for row in attempts:
        if (why := row["excluded_why"] or "").startswith(_VOIDED):
            event = voided.get(row["attempt"], {"staff": "elsewhere", "server_time": row["ended_at"]})
            Void.objects.create(
                attempt_id=to.row("attempt", row["attempt"]), staff_id=to.staff(event["staff"]),
                reason=why.removeprefix(_VOIDED), voided_at=event["server_time"],
            )  # fmt: skip


def _judged(to: Destination, session: Session, of: Row) -> None:
    """Flags, and the decisions of reviewers. The rules of effort judge nothing of it again."""
    Flag.objects.bulk_create(
        Flag(
            session=session, attempt_id=to.row("attempt", row["attempt"]), figures=_figures(to, row),
            thresholds=None if row["thresholds"] is None else json.loads(row["thresholds"]),
            judged_at=row["superseded_at"] or row["raised_at"],
            sentence=row.get("sentence") or _NO_SENTENCE,
            **_same(row, "rule rule_version strength raised_at superseded_at"),
        )
        for row in to.package.rows("flags", session=of["session"])
    )  # fmt: skip
    if session.protocol is not None and (attempts := session.attempts.count()):
        changes = session.protocol.value.effort.changes
        Assessment.objects.create(
            session=session, rule_version=RULE_VERSION, attempts=attempts, thresholds=changes
        )
    for row in to.package.rows("decisions", session=of["session"]):
        made = Decision.objects.create(
            session=session, attempt_id=to.row("attempt", row["attempt"]),
            reviewer_id=to.staff(row["reviewer"]), explanation=row.get("words") or "",
            opened_by=row["opened_by"] or "", blind=row.get("blind"),
            **{f"{name}_id": to.row("decision", row[name]) for name in _RELATIONS},
            **_same(row, "kind from_seq reason rule_version needs_confirmation decided_at"),
        )  # fmt: skip
        to.name("decision", {row["decision"]: made.pk})


def _figures(to: Destination, row: Row) -> Row:
    """The numbers of a flag; its moments are at attempts."""
    figures: Row = json.loads(row.get("figures") or '{"moments": []}')
    if "moments" in figures:
        figures["moments"] = [[to.row("attempt", number), seq] for number, seq in figures["moments"]]
    return figures
