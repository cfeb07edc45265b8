"""Declares the tables of agents' runs, for their export and for docs/codebook-runs.md.

Columns that people's data have too are those of `review.codebook`, with the same words.
"""

from playtest.review.codebook import ATTEMPTS, ENTRIES, LEVEL_RESULTS, sections
from playtest.review.tables import Column, Table
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

`playtest/arena/codebook.py` declares it; `manage.py export_runs --codebook` prints it.
"""


def markdown() -> str:
    """The text of docs/codebook-runs.md."""
    return "\n".join([_INTRODUCTION, *sections(TABLES)])
