"""A report as a value: what the record says of each item, and what people answered."""

from dataclasses import dataclass
from typing import Any

from playtest.rules.document import digest_of, document_of
from playtest.rules.reporting.items import Item


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that the record says; `link` is the path of its evidence here, "" for none."""

    label: str
    value: str
    link: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of text under their columns, with a caption that says what a row is."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One item with its facts and tables. `answer` is "" while nobody has answered what is `asked`."""

    number: str
    title: str
    chapter: str
    facts: tuple[Fact, ...]
    tables: tuple[Table, ...]
    asked: str
    answer: str
    answered: str
    """The version and the day of the answer, as text."""

    @property
    def missing(self) -> bool:
        """Whether a person still has to answer."""
        return bool(self.asked) and not self.answer

    @classmethod
    def of(
        cls,
        item: Item,
        facts: tuple[Fact, ...],
        tables: tuple[Table, ...] = (),
        answer: str = "",
        answered: str = "",
    ) -> "Entry":
        return cls(item.number, item.title, item.chapter, facts, tables, item.asked, answer, answered)


@dataclass(frozen=True, slots=True)
class Report:
    """A study's report. `scope` says whose results these are; two reports of the same data are equal."""

    study: str
    scope: str
    entries: tuple[Entry, ...]

    @property
    def missing(self) -> tuple[Entry, ...]:
        """The entries that a person still has to answer."""
        return tuple(entry for entry in self.entries if entry.missing)

    @property
    def document(self) -> dict[str, Any]:
        """The value in JSON types."""
        document: dict[str, Any] = document_of(self)
        return document

    @property
    def digest(self) -> str:
        """SHA-256 of the canonical JSON, as 64 hexadecimal digits."""
        return digest_of(self.document)
