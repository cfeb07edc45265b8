"""Everyone who reached a level, and how they fared on it."""

from dataclasses import dataclass

import polars as pl

from playtest.insight.results.played import FATE_WORDS, FATES, Played

_ORDER = {str(fate): place for place, fate in enumerate(FATES)}
_WORDS = {str(fate): words for fate, words in FATE_WORDS.items()}


@dataclass(frozen=True)
class PersonOnLevel:
    """One person on one level; `first_change` is the number of the first action that changed the board."""

    participant: str
    fate: str
    fate_words: str
    actions: int
    actions_since_reset: int
    resets: int
    no_ops: int
    first_change: int | None
    seconds: float
    href: str | None


def people_on(played: Played, level: int) -> list[PersonOnLevel]:
    """Who completed it last: first those who stopped there, by how; of each the longest at it first."""
    here = (
        played.levels.filter(pl.col("level") == level)
        .with_columns(pl.col("fate").replace_strict(_ORDER, return_dtype=pl.Int64).alias("place"))
        .sort(pl.col("place") == 0, "place", pl.col("actions") * -1, "attempt")
    )
    return [
        PersonOnLevel(
            row["participant"],
            row["fate"],
            _WORDS[row["fate"]],
            row["actions"],
            row["actions_since_reset"],
            row["resets"],
            row["no_ops"],
            row["first_change"],
            row["seconds"],
            played.links.replay(row["attempt"], level),
        )
        for row in here.iter_rows(named=True)
    ]
