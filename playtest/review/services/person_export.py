"""All that is stored of one person, as a ZIP file of readable files with a README that says what each is.

Staff are not named: their names, hashes of codes and links, and the chain values of the record are left out.
So is what can be computed again from the rest, as level results.
"""

import json
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.db.models import BinaryField, Model, Q

from playtest.center.models import (
    Adjustment,
    AdjustmentDecision,
    Message,
    PaidSession,
    PayLine,
    Receipt,
    Slot,
    Void,
    VoidReversal,
)
from playtest.jobs.lifecycle import Enqueue
from playtest.people.models import Contact, Participant, PersonExport, SamePerson, SamePersonReversal, Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Attempt, Debrief, Event, Study
from playtest.review.models import CollectionItem, Comment, Decision, Export, ExportKind, Flag
from playtest.review.official_recording import file_name, recording_lines
from playtest.review.services.export_files import Report
from playtest.rules.custody import Fact, may_disclose
from playtest.studio.models import Environment, SightingKind
from playtest.studio.services.sightings import note_sightings

type Rows = Iterable[Model]
type Zip = zipfile.ZipFile


@dataclass(frozen=True)
class Table:
    """One file of rows: its name, what it is, and the person's rows."""

    name: str
    what: str
    rows: Callable[[Participant], Rows]


def _linked(person: Participant) -> Q:
    return Q(one=person) | Q(other=person)


TABLES = (
    Table(
        "identity", "Your pseudonym, and the recruiter's reference, if there is one.", lambda person: [person]
    ),
    Table("contact", "Your e-mail address.", lambda person: Contact.objects.filter(participant=person)),
    Table("consents", "The texts that you agreed to.", lambda person: person.consents.all()),
    Table("surveys", "Your answers to the survey.", lambda person: person.surveys.all()),
    Table("bookings", "Your appointments.", lambda person: person.bookings.select_related("slot")),
    Table(
        "messages",
        "The e-mails that were sent to you about appointments; their texts are not stored.",
        lambda person: Message.objects.filter(booking__participant=person),
    ),
    Table("sessions", "Your sessions at the center.", lambda person: person.sessions.select_related("study")),
    Table(
        "events",
        "What happened in your sessions beside your actions, as pauses and notes of staff.",
        lambda person: Event.objects.filter(session__participant=person),
    ),
    Table(
        "attempts",
        "The games and tasks that you played: when, how many actions, how it ended.",
        lambda person: person.attempts.select_related("environment"),
    ),
    Table(
        "debriefs",
        "What you said of each game afterwards.",
        lambda person: Debrief.objects.filter(attempt__participant=person),
    ),
    Table(
        "pay_accounts",
        "Your accounts of pay, one for each session.",
        lambda person: person.pay_accounts.all(),
    ),
    Table(
        "pay_sessions",
        "Which session an account is of.",
        lambda person: PaidSession.objects.filter(account__participant=person),
    ),
    Table(
        "pay_lines",
        "What was added to your pay, and what was paid (below zero).",
        lambda person: PayLine.objects.filter(account__participant=person),
    ),
    Table(
        "pay_adjustments",
        "What staff asked to add to your pay or to deduct.",
        lambda person: Adjustment.objects.filter(account__participant=person),
    ),
    Table(
        "pay_decisions",
        "Whether that was approved.",
        lambda person: AdjustmentDecision.objects.filter(adjustment__account__participant=person),
    ),
    Table(
        "pay_receipts",
        "Receipts that were printed for you.",
        lambda person: Receipt.objects.filter(account__participant=person),
    ),
    Table(
        "flags",
        "What rules noticed in your sessions, for staff to look at.",
        lambda person: Flag.objects.filter(session__participant=person),
    ),
    Table(
        "decisions",
        "What staff decided about whether your sessions and attempts count, and why.",
        lambda person: Decision.objects.filter(session__participant=person),
    ),
    Table(
        "voids",
        "Attempts that staff took out of the results.",
        lambda person: Void.objects.filter(attempt__participant=person),
    ),
    Table(
        "void_reversals",
        "Which of these were put back.",
        lambda person: VoidReversal.objects.filter(void__attempt__participant=person),
    ),
    Table(
        "comments",
        "What staff wrote at moments of your attempts.",
        lambda person: Comment.objects.filter(attempt__participant=person),
    ),
    Table(
        "collections",
        "Lists of replays in which staff put attempts of yours.",
        lambda person: CollectionItem.objects.filter(attempt__participant=person),
    ),
    Table(
        "same_person",
        "That staff hold another record to be yours, too.",
        lambda person: SamePerson.objects.filter(_linked(person)),
    ),
    Table(
        "same_person_reversals",
        "Which of these were a mistake.",
        lambda person: SamePersonReversal.objects.filter(link__in=SamePerson.objects.filter(_linked(person))),
    ),
    Table(
        "films",
        "Films that staff made of your attempts.",
        lambda person: Export.objects.filter(attempt__participant=person),
    ),
    Table(
        "data_exports", "When this file was asked for, and before.", lambda person: person.data_exports.all()
    ),
)
_RECORDINGS = "recordings/"
_README = """All that is stored of {label}, written on {at:%Y-%m-%d %H:%M} UTC.

Files *.json are lists of rows; a number such as "session": 5 is the "id" of a row in sessions.json.
Times are UTC. Staff are not named. Of codes and personal links the product itself has only digests,
which are left out.

{files}

recordings/ has a file for each game that you played, with a line for each action: when, which, and
what it did. For a task it has a row for each edit.
{frames}"""
_NO_FRAMES = """
Pictures of games that are not public are left out, and a digest stands for each: the center has to
give these games to others who have never seen them.
"""
_NAMED = (Environment, Slot, Study)


