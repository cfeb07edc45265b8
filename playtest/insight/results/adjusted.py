"""Success adjusted for who came (`rules.rasch`), from the tables that raw success is counted from."""

from collections.abc import Hashable, Iterable
from typing import Any

import polars as pl

from playtest.rules.attempt import Outcome
from playtest.rules.errors import RuleError
from playtest.rules.rasch import Estimate, Fit, Result, fit


def fit_or_none[Item: Hashable](results: Iterable[tuple[str, Item, bool]]) -> Fit[Item] | None:
    """The model of person, item and success; None if too few people met two items."""
    try:
        return fit([Result(*one) for one in results])
    except RuleError:
        return None


def successes(counted: pl.DataFrame, item: str, *, with_excluded: bool) -> Iterable[tuple[str, Any, bool]]:
    """Person, the column `item` and whether solved, of `acceptance.counted_people`.

    An attempt that is excluded from an action on did not solve its environment, as in raw success.
    """
    whole = pl.lit(with_excluded) | pl.col("excluded_from").is_null()
    solved = whole & (pl.col("outcome") == Outcome.COMPLETED.value)
    return counted.select("participant", item, solved.alias("solved")).iter_rows()


def percents(found: Estimate | None) -> tuple[float | None, float | None, float | None]:
    """Value and both ends in percent; None for what is not known."""
    if found is None:
        return None, None, None
    return 100 * found.value, 100 * found.low, 100 * found.high
