"""Every table and column of a study's data, explained once, for the writer and for docs/codebook.md."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, get_type_hints

from playtest.rules.results import LevelResult
from playtest.rules.survey import QUESTIONS


@dataclass(frozen=True, slots=True)
class Column:
    """`kind` is integer, number, text, boolean or time (UTC, microseconds)."""

    name: str
    kind: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Table:
    """Rows are sorted by the `key` columns, which name a row."""

    name: str
    meaning: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]

    @property
    def column_names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)


_PARTICIPANT = Column(
    "participant",
    "text",
    "Who played: a keyed hash, the same person throughout this study and nobody elsewhere; in identified "
    "data the pseudonym that staff see.",
)
_SESSION = Column("session", "integer", "The session, as in `sessions`.")
_ATTEMPT = Column("attempt", "integer", "The attempt, as in `attempts` and in the address of its replay.")
_RULE_VERSION = Column("rule_version", "text", "The set of rules that was in force.")

SESSIONS = Table(
    "sessions",
    "One person's sitting.",
    ("session",),
    (
        Column("session", "integer", "The session's number."),
        _PARTICIPANT,
        Column("reference", "text", "The recruiter's own number for the person; only in identified data."),
        Column("simulated", "boolean", "Whether a program played, not a person."),
        Column("station", "integer", "The seat."),
        Column("created_at", "time", "When staff created the session."),
        Column("checked_in_at", "time", "When the code was first entered; the session's clock starts here."),
        Column("consented_at", "time", "When the participant agreed to the consent text."),
        Column("tutorial_done_at", "time", "When the tutorial was finished."),
        Column("ended_at", "time", "When the session ended."),
        Column("end_reason", "text", "pool_used_up, nothing_left, time_over, declined or ended_by_staff."),
        *(
            Column(
                f"survey_{question.name}",
                "text",
                f"“{question.text}” One of {', '.join(value for value, _ in question.choices)}; "
                "empty when skipped.",
            )
            for question in QUESTIONS
        ),
    ),
)
ATTEMPTS = Table(
    "attempts",
    "One person on one environment, once. Attempts still open when the data was taken are left out.",
    ("attempt",),
    (
        Column("attempt", "integer", "The attempt's number, as in the address of its replay."),
        _SESSION,
        _PARTICIPANT,
        Column("environment", "text", "The environment's four-character id."),
        Column("game_id", "text", "What the version calls itself: the code, a dash, the version's own name."),
        Column("version", "text", "SHA-256 of the environment's source, in hexadecimal."),
        Column("levels", "integer", "How many levels this version has."),
        Column("number", "integer", "Which environment of the session it was, from 1."),
        Column("seed", "integer", "What the environment was started with."),
        Column("assigned_at", "time", "When the environment was chosen for this person."),
        Column("first_frame_at", "time", "When the first frame was shown; the attempt's clock starts here."),
        Column("last_action_at", "time", "When the last action was accepted."),
        Column("ended_at", "time", "When the attempt ended."),
        Column(
            "outcome",
            "text",
            "completed, gave_up, concluded (at the soft limit), timed_out, session_over or fault.",
        ),
        Column("fault_code", "text", "What was wrong with the environment, if the outcome is fault."),
        Column("fault_message", "text", "The same as a sentence."),
        Column("actions", "integer", "Actions made, each reset being one; the opening frame is none."),
        Column("levels_completed", "integer", "Levels completed."),
        Column("seconds", "number", "Interaction: first frame to last accepted action."),
        Column(
            "counted",
            "boolean",
            "Whether this is an attempt in the protocol's sense: more than 30 actions, less than 30 minutes "
            "of interaction, no fault. Exclusions by reviewers are not part of it.",
        ),
        Column(
            "excluded_from",
            "integer",
            "The first action that reviewers left out, 0 for the whole attempt; empty when nothing is.",
        ),
        Column("excluded_why", "text", "The code of their reason."),
        Column("seal", "text", "What closes the attempt's hash chain (docs/journal.md), in hexadecimal."),
    ),
)
ENTRIES = Table(
    "entries",
    "One action and what came of it. The frames are not here: the official recording of an attempt has them.",
    ("attempt", "seq"),
    (
        _ATTEMPT,
        Column("seq", "integer", "0 is the opening frame, actions count from 1 without gaps."),
        Column("action", "integer", "0 reset, 1 up, 2 down, 3 left, 4 right, 5 interact, 6 click, 7 undo."),
        Column("x", "integer", "Column of the clicked cell, 0 to 63 from the left."),
        Column("y", "integer", "Row of the clicked cell, 0 to 63 from the top."),
        Column("level", "integer", "The level the action was made on, from 1."),
        Column("levels_completed", "integer", "Levels completed after it."),
        Column("level_completed", "boolean", "Whether this action completed the level."),
        Column("state", "text", "NOT_FINISHED, WIN or GAME_OVER after it."),
        Column("available", "integer", "What could be done next: bit i is action i."),
        Column("changed", "boolean", "False for an action that changed nothing."),
        Column(
            "state_hash", "text", "Eight bytes that name the last frame, level and state, in hexadecimal."
        ),
        Column("frame_count", "integer", "Frames shown for this action; more than one is an animation."),
        Column("input", "text", "unknown, key, key_repeat, mouse, touch or button."),
        Column("server_time", "time", "When the server accepted the action."),
        Column("client_time", "time", "When it was made, by the station's clock."),
        Column(
            "previous_paint_ms",
            "integer",
            "Milliseconds the action before this one took from press to painted frame, seen by the station.",
        ),
        Column("frames_digest", "text", "SHA-256 of the frames as the wire has them, in hexadecimal."),
        Column("chain", "text", "The hash chain's value after this entry (docs/journal.md), in hexadecimal."),
    ),
)
_KIND_OF_TYPE: dict[Any, str] = {
    int: "integer",
    int | None: "integer",
    float: "number",
    bool: "boolean",
    datetime: "time",
}
_RATES = {
    "no_ops": Column(
        "no_op_rate", "number", "Their share, 0 to 1, of all actions but resets; empty without any."
    ),
    "repeated_states": Column(
        "repeated_state_rate", "number", "Their share, 0 to 1, of all actions but resets."
    ),
}
"""The rate that follows a count."""


def _level_result_columns() -> Iterator[Column]:
    """The fields of `rules.results.LevelResult`, and the rates."""
    for name, declared in get_type_hints(LevelResult, include_extras=True).items():
        yield Column(name, _KIND_OF_TYPE[declared.__origin__], declared.__metadata__[0])
        if name in _RATES:
            yield _RATES[name]


LEVEL_RESULTS = Table(
    "level_results",
    "One level that an attempt reached, even if no action was made on it.",
    ("attempt", "level"),
    (
        _ATTEMPT,
        *_level_result_columns(),
    ),
)
FLAGS = Table(
    "flags",
    "What the effort rules noticed, also what they notice no longer. A flag alone excludes nobody.",
    ("session", "attempt", "rule", "superseded_at"),
    (
        _SESSION,
        Column("attempt", "integer", "The attempt it is about; empty when it is about the whole session."),
        Column("rule", "text", "The rule that found it."),
        _RULE_VERSION,
        Column("thresholds", "text", "What the study had changed of the rule set's own thresholds, as JSON."),
        Column("strength", "text", "note, review or strong."),
        Column("figures", "text", "The figures that raised it, as JSON."),
        Column("sentence", "text", "The finding in words."),
        Column("raised_at", "time", "The end of the last attempt it speaks of."),
        Column("superseded_at", "time", "When the rules found it no longer, or otherwise; empty: it stands."),
    ),
)
DECISIONS = Table(
    "decisions",
    "What reviewers decided, in order. Nothing is ever taken back: a reversal is a decision of its own."
    " Exclusions that wait for a second verdict are not in it: whoever gives it must not know the first.",
    ("decision",),
    (
        Column("decision", "integer", "The decision's number."),
        _SESSION,
        Column("attempt", "integer", "The attempt it is about; empty when it is about the whole session."),
        Column("kind", "text", "keep, exclude_attempt, exclude_from, exclude_session or reverse."),
        Column("from_seq", "integer", "The first action left out, for exclude_from."),
        Column("reason", "text", "The reason's code."),
        Column("words", "text", "The reviewer's own words; only in identified data."),
        _RULE_VERSION,
        Column("needs_confirmation", "boolean", "Whether it holds only once a second reviewer agrees."),
        Column(
            "answers",
            "integer",
            "The exclusion of another reviewer that this verdict was given about, without having seen it.",
        ),
        Column("confirms", "integer", "The same, where both came to the same: then it holds."),
        Column("reverses", "integer", "The decision that no longer holds."),
        Column("reviewer", "text", "Who decided: a keyed hash; in identified data the account's name."),
        Column("decided_at", "time", "When."),
    ),
)

TABLES = (SESSIONS, ATTEMPTS, ENTRIES, LEVEL_RESULTS, FLAGS, DECISIONS)

_INTRODUCTION = """# Codebook

