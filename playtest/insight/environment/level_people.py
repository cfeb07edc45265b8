"""The people who reached a level, and the result of each."""

from dataclasses import dataclass

import polars as pl

from playtest.insight.results.level_outcomes import OUTCOME_LABELS, OUTCOME_ORDER
from playtest.insight.results.version import VersionResults


@dataclass(frozen=True)
class PersonOnLevel:
    """One person on one level; `first_change` is the first action that changed the board.

    `last_seq` is the last action on the level, which shows the next level from its second frame on if it
    completes this one. `href` leads to the replay at the beginning of the level, `end_href` to its end.
    """

    attempt_id: int
    participant: str
    outcome: str
    outcome_label: str
    actions: int
    actions_since_reset: int
    resets: int
    no_ops: int
    first_change: int | None
    seconds: float
    last_seq: int
    last_frame: int | None
    href: str | None
    end_href: str | None


def people_on(results: VersionResults, level: int) -> list[PersonOnLevel]:
    """First those who did not complete the level, by outcome and then by actions, most first."""
    here = (
        results.levels.filter(pl.col("level") == level)
        .with_columns(
            pl.col("level_outcome").replace_strict(OUTCOME_ORDER, return_dtype=pl.Int64).alias("place")
        )
        .sort(pl.col("place") == 0, "place", pl.col("actions") * -1, "attempt")
    )
    return [
        PersonOnLevel(
            row["attempt"],
            row["participant"],
            row["level_outcome"],
            OUTCOME_LABELS[row["level_outcome"]],
            row["actions"],
            row["actions_since_reset"],
            row["resets"],
            row["no_ops"],
            row["first_change"],
            row["seconds"],
            row["last_seq"],
            1 if row["completed"] else None,
            results.links.replay(row["attempt"], level),
            results.links.end(row["attempt"], level),
        )
        for row in here.iter_rows(named=True)
    ]
