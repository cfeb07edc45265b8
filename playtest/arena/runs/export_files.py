"""The files of exported runs: the tables that docs/codebook-runs.md declares, and recordings."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from hashlib import sha256
from itertools import batched
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import QuerySet

from playtest.arena.models import Play
from playtest.arena.runs.sums import usage_of
from playtest.arena.runs.usage import Usage, usage_in
from playtest.insight.paper.package.describe import NO_LICENCE, front_matter, table_of_tables
from playtest.play.models import AgentNote, Attempt
from playtest.review.codebook import tables_in
from playtest.review.official_recording import file_name, recording_lines
from playtest.review.queries import dataset as rows
from playtest.review.queries.dataset import Row
from playtest.review.services.table_files import FORMATS as TABLE_FORMATS
from playtest.review.services.table_files import PARQUET, TableWriter, digest_line
from playtest.rules.results import undo_text

DOCUMENT = settings.BASE_DIR / "docs" / "codebook-runs.md"
_, TABLES = tables_in(DOCUMENT)
SAME_AS_PEOPLE = (
    "environment", "game_id", "version", "levels", "seed", "first_frame_at", "last_action_at", "ended_at",
    "fault_code", "fault_message", "actions", "levels_completed", "seconds", "seal",
)  # fmt: skip
"""The columns of people's table `attempts` that a run has too, with the same words in both codebooks."""
_ATTEMPTS_AT_ONCE = 500
HUGGING_FACE = "huggingface"
FORMATS = (*TABLE_FORMATS, HUGGING_FACE)


def runs(attempt_ids: Sequence[int]) -> Iterator[Row]:
    """Rows of the table `runs`, by attempt."""
    for part in batched(attempt_ids, _ATTEMPTS_AT_ONCE):
        used = usage_of(part)
        plays = (
            Play.objects.filter(attempt__in=part)
            .order_by("attempt")
            .select_related("attempt__environment", "attempt__version", "run__card__key")
        )
        for play in plays:
            attempt, card, usage = play.attempt, play.run.card, used[play.attempt_id]
            facts = {
                "environment": attempt.environment.code,
                "game_id": attempt.version.game_id,
                "version": attempt.version.digest,
                "levels": attempt.version.levels,
                "seal": None if attempt.seal is None else bytes(attempt.seal).hex(),
            }
            yield (
                attempt.pk,
                str(card.card_id),
                str(play.run.guid),
                play.number,
                card.key.name,
                card.competition,
                attempt.outcome,
                *(facts[name] if name in facts else getattr(attempt, name) for name in SAME_AS_PEOPLE),
                usage.actions,
                *_usage(usage),
            )


def notes(attempt_ids: Sequence[int]) -> Iterator[Row]:
    """Rows of the table `notes`, by attempt and seq."""
    for part in batched(attempt_ids, _ATTEMPTS_AT_ONCE):
        found = AgentNote.objects.filter(attempt__in=part).order_by("attempt", "seq")
        for *note, text, key in found.values_list("attempt", "seq", "reasoning", "request_key").iterator():
            yield *note, text, key, *_usage(usage_in(text))


def _usage(usage: Usage) -> tuple[Any, ...]:
    """The columns of usage; empty where nothing was said."""
    if not usage.actions:
        return (None,) * 6
    tokens = astuple(usage)[1:6]
    return *tokens, usage.cost


def dataset_card(rows: Mapping[str, int]) -> str:
    """`README.md` of a folder that `datasets` loads: each table with rows is a configuration of its own."""
    licence = settings.DATA_LICENCE
    lines = front_matter("Runs of agents", rows, ("agents", "interactive-reasoning"), licence)
    lines += ["", "# Runs of agents", "", *_CARD, "", f"Licence: {licence or NO_LICENCE}", ""]
    return "\n".join([*lines, *table_of_tables(TABLES, rows), ""])


_CARD = (
    "Runs of agents at turn-based environments of 64x64 cells: every action, with what it led to. Nothing",
    "here is of people. `codebook.md` describes every column, `recordings/` the official recordings with all",
    f"frames (JSON lines), `runs.json` the digests of the tables. Of actions, {undo_text(undo_counts=True)}.",
    "",
    "```python",
    "from datasets import load_dataset",
    'runs = load_dataset("the folder of this file", "runs", split="train")',
    "```",
)


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

    `form` is one of FORMATS; the files say how many were `held_back`. Refusal: record_damaged.
    """
    tables_in, table_form = folder, form
    if form == HUGGING_FACE:
        tables_in, table_form = folder / "parquet", PARQUET
        tables_in.mkdir(parents=True, exist_ok=True)
    (folder / "recordings").mkdir(parents=True, exist_ok=True)
    attempt_ids = list(plays.order_by("attempt").values_list("attempt", flat=True))
    writers = {table.name: TableWriter(table, tables_in, table_form) for table in TABLES}
    writers["runs"].extend(runs(attempt_ids))
    for journal in rows.journals(attempt_ids):
        writers["entries"].extend(journal)
        writers["level_results"].extend(rows.level_results(journal, {}, undo_counts=True))
    writers["notes"].extend(notes(attempt_ids))
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
        "of_actions": undo_text(undo_counts=True),
        "tables": tables,
    }
    (folder / "runs.json").write_text(json.dumps(facts, indent=2) + "\n")
    (folder / "codebook.md").write_text(DOCUMENT.read_text())
    if form == HUGGING_FACE:
        (folder / "README.md").write_text(dataset_card(counts))
    return RunFiles(counts, len(attempt_ids), digest, held_back)
