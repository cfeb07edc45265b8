"""The assumptions of a plan: the study's own protocol, and what an earlier study measured."""

from dataclasses import dataclass

import polars as pl

from playtest.insight.results.tables import completions
from playtest.insight.study.results import StudyResults
from playtest.play.models import Study
from playtest.rules.planning import MOST_LEVELS
from playtest.rules.planning.estimates import correlation_of, spread_of

UNKNOWN: dict[str, float] = {
    "environments": 25,
    "a_sitting": 9,
    "sittings_each": 1,
    "spread": 1.6,
    "success": 50,
    "counting": 90,
    "correlation": 10,
    "runs": 3,
    "difference_spread": 20,
    "power": 80,
    "reach": 50,
    "half": 20,
    "difference": 25,
}
"""What a plan begins with where nothing was measured; shares in percent. Report 5.1 has the sitting."""
_COMPLETING = "95, 90, 80, 70, 60, 50"


@dataclass(frozen=True)
class Measured:
    """What a study tells of the next one; None or () where it has too few results. Shares are 0..1."""

    spread: float | None
    completing: tuple[float, ...]
    success: float | None
    counting: float | None
    correlation: float | None


def measured(results: StudyResults) -> Measured:
    """Of counted attempts that are not excluded, also in part; `spread` of all completed levels."""
    whole, begun = results.counted.filter("whole"), results.begun.filter(pl.col("outcome") != "")
    counts = (
        completions(results.begun, results.scope)
        .group_by("version", "level")
        .agg("actions")["actions"]
        .to_list()
    )
    return Measured(
        spread=spread_of(counts),
        completing=_completing(whole),
        success=_mean(whole["solved"]),
        counting=whole.height / begun.height if begun.height else None,
        correlation=correlation_of(whole.select("participant", "environment", "solved").iter_rows()),
    )


def _completing(attempts: pl.DataFrame) -> tuple[float, ...]:
    """By level, the share who completed it of all who played an environment with so many levels."""
    most = attempts["levels"].max()
    if not isinstance(most, int):
        return ()
    found = []
    for level in range(1, min(most, MOST_LEVELS) + 1):
        with_level = attempts.filter(pl.col("levels") >= level)
        found.append(_mean(with_level["levels_completed"] >= level) or 0.0)
    return tuple(found)


def _mean(values: pl.Series) -> float | None:
    mean = values.mean()
    return float(mean) if isinstance(mean, int | float) else None


def beginnings(study: Study, earlier: Measured | None) -> dict[str, str]:
    """What the form begins with, as text: of the study, then of the earlier one, then UNKNOWN."""
    found = {name: f"{value:g}" for name, value in UNKNOWN.items()}
    found |= {"completing": _COMPLETING, "people": str(study.protocol.acceptance.people)}
    if pool := study.pool.count():
        found["environments"] = str(pool)
    if earlier is None:
        return found
    if earlier.spread is not None:
        found["spread"] = f"{earlier.spread:.2f}"
    if earlier.completing:
        found["completing"] = ", ".join(_percent(one) for one in earlier.completing)
    for name in ("success", "counting", "correlation"):
        value = getattr(earlier, name)
        if value is not None:
            found[name] = _percent(value)
    return found


def _percent(share: float) -> str:
    return f"{100 * share:.3g}"
