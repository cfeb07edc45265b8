"""The files of exported runs: the tables with their codebook (docs/codebook-runs.md), and recordings.

Columns that people's data have too are those of `review.codebook`, with the same words.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from hashlib import sha256
from itertools import batched
from pathlib import Path
from typing import Any

from django.db.models import QuerySet

from playtest.arena.models import Play
from playtest.arena.runs.reads import usage_of
from playtest.arena.runs.usage import Usage, usage_in
from playtest.play.models import AgentNote, Attempt
from playtest.review.codebook import ATTEMPTS, ENTRIES, LEVEL_RESULTS, Column, Table, sections
from playtest.review.official_recording import file_name, recording_lines
from playtest.review.queries import dataset as rows
from playtest.review.queries.dataset import Row
from playtest.review.services.table_files import TableWriter, digest_line
from playtest.rules.labels import RUN_OUTCOME_LABELS

_OF_ATTEMPTS = {column.name: column for column in ATTEMPTS.columns}
_ATTEMPT = _OF_ATTEMPTS["attempt"]
SAME_AS_PEOPLE = (
    "environment", "game_id", "version", "levels", "seed", "first_frame_at", "last_action_at", "ended_at",
    "fault_code", "fault_message", "actions", "levels_completed", "seconds", "seal",
)  # fmt: skip
"""The columns of people's table `attempts` that a run has too."""
USAGE = (
    Column("input_tokens", "integer", "Tokens of input, as the agent's harness said."),
    Column("cached_tokens", "integer", "Those of them that were cached."),
    Column("output_tokens", "integer", "Tokens of output, as the agent's harness said."),
    Column("reasoning_tokens", "integer", "Those of them that were reasoning."),
    Column("total_tokens", "integer", "All tokens: as said, else the sum of input and output."),
    Column("cost", "number", "Dollars, as the agent's harness said; empty if it said none."),
)

RUNS = Table(
    "runs",
    "One start of an environment by an agent. A full reset begins another row with the same `run`.",
    ("attempt",),
    (
        _ATTEMPT,
        Column("card", "text", "The scorecard's id."),
        Column("run", "text", "The id by which the agent knows the run (guid)."),
        Column("start", "integer", "Which start of the whole environment in this run, from 1."),
        Column("agent", "text", "The name of the API key that played."),
        Column("competition", "boolean", "Whether the scorecard was opened in competition mode."),
        Column("outcome", "text", f"One of {', '.join(RUN_OUTCOME_LABELS)}; empty while it is open."),
        *(_OF_ATTEMPTS[name] for name in SAME_AS_PEOPLE),
        Column("actions_with_usage", "integer", "Number of actions with which usage or cost was sent."),
        *USAGE,
    ),
)
NOTES = Table(
    "notes",
    "What an agent sent with an action. Actions without are left out.",
    ("attempt", "seq"),
    (
        _ATTEMPT,
        Column("seq", "integer", "The action, as in `entries`."),
        Column("reasoning", "text", "The reasoning as it was sent."),
        Column("request_key", "text", "The agent's key of the request, if it sent one."),
        *USAGE,
    ),
)
TABLES = (RUNS, ENTRIES, LEVEL_RESULTS, NOTES)

_INTRODUCTION = """# Codebook of runs

The runs of agents on one scorecard or one environment, as `manage.py export_runs` writes them: one file a
table, Parquet or CSV, this codebook, `runs.json` with the number of rows and the digests, and a folder
`recordings` with an official JSONL recording of every run. No run is in a study's data, and no person's
attempt is here. Columns with the names of people's tables mean the same ([codebook.md](codebook.md)).

Times are UTC. Rows are sorted by their key. Tokens and costs are those that the agent's harness sent with its
actions; nothing is estimated. In CSV, text that a spreadsheet would take for a formula has an apostrophe
before it.

`playtest/arena/runs/export_files.py` declares it; `manage.py export_runs --codebook` prints it.
"""
_ATTEMPTS_AT_ONCE = 500


def markdown() -> str:
    """The text of docs/codebook-runs.md."""
    return "\n".join([_INTRODUCTION, *sections(TABLES)])


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
    writers = {table.name: TableWriter(table, folder, form) for table in TABLES}
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
        "tables": tables,
    }
    (folder / "runs.json").write_text(json.dumps(facts, indent=2) + "\n")
    (folder / "codebook.md").write_text(markdown())
    return RunFiles(counts, len(attempt_ids), digest, held_back)
