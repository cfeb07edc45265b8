"""What a table of a study's data is, columns that several have, and the tables of static tasks."""

from dataclasses import dataclass

from engine.tasks.edits import EditKind


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


PARTICIPANT = Column(
    "participant",
    "text",
    "Who played: a keyed hash, the same for a person within this study and different in every other; in "
    "identified data the pseudonym.",
)
SESSION = Column("session", "integer", "The session, as in `sessions`.")
ATTEMPT = Column("attempt", "integer", "The attempt, as in `attempts` and in the address of its replay.")
RULE_VERSION = Column("rule_version", "text", "The effort rule set that was in force.")


_SEQ = Column("seq", "integer", "The entry, as in `entries`.")
_OF_AN_ATTEMPT = (
    ATTEMPT,
    _SEQ,
    PARTICIPANT,
    Column("environment", "text", "The task's id."),
    Column("version", "text", "SHA-256 of the task's canonical JSON, in hexadecimal."),
    Column("input", "integer", "The test input, from 1."),
)
_SECONDS = Column("seconds", "number", "Seconds after the first frame, without the time of pauses by staff.")
_SIZE = (
    Column("height", "integer", "Rows of the output grid."),
    Column("width", "integer", "Columns of the output grid."),
)

SUBMISSIONS = Table(
    "submissions",
    "One submission of an output grid for a test input of a static task. Attempts whose record is damaged"
    " are left out here and in `edits`.",
    ("attempt", "seq"),
    (
        *_OF_AN_ATTEMPT,
        Column("number", "integer", "Which submission for this test input it was, from 1."),
        Column("right", "boolean", "Whether the grid is the solution."),
        Column(
            "counted",
            "boolean",
            "Whether it is among the first submissions that the protocol counts (`tries`).",
        ),
        _SECONDS,
        Column("edits", "integer", "Edits of this test input before it, without openings and submissions."),
        *_SIZE,
        Column("grid", "text", "The grid as JSON: rows of colours from 0 to 9."),
    ),
)
EDITS = Table(
    "edits",
    "One edit of a static task, submissions and openings of test inputs included.",
    ("attempt", "seq"),
    (
        *_OF_AN_ATTEMPT,
        Column("op", "text", f"One of {', '.join(kind.op for kind in EditKind)}."),
        Column("edit", "text", "The edit as JSON; positions are row * 30 + column."),
        Column("changed", "boolean", "False if it changed nothing."),
        _SECONDS,
        *_SIZE,
    ),
)
