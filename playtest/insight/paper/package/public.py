"""The public variant of a package: nothing in it tells when somebody was in the room or where they sat, what
time they took but in minutes, or what only a few people answered (docs/decisions/0225).
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from playtest.insight.pages.study.people import LANGUAGE, released_answers
from playtest.people.participants import names_of_persons
from playtest.play.models import Study
from playtest.review.codebook import Table
from playtest.review.queries.dataset import Names
from playtest.review.services.table_files import NUMBERS
from playtest.rules.survey import Question

SECONDS = 60
"""Times that people took are whole multiples of so many seconds."""
_LEFT_OUT = {
    "sessions": ("reference", "station"),
    "attempts": ("ratings", "seal"),
    "entries": (
        "server_time", "client_time", "previous_paint_ms", "paint_ms", "screen_age_ms", "queued_ms", "input",
        "chain",
    ),
    "level_results": ("entered_at", "last_at", "seconds", "active_seconds"),
    "edits": ("seconds",),
    "flags": ("figures", "sentence"),
    "decisions": ("words",),
}  # fmt: skip
"""Columns that the public variant does not have."""
_EMPTY = ("debriefs", "events", "comments")
"""Tables without rows: what people said of environments, and what happened around them."""


class PublicVariant:
    """What a study's public data have instead of its data. `tables` are all its tables, by name.

    Rows have other numbers than in the record, in no order of time, which `names` has from then on.
    """

    def __init__(self, study: Study, names: Names, tables: dict[str, pl.DataFrame]) -> None:
        self.moment = study.created_at.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
        self._answers = _by_session(study, names)
        sessions, attempts, decisions = (tables[name] for name in ("sessions", "attempts", "decisions"))
        self._numbers = {
            "session": names.shuffle("session", sessions["session"].to_list()),
            "attempt": names.shuffle("attempt", attempts["attempt"].to_list()),
        }
        of_session = pl.col("session").replace(self._numbers["session"])  # each before those that refer to it
        ordered = decisions.sort(of_session, "decision")["decision"].to_list()
        self._numbers["decision"] = {number: place for place, number in enumerate(ordered, start=1)}

    def table(self, table: Table, frame: pl.DataFrame, questions: Sequence[Question]) -> pl.DataFrame:
        """A table of the data; every time in it is `moment`."""
        if table.name in _EMPTY:
            frame = frame.clear()
        if table.name == "sessions":
            frame = self._with_answers(frame, questions)
        frame = frame.with_columns(_in_minutes(table.name))
        found = frame.with_columns(map(self._column, frame.get_columns()))
        return found.drop(_LEFT_OUT.get(table.name, ()), strict=False).sort(table.key)

    def protocol(self, exported: str) -> str:
        """A version of the protocol as `studies.exported` writes it."""
        document: dict[str, Any] = json.loads(exported)
        times = (name for name in ("created_at", "frozen_at") if document[name] is not None)
        document |= dict.fromkeys(times, self.moment.isoformat())
        return json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False) + "\n"

    def _column(self, column: pl.Series) -> pl.Expr:
        found = pl.col(column.name)
        if isinstance(column.dtype, pl.Datetime):
            return (
                pl.when(found.is_not_null()).then(pl.lit(self.moment).cast(column.dtype)).alias(column.name)
            )
        if numbers := self._numbers.get(NUMBERS.get(column.name, "")):
            return found.replace(numbers)
        return found

    def _with_answers(self, sessions: pl.DataFrame, questions: Sequence[Question]) -> pl.DataFrame:
        """The language and the answers of each person as `released_answers`; texts are left out."""
        left = [self._answers.get(number, {}) for number in sessions["session"].to_list()]
        columns = {f"survey_{question.name}": question.name for question in questions} | {LANGUAGE: LANGUAGE}
        texts = [f"survey_{question.name}" for question in questions if not question.groups]
        return sessions.with_columns(
            pl.Series(column, [one.get(name) for one in left], pl.String) for column, name in columns.items()
        ).drop(texts)


def described(table: Table, frame: pl.DataFrame) -> Table:
    """A table of the codebook without the columns that the frame does not have."""
    return replace(table, columns=tuple(one for one in table.columns if one.name in frame.columns))


def _by_session(study: Study, names: Names) -> dict[int, dict[str, str | None]]:
    """The answers of who sat in each session, by its number."""
    released, persons = released_answers(study), names_of_persons()
    return {
        names.number("session", pk): released.get(persons.get(label, label), {})
        for pk, label in study.sessions.values_list("pk", "participant__label")
    }


def _in_minutes(table: str) -> list[pl.Expr]:
    """Rounded down, and of an attempt to the side on which it counts or not, as it does."""
    seconds, paused = ((pl.col(name) // SECONDS) * SECONDS for name in ("seconds", "paused_seconds"))
    if table == "submissions":
        return [seconds]
    if table != "attempts":
        return []
    up = (pl.col("kind") == "task") == pl.col("counted")
    return [
        pl.when(up).then((pl.col("seconds") / SECONDS).ceil() * SECONDS).otherwise(seconds).alias("seconds"),
        paused,
    ]
