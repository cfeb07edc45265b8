"""What a table of a study's data is, and the columns that several tables have."""

from dataclasses import dataclass


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
