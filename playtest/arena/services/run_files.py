"""Writes the runs of a scorecard or an environment: tables, official recordings, and the codebook."""

import json
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.db.models import QuerySet

from playtest.arena import codebook
from playtest.arena.models import Play
from playtest.arena.queries import run_rows
from playtest.play.models import Attempt
from playtest.review.official_recording import file_name, recording_lines
from playtest.review.queries import dataset as rows
from playtest.review.services.table_files import TableWriter, digest_line


@dataclass(frozen=True, slots=True)
class RunFiles:
    """What was written: rows by table, the number of recordings, one digest for the tables (SHA-256).

    `held_back` is how many runs are missing because of the set of their environment.
    """

    rows: dict[str, int]
    recordings: int
    digest: str
    held_back: int = 0


def write_runs(plays: QuerySet[Play], folder: Path, form: str, held_back: int = 0) -> RunFiles:
    """Writes these runs, which have ended, into a folder that is made if there is none.

    `form` is one of `table_files.FORMATS`; the files say how many were `held_back`. Refusal: record_damaged.
    """
    (folder / "recordings").mkdir(parents=True, exist_ok=True)
    attempt_ids = list(plays.order_by("attempt").values_list("attempt", flat=True))
    writers = {table.name: TableWriter(table, folder, form) for table in codebook.TABLES}
    writers["runs"].extend(run_rows.runs(attempt_ids))
    for journal in rows.journals(attempt_ids):
        writers["entries"].extend(journal)
        writers["level_results"].extend(rows.level_results(journal, {}))
    writers["notes"].extend(run_rows.notes(attempt_ids))
    for attempt in Attempt.objects.filter(pk__in=attempt_ids).select_related("version").iterator(100):
        with (folder / "recordings" / file_name(attempt)).open("w") as file:
            file.writelines(recording_lines(attempt))
    digests = {name: writer.close() for name, writer in writers.items()}
    counts = {name: writer.rows for name, writer in writers.items()}
    digest = sha256(digest_line(list(digests.items()))).hexdigest()
    tables = {name: {"rows": counts[name], "digest": digests[name]} for name in digests}
    facts: dict[str, Any] = {
        "digest": digest,
        "recordings": len(attempt_ids),
        "held_back": held_back,
        "tables": tables,
    }
    (folder / "runs.json").write_text(json.dumps(facts, indent=2) + "\n")
    (folder / "codebook.md").write_text(codebook.markdown())
    return RunFiles(counts, len(attempt_ids), digest, held_back)
