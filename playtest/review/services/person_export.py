"""All that is stored of one person, as a ZIP file of readable files with a README that says what each is.

Staff are not named: their names, hashes of codes and links, and the chain values of the record are left out.
So is what can be computed again from the rest, as level results.
"""

import json
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from operator import or_
from pathlib import Path
from typing import Any

from django.apps import apps
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.db.models import BinaryField, Model, Q

from playtest.center.models import Slot
from playtest.jobs.lifecycle import Enqueue
from playtest.people.models import Participant, PersonExport, Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Attempt, Study
from playtest.review.models import Export, ExportKind
from playtest.review.official_recording import file_name, recording_lines
from playtest.review.services.export_files import Report
from playtest.rules.custody import Fact, may_disclose
from playtest.studio.models import Environment, SightingKind
from playtest.studio.services.sightings import note_sightings

type Rows = Iterable[Model]
type Zip = zipfile.ZipFile


@dataclass(frozen=True)
class Table:
    """One file of rows: its name, its model, the ways from a row to the person, and what it is."""

    name: str
    model: str
    paths: str
    what: str

    def rows(self, person: Participant) -> Rows:
        """The person's rows, in their order."""
        either = [Q(**{path: person.pk}) for path in self.paths.split()]
        found: Rows = apps.get_model(self.model)._default_manager.filter(reduce(or_, either)).order_by("pk")
        return found


_SESSION, _ATTEMPT, _ACCOUNT = "session__participant", "attempt__participant", "account__participant"
_LINK = "link__one link__other"
# fmt: off
TABLES = (
    Table("identity", "people.Participant", "pk", "Your pseudonym, and the recruiter's reference."),
    Table("contact", "people.Contact", "participant", "Your e-mail address."),
    Table("consents", "people.Consent", "participant", "The texts that you agreed to."),
    Table("surveys", "people.Survey", "participant", "Your answers to the survey."),
    Table("bookings", "center.Booking", "participant", "Your appointments."),
    Table("messages", "center.Message", "booking__participant", "E-mails about them; texts are not stored."),
    Table("sessions", "play.Session", "participant", "Your sessions at the center."),
    Table("events", "play.Event", _SESSION, "What happened in them, also notes of staff."),
    Table("attempts", "play.Attempt", "participant", "What you played: when, how much, how it ended."),
    Table("outside", "play.OutsideAttempt", _ATTEMPT, "Recordings of other studies that they were made of."),
    Table("debriefs", "play.Debrief", _ATTEMPT, "What you said of each game afterwards."),
    Table("pay_accounts", "center.PayAccount", "participant", "Your accounts of pay, one for each session."),
    Table("pay_sessions", "center.PaidSession", _ACCOUNT, "Which session an account is of."),
    Table("pay_lines", "center.PayLine", _ACCOUNT, "What you were owed; what was paid is below zero."),
    Table("pay_adjustments", "center.Adjustment", _ACCOUNT, "What staff asked to add or to deduct."),
    Table("pay_decisions", "center.AdjustmentDecision", f"adjustment__{_ACCOUNT}", "Whether it was granted."),
    Table("pay_notes", "center.PaymentNote", _ACCOUNT, "Whether payments reached you."),
    Table("pay_receipts", "center.Receipt", _ACCOUNT, "Receipts that were printed for you."),
    Table("flags", "review.Flag", _SESSION, "What rules noticed in your sessions, for staff to look at."),
    Table("decisions", "review.Decision", _SESSION, "Whether your sessions and attempts count, and why."),
    Table("voids", "center.Void", _ATTEMPT, "Attempts that staff took out of the results."),
    Table("void_reversals", "center.VoidReversal", f"void__{_ATTEMPT}", "Which of these were put back."),
    Table("comments", "review.Comment", _ATTEMPT, "What staff wrote at moments of your attempts."),
    Table("collections", "review.CollectionItem", _ATTEMPT, "Where staff put attempts of yours on a list."),
    Table("same_person", "people.SamePerson", "one other", "That staff hold another record to be yours."),
    Table("same_person_reversals", "people.SamePersonReversal", _LINK, "Which were a mistake."),
    Table("films", "review.Export", _ATTEMPT, "Films that staff made of your attempts."),
    Table("data_exports", "people.PersonExport", "participant", "When this file was asked for, and before."),
)
# fmt: on
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
    person: Participant, path: Path, report: Report = lambda done, total: None, *, held_out: bool = False
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
