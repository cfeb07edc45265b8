"""Declares the tables and columns of a study's data, for the export and for docs/codebook.md."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, get_type_hints

from engine.tasks.edits import EditKind
from playtest.play.models import EventKind
from playtest.review.models import Opening
from playtest.review.tables import (
    ATTEMPT,
    EDITS,
    PARTICIPANT,
    RULE_VERSION,
    SESSION,
    SUBMISSIONS,
    Column,
    Table,
)
from playtest.rules.debrief import ABOUT_WHAT, HOW_HARD, STEPS
from playtest.rules.results import LevelResult
from playtest.rules.survey import Kind, Question
from playtest.rules.survey_questions import QUESTIONS

_OF_A_SESSION = (
    Column("session", "integer", "The session's number."),
    PARTICIPANT,
    Column("reference", "text", "The recruiter's number for the person; only in identified data."),
    Column("simulated", "boolean", "Whether a program played, not a person."),
    Column("station", "integer", "The seat."),
    Column("created_at", "time", "When staff created the session."),
    Column("checked_in_at", "time", "When the code was first entered; the session's clock starts here."),
    Column("protocol_version", "integer", "The version of the study's protocol that the session follows."),
    Column("protocol_digest", "text", "The SHA-256 of that version's canonical JSON."),
    Column("consented_at", "time", "When the participant agreed to the consent text."),
    Column("tutorial_done_at", "time", "When the tutorial was finished."),
    Column("ended_at", "time", "When the session ended."),
    Column(
        "end_reason",
        "text",
        "pool_used_up, nothing_left, time_over, declined, ended_by_staff, no_show or cancelled.",
    ),
)


def sessions_table(questions: Iterable[Question]) -> Table:
    """The table of the sessions of a study that asks, or asked, these questions."""
    answers = (
        Column(
            f"survey_{question.name}",
            "integer" if question.is_whole else "text",
            f"“{question.text}” {_answers(question)}; empty when skipped.",
        )
        for question in questions
    )
    meaning = "One session of one participant."
    return Table("sessions", meaning, ("session",), (*_OF_A_SESSION, *answers))


def _answers(question: Question) -> str:
    match question.kind:
        case Kind.NUMBER:
            return f"A whole number from {question.least} to {question.most}"
        case Kind.SCALE:
            low, high = (f" ({end})" if end else "" for end in question.ends)
            return f"A step from {question.least}{low} to {question.most}{high}"
        case Kind.TEXT:
            return "In the person's words"
        case _:
            return f"One of {', '.join(value for value, _ in question.choices)}"


ATTEMPTS = Table(
    "attempts",
    "One person on one environment, once. Attempts still open when the data was taken are left out.",
    ("attempt",),
    (
        Column("attempt", "integer", "The attempt's number, as in the address of its replay."),
        SESSION,
        PARTICIPANT,
        Column("environment", "text", "The environment's id: four characters, of a static task more."),
        Column("kind", "text", "interactive, or task for a static task."),
        Column(
            "game_id", "text", "The game id in the version's metadata: the code, a dash, the version's name."
        ),
        Column("version", "text", "SHA-256 of the environment's source, in hexadecimal."),
        Column("levels", "integer", "How many levels this version has; of a static task, test inputs."),
        Column("number", "integer", "Which environment of the session it was, from 1."),
        Column("seed", "integer", "The seed with which the environment was started."),
        Column("assigned_at", "time", "When the environment was chosen for this person."),
        Column("first_frame_at", "time", "When the first frame was shown; the attempt's clock starts here."),
        Column(
            "last_action_at",
            "time",
            "When the last action was accepted; of a static task, when its view ended.",
        ),
        Column("ended_at", "time", "When the attempt ended."),
        Column(
            "outcome",
            "text",
            "completed, gave_up, concluded (at the soft limit), timed_out, session_over, ended_by_staff, "
            "tries_used (of a static task) or fault.",
        ),
        Column("fault_code", "text", "The code of the environment's error, if the outcome is fault."),
        Column("fault_message", "text", "The error as a sentence."),
        Column(
            "actions",
            "integer",
            "Number of actions, resets included, without the opening frame; of a static task, of edits.",
        ),
        Column("levels_completed", "integer", "Levels completed; of a static task, test inputs solved."),
        Column(
            "seconds",
            "number",
            "Seconds of interaction: from the first frame to `last_action_at`, without pauses by staff and "
            "without the time in which a static task was set aside.",
        ),
        Column(
            "paused_seconds",
            "number",
            "Seconds between these two in which the clock stood still: staff had paused the session, or a "
            "static task was set aside; `events` has both.",
        ),
        Column(
            "granted_seconds",
            "number",
            "Seconds that staff granted to this attempt before its time was over. It may last so much "
            "longer, and still counts.",
        ),
        Column(
            "counted",
            "boolean",
            "Whether this is an attempt by the rule of the session's version of the protocol, and did not "
            "end by a fault. Exclusions by reviewers and voids by staff are not part of it.",
        ),
        Column(
            "excluded_from",
            "integer",
            "The first action that is excluded, 0 for the whole attempt; empty if none is. Reviewers "
            "exclude, and a void by staff excludes the whole attempt until a reviewer reverses it.",
        ),
        Column(
            "excluded_why",
            "text",
            "The code of the reason for the exclusion; of a void it begins with voided_; met_before: the "
            "person had met the environment under another pseudonym.",
        ),
        Column(
            "seal",
            "text",
            "The value that closes the attempt's hash chain (docs/journal.md), in hexadecimal.",
        ),
    ),
)
DEBRIEFS = Table(
    "debriefs",
    "What people said of an environment after playing it. Where nothing was said there is no row.",
    ("attempt",),
    (
        ATTEMPT,
        Column(
            "difficulty",
            "integer",
            f"“{HOW_HARD}” From 1, {STEPS[1].lower()}, to {max(STEPS)}, {STEPS[max(STEPS)].lower()}; "
            "empty when skipped.",
        ),
        Column("about", "text", f"“{ABOUT_WHAT}” In the person's words; empty when skipped."),
        Column("answered_at", "time", "When the answers were last changed."),
    ),
)
ENTRIES = Table(
    "entries",
    "One action and its result. For the frames, see the official recording of an attempt.",
    ("attempt", "seq"),
    (
        ATTEMPT,
        Column("seq", "integer", "0 is the opening frame, actions count from 1 without gaps."),
        Column(
            "action",
            "integer",
            "0 reset, 1 up, 2 down, 3 left, 4 right, 5 interact, 6 click, 7 undo; of a static task, the kind "
            f"of edit: {', '.join(f'{kind.value} {kind.op}' for kind in EditKind)}.",
        ),
        Column("x", "integer", "Column of the clicked cell, 0 to 63 from the left."),
        Column("y", "integer", "Row of the clicked cell, 0 to 63 from the top."),
        Column("level", "integer", "The level, or the test input, the action was made on, from 1."),
        Column("levels_completed", "integer", "Levels completed after it."),
        Column("level_completed", "boolean", "Whether this action completed the level."),
        Column("state", "text", "NOT_FINISHED, WIN or GAME_OVER after it."),
        Column("available", "integer", "The available actions after it: bit i is action i."),
        Column("changed", "boolean", "False for a no-op."),
        Column(
            "state_hash", "text", "Hash (eight bytes) of the last frame, level and state, in hexadecimal."
        ),
        Column("frame_count", "integer", "Number of frames of this action; more than one is an animation."),
        Column("input", "text", "unknown, key, key_repeat, mouse, touch or button."),
        Column("server_time", "time", "When the server accepted the action."),
        Column("client_time", "time", "The time of the action by the station's clock."),
        Column(
            "previous_paint_ms",
            "integer",
            "Milliseconds from press to painted frame of the action before this one, by the station.",
        ),
        Column(
            "screen_age_ms",
            "integer",
            "Milliseconds that the screen (page, level, state) had been visible at the press.",
        ),
        Column("queued_ms", "integer", "Milliseconds that the press waited for the answer before it."),
        Column(
            "frames_digest", "text", "SHA-256 of the frames as docs/wire.md encodes them, in hexadecimal."
        ),
        Column(
            "edit", "text", "The edit of a static task as JSON (docs/wire.md), as it is part of the chain."
        ),
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
        "no_op_rate",
        "number",
        "Share (0 to 1) of no-ops among all actions but resets; empty without such actions.",
    ),
    "repeated_states": Column(
        "repeated_state_rate",
        "number",
        "Share (0 to 1) of these among all actions but resets; empty without such actions.",
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
    "One level that an attempt reached, also without an action on it.",
    ("attempt", "level"),
    (
        ATTEMPT,
        *_level_result_columns(),
    ),
)
FLAGS = Table(
    "flags",
    "Flags of the effort rules, in force and superseded. A flag alone excludes nobody.",
    ("session", "attempt", "rule", "superseded_at"),
    (
        SESSION,
        Column("attempt", "integer", "The attempt it is about; empty when it is about the whole session."),
        Column("rule", "text", "The rule that raised the flag."),
        RULE_VERSION,
        Column("thresholds", "text", "The thresholds of the rule set that the study had changed, as JSON."),
        Column("strength", "text", "note, review or strong."),
        Column("figures", "text", "The figures that raised the flag, as JSON."),
        Column("sentence", "text", "The flag as a sentence."),
        Column("raised_at", "time", "The end of the last attempt with evidence for the flag."),
        Column(
            "superseded_at",
            "time",
            "When the rules no longer raised it, or raised it differently; empty: in force.",
        ),
    ),
)
DECISIONS = Table(
    "decisions",
    "Reviewers' decisions, in order. A reversal is a decision of its own. Verdicts that wait for a second"
    " one are left out, because the second reviewer must not know the first verdict.",
    ("decision",),
    (
        Column("decision", "integer", "The decision's number."),
        SESSION,
        Column("attempt", "integer", "The attempt it is about; empty when it is about the whole session."),
        Column("kind", "text", "keep, exclude_attempt, exclude_from, exclude_session or reverse."),
        Column("from_seq", "integer", "The first action left out, for exclude_from."),
        Column("reason", "text", "The reason's code."),
        Column("words", "text", "The reviewer's text; only in identified data."),
        RULE_VERSION,
        Column(
            "opened_by",
            "text",
            f"Why the session was reviewed, with first verdicts: {', '.join(Opening)}; empty: not recorded.",
        ),
        Column("needs_confirmation", "boolean", "Whether it is in force only once a second reviewer agrees."),
        Column(
            "part_of", "integer", "The decision of which this is a further attempt; it shares its relations."
        ),
        Column(
            "answers",
            "integer",
            "The other reviewer's verdict to which this is the second one, given without seeing it.",
        ),
        Column("confirms", "integer", "The same verdict, if both reviewers agree; then it is in force."),
        Column("settles", "integer", "The second of two verdicts that differ, which this third one settles."),
        Column("reverses", "integer", "The decision that is no longer in force."),
        Column("reviewer", "text", "The reviewer: a keyed hash; in identified data the account's name."),
        Column("decided_at", "time", "When the decision was made."),
    ),
)

EVENTS = Table(
    "events",
    "The log of events: everything that is not an action, such as connections, prompts, and what staff did."
    " Pauses stop the clocks of a session from `paused` to `resumed` or `session_ended`; those with `outage`"
    " in their details are times in which no server could record. From `set_aside` to `taken_up` or its end"
    " the clock of a static task stands still.",
    ("event",),
    (
        Column("event", "integer", "The event's number, in the order of recording."),
        SESSION,
        Column(
            "attempt", "integer", "The attempt that was open or that it is about; empty if there was none."
        ),
        Column("kind", "text", f"One of {', '.join(kind.value for kind in EventKind)}."),
        Column("server_time", "time", "When it happened, by the server."),
        Column("client_time", "time", "The same by the station's clock, if the station reported it."),
        Column("staff", "text", "Who did it: a keyed hash; in identified data the account's name."),
        Column(
            "details",
            "text",
            "Facts about it, as JSON. What staff wrote (`text`, and the `reason` of paused, time_granted and "
            "station_changed) may name people; it is only in identified data.",
        ),
    ),
)


COMMENTS = Table(
    "comments",
    "Comments of staff at a moment of a replay, without those in sessions that wait for a second verdict.",
    ("comment",),
    (
        Column("comment", "integer", "The comment's number."),
        ATTEMPT,
        Column("seq", "integer", "The action after which the moment lies."),
        Column("seconds", "number", "Seconds of the moment after the first frame."),
        Column("tags", "text", "Its tags, as JSON."),
        Column("text", "text", "What was written; only in identified data, because it may name people."),
        Column("author", "text", "Who wrote it: a keyed hash; in identified data the account's name."),
        Column("created_at", "time", "When it was written."),
    ),
)


def tables_of(questions: Iterable[Question]) -> tuple[Table, ...]:
    """The tables of a study whose surveys have these questions."""
    return (
        sessions_table(questions),
        ATTEMPTS,
        DEBRIEFS,
        ENTRIES,
        LEVEL_RESULTS,
        SUBMISSIONS,
        EDITS,
        EVENTS,
        FLAGS,
        DECISIONS,
        COMMENTS,
    )


TABLES = tables_of(QUESTIONS)
"""Those of a study with the usual survey, as in docs/codebook.md."""

_INTRODUCTION = """# Codebook

