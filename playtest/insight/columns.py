"""`rules.results` for many attempts at once: the same definition over columns, no loop over entries."""

from collections.abc import Mapping
from typing import Any

import polars as pl

from playtest.rules.attempt import RESET
from playtest.rules.errors import RuleError
from playtest.rules.results import ACTIVE_GAP_SECONDS

type Schema = Mapping[Any, Any]

JOURNAL: Schema = {
    "attempt": pl.Int64,
    "seq": pl.Int64,
    "action": pl.Int64,
    "levels_completed": pl.Int64,
    "level_completed": pl.Boolean,
    "changed": pl.Boolean,
    "won": pl.Boolean,
    "lost": pl.Boolean,
    "state": pl.UInt64,
    "at": pl.Int64,
}
"""Columns of entries, by attempt and seq, as of `rules.results.ResultEntry`.

`won` and `lost`: the state is WIN, GAME_OVER; `state`: the state hash; `at`: microseconds since 1970, UTC.
"""

RESULT: Schema = {
    "attempt": pl.Int64,
    "level": pl.Int64,
    "entered_seq": pl.Int64,
    "last_seq": pl.Int64,
    "entered_at": pl.Datetime("us", "UTC"),
    "last_at": pl.Datetime("us", "UTC"),
    "completed": pl.Boolean,
    "actions": pl.Int64,
    "actions_since_reset": pl.Int64,
    "resets": pl.Int64,
    "no_ops": pl.Int64,
    "repeated_states": pl.Int64,
    "unique_states": pl.Int64,
    "first_change": pl.Int64,
    "first_score_change": pl.Int64,
    "game_overs": pl.Int64,
    "seconds": pl.Float64,
    "active_seconds": pl.Float64,
}
"""Columns of level results, one row a level, by attempt and level: `rules.results.LevelResult`."""

_MICROSECONDS = 1_000_000
_RESET = pl.col("action") == RESET
_OPENS = pl.col("opens")


def level_results(journal: pl.DataFrame) -> pl.DataFrame:
    """`RESULT` of every attempt in `JOURNAL`, each read from an entry that entered a level.

    Raises RuleError as `rules.results.level_results`.
    """
    entries = _with_levels(journal)
    _check(entries)
    # The entry that completes the last level enters none.
    entered = _entered(entries).filter(~pl.col("ends"))
    found = entered.join(_acted(entries), on="entry_of", how="left", maintain_order="left").with_columns(
        pl.col("completed").fill_null(value=False),
        pl.col("last_seq").fill_null(pl.col("entered_seq")),
        pl.col("last_at").fill_null(pl.col("entered_at")),
        pl.col("actions", "resets", "no_ops", "game_overs", "pause", "active").fill_null(0),
    )
    return (
        found.with_columns(seconds=_seconds(found["pause"]), active_seconds=_seconds(found["active"]))
        .select(_figures())
        .cast(RESULT)
    )


def _seconds(microseconds: pl.Series) -> pl.Series:
    """Divided by numpy: polars multiplies by the reciprocal, which comes out otherwise than the rule does."""
    return pl.Series(microseconds.to_numpy() / _MICROSECONDS)


def _with_levels(entries: pl.DataFrame) -> pl.DataFrame:
    """Which level, numbered over all attempts, an entry was made on and which it shows.

    They differ for an entry that completes a level; one that opens an attempt was made on none.
    """
    return (
        entries.with_columns(opens=(pl.col("attempt") != pl.col("attempt").shift()).fill_null(value=True))
        .with_columns(shows=(_OPENS | pl.col("level_completed")).cum_sum())
        .with_columns(
            made_on=pl.when(~_OPENS).then(pl.col("shows").shift()),
            enters=_OPENS | pl.col("level_completed"),
            pause=(pl.col("at") - pl.col("at").shift()).clip(lower_bound=0),
        )
    )


def _check(entries: pl.DataFrame) -> None:
    follows = ~_OPENS & (pl.col("seq") != pl.col("seq").shift() + 1)
    falls = ~_OPENS & (pl.col("levels_completed") < pl.col("levels_completed").shift())
    for code, wrong in (("entries_out_of_order", follows), ("levels_out_of_order", falls)):
        if not (found := entries.filter(wrong)).is_empty():
            attempt, seq = found.row(0)[:2]
            raise RuleError(code, f"Entry {seq} of attempt {attempt} does not follow the one before it.")


def _entered(entries: pl.DataFrame) -> pl.DataFrame:
    """One row a level: how it was entered, and the states it showed."""
    new = pl.col("state").is_first_distinct().over("shows")
    return (
        entries.with_columns(new=new)
        .group_by(entry_of="shows", maintain_order=True)
        .agg(
            pl.col("attempt").first(),
            pl.col("levels_completed").first() + 1,
            entered_seq=pl.col("seq").first(),
            entered_at=pl.col("at").first(),
            ends=(pl.col("won") & ~_OPENS & pl.col("level_completed")).first(),
            unique_states=pl.col("new").sum(),
            repeated_states=(~pl.col("new") & ~_RESET & ~pl.col("enters")).sum(),
        )
        .rename({"levels_completed": "level"})
    )


def _acted(entries: pl.DataFrame) -> pl.DataFrame:
    """One row a level that had an action."""
    return (
        entries.filter(~_OPENS)
        .group_by(entry_of="made_on", maintain_order=True)
        .agg(
            last_seq=pl.col("seq").last(),
            last_at=pl.col("at").last(),
            completed=pl.col("level_completed").last(),
            actions=pl.len(),
            resets=_RESET.sum(),
            last_reset=pl.col("seq").filter(_RESET).last(),
            no_ops=(~_RESET & ~pl.col("changed")).sum(),
            first_changed=pl.col("seq").filter(~_RESET & pl.col("changed")).first(),
            game_overs=pl.col("lost").sum(),
            pause=pl.col("pause").sum(),
            active=pl.col("pause").clip(upper_bound=int(ACTIVE_GAP_SECONDS * _MICROSECONDS)).sum(),
        )
    )


def _figures() -> list[pl.Expr]:
    """The columns of `RESULT`, in its order."""
    made = {
        "actions_since_reset": pl.col("last_seq") - pl.col("last_reset").fill_null(pl.col("entered_seq")),
        "first_change": pl.col("first_changed") - pl.col("entered_seq"),
        "first_score_change": pl.when("completed").then("actions"),
        "entered_at": pl.from_epoch("entered_at", "us").dt.replace_time_zone("UTC"),
        "last_at": pl.from_epoch("last_at", "us").dt.replace_time_zone("UTC"),
    }
    return [made.get(name, pl.col(name)).alias(name) for name in RESULT]