def request_person_export(person: Participant, staff: Staff, enqueue: Enqueue) -> Export:
    """Requests the file with all data of a person, made by a worker; recorded. Refusal: already_withdrawn."""
    with transaction.atomic():
        _record(person, staff, held_out=False)
        options = {"participant": person.pk, "identified": True}
        export = Export.objects.create(
            kind=ExportKind.PERSON, options=options, requested_by=staff, requested_at=now()
        )
        transaction.on_commit(lambda: enqueue(export.pk), robust=True)
    return export


def make_person(export: Export, path: Path, report: Report) -> str:
    """Writes the file of an export of this kind; its digest is empty."""
    assert export.person is not None, "this is the data of a person"
    write_person(export.person, path, report)
    return ""


def export_now(person: Participant, path: Path, staff: Staff | None, *, held_out: bool) -> None:
    """Writes the file outside the server's own folder; recorded. `held_out`: with the frames of all sets.

    Refusal: already_withdrawn. Raises FileExistsError.
    """
    path.touch(mode=0o600, exist_ok=False)
    try:
        with transaction.atomic():
            _record(person, staff, held_out=held_out)
        write_person(person, path, held_out=held_out)
    except BaseException:
        path.unlink()
        raise
    played = person.attempts.values_list("environment", flat=True)
    note_sightings(set(played), SightingKind.FILE, staff, "manage.py export_person")


def _record(person: Participant, staff: Staff | None, *, held_out: bool) -> None:
    if hasattr(person, "withdrawal"):
        raise Refusal(
            "already_withdrawn", f"{person.label} has withdrawn: nothing is left but the pseudonym."
        )
    PersonExport.objects.create(participant=person, staff=staff, held_out=held_out, asked_at=now())


def write_person(
    person: Participant,
    path: Path,
    report: Report = lambda done, total: None,
    *,
    held_out: bool = False,
) -> None:
    """Writes everything into a ZIP file; `report` may raise to stop."""
    attempts = list(person.attempts.select_related("environment", "version").order_by("pk"))
    frames = [held_out or may_disclose(one.environment.release_set, Fact.RECORDING) for one in attempts]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        listed = "\n".join(f"{table.name}.json: {table.what}" for table in TABLES)
        readme = _README.format(
            label=person.label, at=now(), files=listed, frames="" if all(frames) else _NO_FRAMES
        )
        file.writestr("README.txt", readme)
        for table in TABLES:
            _write(file, f"{table.name}.json", table.rows(person))
        for done, (attempt, with_frames) in enumerate(zip(attempts, frames, strict=True), start=1):
            _write_play(file, attempt, with_frames=with_frames)
            report(done, len(attempts))


def _write_play(file: Zip, attempt: Attempt, *, with_frames: bool) -> None:
    """The attempt as a recording; a task's as its edits. A damaged journal says so in its place."""
    if not attempt.version.kind.has_program:
        _write(file, f"{_RECORDINGS}attempt-{attempt.pk}.json", attempt.entries.order_by("seq"))
        return
    try:
        lines = recording_lines(attempt, frames=with_frames)
    except Refusal as refusal:
        file.writestr(f"{_RECORDINGS}attempt-{attempt.pk}.txt", f"{refusal.code}: {refusal.message}\n")
        return
    with file.open(f"{_RECORDINGS}{file_name(attempt)}", "w") as place:
        for line in lines:
            place.write(line.encode())


def _write(file: Zip, name: str, rows: Rows) -> None:
    found = [_readable(row) for row in rows]
    file.writestr(name, json.dumps(found, indent=1, ensure_ascii=False, cls=DjangoJSONEncoder) + "\n")


def _readable(row: Model) -> dict[str, Any]:
    """The columns of a row that are about the person."""
    found: dict[str, Any] = {}
    for field in row._meta.concrete_fields:
        to = field.related_model
        if to is Staff or isinstance(field, BinaryField) or field.name.endswith("_hash"):
            continue
        if to in _NAMED:
            found[field.name] = str(getattr(row, field.name))
        elif field.choices:
            found[field.name] = getattr(row, f"get_{field.name}_display")()
        else:
            found[field.name] = getattr(row, field.attname)
    return found
