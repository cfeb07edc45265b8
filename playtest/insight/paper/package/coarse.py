"""The public variant of a package: nothing in it tells when somebody was in the room, where they sat, or what
only a few people answered.
"""

import json
from collections.abc import Iterator, Sequence

import polars as pl

from playtest.rules.disclosure import withheld
from playtest.rules.survey import Kind, Question

ROUNDED_TO = "1h"
_LEFT_OUT = {
    "sessions": ["reference", "station"],
    "attempts": ["ratings"],
    "debriefs": ["about"],
    "entries": ["client_time"],
    "events": ["client_time", "details"],
    "decisions": ["words"],
    "comments": ["text"],
}
"""Columns that the public variant does not have."""


def coarse(name: str, table: pl.DataFrame, questions: Sequence[Question]) -> pl.DataFrame:
    """A table of the data without what identifies, its times rounded down to the hour."""
    times = [column for column, kind in table.schema.items() if isinstance(kind, pl.Datetime)]
    found = table.drop(_LEFT_OUT.get(name, []), strict=False).with_columns(
        pl.col(column).dt.truncate(ROUNDED_TO)
        for column in times
        if column in table.columns and column not in _LEFT_OUT.get(name, [])
    )
    return _answers(found, questions) if name == "sessions" else found


def coarse_lines(lines: Iterator[str]) -> Iterator[str]:
    """An official recording with its times rounded down to the hour."""
    for line in lines:
        turn = json.loads(line)
        turn["timestamp"] = turn["timestamp"][:13] + ":00:00+00:00"
        yield json.dumps(turn) + "\n"


def _answers(sessions: pl.DataFrame, questions: Sequence[Question]) -> pl.DataFrame:
    """Answers of people as groups, without those that fewer than five people gave; texts are left out."""
    for question in questions:
        column = f"survey_{question.name}"
        if question.kind == Kind.TEXT:
            sessions = sessions.drop(column)
            continue
        groups = [question.group_of(answer) for answer in sessions[column].to_list()]
        people = pl.DataFrame({"group": groups, "participant": sessions["participant"]}, strict=False)
        sizes = people.cast({"group": pl.String}).group_by("group").agg(pl.col("participant").n_unique())
        known = sizes.sort("group", nulls_last=True)["group"].to_list()
        counts = dict(sizes.iter_rows())
        hidden = {known[place] for place in withheld([counts[group] for group in known])}
        shown = [None if group in hidden else group for group in groups]
        sessions = sessions.with_columns(pl.Series(column, shown, dtype=pl.String))
    return sessions
