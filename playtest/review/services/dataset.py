"""Writes a study's data: one file a table, the codebook, and the digest of the content."""

import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from playtest.jobs.models import JobStatus
from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Attempt, Study
from playtest.play.sessions.adjustments import adjustments_of_attempts
from playtest.play.sessions.reads import TASKS
from playtest.play.sessions.studies import questions_of_study
from playtest.review import codebook
from playtest.review.models import Export, ExportKind
from playtest.review.queries import dataset as rows
from playtest.review.queries.exports import environments_of_study
from playtest.review.queries.signed_days import exported_days
from playtest.review.queries.task_dataset import task_rows
from playtest.review.reading import readme
from playtest.review.services.export_files import Report
from playtest.review.services.table_files import CSV, PARQUET, TableWriter, digest_line, pack_folder
from playtest.rules.results import undo_text
from playtest.studio.models import SightingKind
from playtest.studio.queries.waivers import granted
from playtest.studio.services.sightings import note_sightings

KINDS = {ExportKind.STUDY_PARQUET: PARQUET, ExportKind.STUDY_CSV: CSV}
README, FACTS, ORIGIN = "README.md", "dataset.json", "ORIGIN.txt"
"""Beside the tables: for people, for programs, and where the data of a study from outside are from."""


@dataclass(frozen=True, slots=True)
class Dataset:
    """What was written: rows by table, and one digest for all of it (SHA-256, hexadecimal)."""

    rows: dict[str, int]
    digest: str


def write_dataset(
    study: Study, folder: Path, form: str, *, identified: bool, report: Report = lambda done, total: None
) -> Dataset:
    """Write into a folder, made if there is none; `form` is one of FORMATS. `report` may raise to stop."""
    folder.mkdir(parents=True, exist_ok=True)
    names = rows.Names(study, identified=identified)
    ended = Attempt.objects.filter(session__study=study, ended_at__isnull=False).order_by("pk")
    attempt_ids = list(ended.values_list("pk", flat=True))
    questions = questions_of_study(study)
    tables = codebook.tables_of(questions)
    writers = {table.name: TableWriter(table, folder, form, names) for table in tables}
    writers["sessions"].extend(rows.sessions(study, names, questions))
    standing = rows.standings(study, names)
    writers["attempts"].extend(rows.attempts(attempt_ids, names, standing))
    writers["debriefs"].extend(rows.debriefs(attempt_ids))
    clocks, undo_counts = adjustments_of_attempts(ended), study.protocol.undo_counts
    tasks = set(ended.filter(TASKS).values_list("pk", flat=True))
    outside = dict(ended.filter(outside__isnull=False).values_list("pk", "outside__differs_from"))
    of_tasks = task_rows(attempt_ids, names, clocks, standing)
    for done, journal in enumerate(rows.journals(attempt_ids), start=1):
        writers["entries"].extend(journal)
        attempt = journal[0][0]
        if attempt in tasks:
            of_task = next(of_tasks)
            for name in ("level_results", "submissions", "edits"):
                writers[name].extend(getattr(of_task, name))
        elif outside.get(attempt) is None:  # what does not play as recorded has no level results
            results = rows.level_results(
                journal, clocks, standing[attempt], undo_counts=undo_counts, restarts=attempt in outside
            )
            writers["level_results"].extend(results)
        report(done, len(attempt_ids))
    writers["events"].extend(rows.events(study, attempt_ids, names))
    writers["flags"].extend(rows.flags(study, names))
    writers["decisions"].extend(rows.decisions(study, names))
    writers["comments"].extend(rows.comments(attempt_ids, names))
    days = exported_days()
    if names.renumbers:  # the days signed here have other numbers
        days["days"] = []
    (folder / "signed_days.json").write_text(json.dumps(days, indent=1) + "\n")
    if study.is_outside:
        (folder / ORIGIN).write_text(f"{study.outside.full_origin}\n")
    of_actions = undo_text(undo_counts=undo_counts)
    (folder / README).write_text(readme(study.name, form, of_actions))
    return _finish(study, folder, list(writers.values()), of_actions, identified=identified)


def make_dataset(export: Export, path: Path, report: Report) -> str:
    """Writes the data of an export's study as a ZIP file; returns its digest."""
    assert export.study is not None, "data is of a study"
    with tempfile.TemporaryDirectory(dir=path.parent) as made:
        folder = Path(made)
        form, identified = KINDS[ExportKind(export.kind)], bool(export.options["identified"])
        digest = write_dataset(export.study, folder, form, identified=identified, report=report).digest
        pack_folder(folder, path)
    return digest


def check_allowed(staff: Staff | None, *, identified: bool) -> None:
    """Refuses identified data without the right to it. `staff` None: the command line without an account.

    Refusal 403: identified_needs_right.
    """
    if identified and (staff is None or not staff.may(Right.TAKE_IDENTIFIED)):
        message = "Identified data needs a right that your role does not include: ask the lead."
        raise Refusal("identified_needs_right", message, status=403)


def record_taken(study: Study, form: str, staff: Staff | None, dataset: Dataset, *, identified: bool) -> None:
    """Records that data was written outside the server's own folder: who, when, which."""
    moment = now()
    Export.objects.create(
        kind=next(kind for kind, name in KINDS.items() if name == form),
        study=study,
        options={"identified": identified},
        status=JobStatus.DONE,
        digest=dataset.digest,
        requested_by=staff,
        requested_at=moment,
        finished_at=moment,
    )
    taken = environments_of_study(study).values_list("pk", flat=True)
    note_sightings(taken, SightingKind.FILE, staff, "manage.py export_study")


def _finish(
    study: Study, folder: Path, writers: Sequence[TableWriter], of_actions: str, *, identified: bool
) -> Dataset:
    digests = {writer.table.name: writer.close() for writer in writers}
    counts = {writer.table.name: writer.rows for writer in writers}
    digest = sha256(digest_line([identified, *digests.items()])).hexdigest()
    environments = list(environments_of_study(study))
    waivers = granted(environments)
    facts = {
        "study": study.name,
        "identified": identified,
        "digest": digest,
        "of_actions": of_actions,
        "waived": [
            {"environment": one.code, "need": need, "reason": waiver.reason, "at": waiver.at.isoformat()}
            for one in environments
            for need, waiver in waivers[one.pk].items()
        ],
        "tables": {name: {"rows": counts[name], "digest": digests[name]} for name in digests},
    }
    (folder / FACTS).write_text(json.dumps(facts, indent=2) + "\n")
    (folder / "codebook.md").write_text(codebook.markdown([writer.table for writer in writers]))
    return Dataset(counts, digest)
