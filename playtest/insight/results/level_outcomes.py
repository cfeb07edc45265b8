"""How each level ended for each person who reached it."""

import polars as pl

from playtest.rules import labels
from playtest.rules.attempt import LEFT_AT_ONCE, LOST, Outcome

OPEN = "open"
"""The outcome of a level that somebody plays now."""
OUTCOME_LABELS: dict[str, str] = {**labels.OUTCOME_LABELS, OPEN: "still playing"}
LEVEL_OUTCOMES = tuple(OUTCOME_LABELS)
"""All outcomes of a level, in the order in which pages list them."""
OUTCOME_ORDER: dict[str, int] = {str(outcome): place for place, outcome in enumerate(LEVEL_OUTCOMES)}
QUIT = (Outcome.GAVE_UP, Outcome.CONCLUDED)
"""Ends that the participant chose."""


def with_level_outcomes(levels: pl.DataFrame) -> pl.DataFrame:
    """Adds the column `level_outcome` to a table of `results.tables.levels`.

    A level that was not completed has the outcome of its attempt; `left_at_once` if the attempt was lost with
    too few actions to count (`rules.attempt.AttemptRule`), or in too short a view of a static task, `open` if
    it has not ended.
    """
    ended = (
        pl.when(pl.col("outcome") == "")
        .then(pl.lit(OPEN))
        .when(pl.col("outcome").is_in(list(LOST)) & ~pl.col("enough"))
        .then(pl.lit(LEFT_AT_ONCE))
        .otherwise(pl.col("outcome"))
    )
    outcome = pl.when(pl.col("completed")).then(pl.lit(Outcome.COMPLETED.value)).otherwise(ended)
    return levels.with_columns(outcome.alias("level_outcome"))