A study's data, as `manage.py export_study` and the page “Data” write it: one file a table, Parquet or CSV,
this codebook, `dataset.json` with the number of rows and the digests, and `signed_days.json` with every
signed day of the whole installation. docs/journal.md says how to check the entries with it; the digest of the
data does not cover it, because it grows from day to day.

Times are UTC. Rows are sorted by their key. The digest is taken over the content, not over the files: the
same data has the same digest in both formats and on every machine that has the same secret key. People who
withdrew are in no table. In CSV, text that a spreadsheet would take for a formula has an apostrophe before
it.

What reviewers excluded is in every table. Only `attempts` says so: `excluded_from` is the first action that
is not to count, 0 for the whole attempt. To count as this product's pages do, leave out the attempts where it
is 0, and of the others the entries from there on and the level results whose `last_seq` is there or later.

This page is generated by `manage.py codebook`; what it says is declared in
`playtest/review/codebook.py`.
"""


def markdown() -> str:
    """The text of docs/codebook.md."""
    return "\n".join([_INTRODUCTION, *(line for table in TABLES for line in _section(table))])


def _section(table: Table) -> Iterator[str]:
    yield f"## {table.name}\n"
    yield f"{table.meaning} Key: {', '.join(f'`{name}`' for name in table.key)}.\n"
    yield "| column | kind | meaning |\n| --- | --- | --- |"
    yield from (f"| `{column.name}` | {column.kind} | {column.meaning} |" for column in table.columns)
    yield ""