A study's data, as `manage.py export_study` and the page “Data” write it: one file a table, Parquet or CSV,
this codebook, `dataset.json` with the number of rows and the digests, and `signed_days.json` with every
signed day of the whole installation. docs/journal.md says how to check the entries with it. The digest of the
data does not cover it, because it grows from day to day.

Times are UTC. Rows are sorted by their key. The digest is taken over the content, not over the files: the
same data has the same digest in both formats and on every machine that has the same secret key. People who
withdrew are in no table, and neither are internal plays by staff or runs of agents. In CSV, text that a
spreadsheet would take for a formula has an apostrophe before it.

The tables contain what reviewers excluded and staff voided. Only `attempts` marks it: `excluded_from` is the
first excluded action, 0 for the whole attempt. To get the numbers of this product's pages, leave out the
attempts where it is 0, and of the others the entries from that action on and the level results whose
`last_seq` is that action or later.

Static tasks are in the same tables as interactive environments: a level is a test input, an action an edit.
`submissions` and `edits` have rows of tasks alone.

The columns `survey_…` of `sessions` are the questions that the study asks or asked; here the usual ones.
`manage.py codebook` generates this page from `playtest/review/codebook.py`.
"""


def markdown(tables: Iterable[Table] = TABLES) -> str:
    """The codebook of these tables; by default the text of docs/codebook.md."""
    return "\n".join([_INTRODUCTION, *sections(tables)])


def sections(tables: Iterable[Table]) -> Iterator[str]:
    """The lines that describe these tables."""
    for table in tables:
        yield from _section(table)


def _section(table: Table) -> Iterator[str]:
    yield f"## {table.name}\n"
    yield f"{table.meaning} Key: {', '.join(f'`{name}`' for name in table.key)}.\n"
    yield "| column | kind | meaning |\n| --- | --- | --- |"
    yield from (f"| `{column.name}` | {column.kind} | {column.meaning} |" for column in table.columns)
    yield ""
