"""Attempts and their level results as tables, brought up to date with the journal before they are read."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

import polars as pl

from playtest.insight.models import LevelResult
from playtest.insight.scope import Scope
from playtest.insight.services.results import bring_up_to_date
from playtest.play.queries import COUNTED
from playtest.review.queries.exclusions import exclusions
from playtest.studio.models import Environment

type Schema = Mapping[str, Any]

_TIME = pl.Datetime("us", "UTC")

ATTEMPT: Schema = {
    "attempt": pl.Int64,
    "session": pl.Int64,
    "participant": pl.String,
    "environment": pl.String,
    "version": pl.Int64,
    "levels": pl.Int64,
    "outcome": pl.String,
    "levels_completed": pl.Int64,
    "first_frame_at": _TIME,
    "last_action_at": _TIME,
    "attempt_actions": pl.Int64,
    "attempt_seconds": pl.Float64,
    "counted": pl.Boolean,
    "excluded_from": pl.Int64,
    "why_excluded": pl.String,
}
"""Columns of `attempts`: one row an attempt that showed a frame.

`participant` is the pseudonym; `version` an id; `levels` how many that version has; `outcome` as
`rules.attempt.Outcome`, "" while open; `attempt_seconds` of interaction; `counted` by the protocol's rule
(no open one is); `excluded_from` the first action reviewers left out (0: the whole attempt), null when none.
"""

LEVEL: Schema = {
    "attempt": pl.Int64,
    "level": pl.Int64,
    "entered_seq": pl.Int64,
    "last_seq": pl.Int64,
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
"""Columns of `levels`, before the attempt's own: see `rules.results.LevelResult`."""


def attempts(scope: Scope, environments: Collection[Environment] | None = None) -> pl.DataFrame:
    """`ATTEMPT` of the scope's attempts, in the order they were begun.

    What reviewers left out wholly is not in it, unless the scope has it in; `excluded_from` tells of the
    rest.
    """
    found = scope.attempts
    if environments is not None:
        found = found.filter(environment__in=environments)
    bring_up_to_date(found)
    frame = _attempts(found)
    return frame if scope.with_excluded else frame.filter(pl.col("excluded_from").ne_missing(0))


def levels(attempts: pl.DataFrame, scope: Scope) -> pl.DataFrame:
    """`LEVEL` with `ATTEMPT` beside it: one row for each level those attempts reached, by attempt and level.

    A level that reviewers cut into (its last action is one they left out) is not in it, unless the scope has
    it in.
    """
    ids = attempts["attempt"].to_list()
    rows = LevelResult.objects.order_by("attempt", "level").values_list("attempt_id", *list(LEVEL)[1:])
    if len(ids) <= _FEW:
        rows = rows.filter(attempt__in=ids)
    frame = pl.DataFrame(list(rows), schema=dict(LEVEL), orient="row")
    frame = frame.join(attempts, on="attempt", how="inner").sort("attempt", "level")
    if scope.with_excluded:
        return frame
    return frame.filter(pl.col("excluded_from").is_null() | (pl.col("last_seq") < pl.col("excluded_from")))


_FEW = 500
"""More ids than this are not asked for one by one: all rows are read, and joined here."""


def _attempts(found: Any) -> pl.DataFrame:
    counted = set(found.filter(COUNTED).values_list("pk", flat=True))
    excluded = exclusions()
    rows = found.order_by("pk").values_list(
        "pk", "session", "participant__label", "environment__code", "version", "version__levels", "outcome",
        "levels_completed", "first_frame_at", "last_action_at", "summary__through_seq",
    )  # fmt: skip
    table = []
    for row in rows:
        pk, session, *_, begun, last, actions = row
        left_out = excluded.sessions.get(session) or excluded.attempts.get(pk)
        table.append(
            (
                *row[:-1],
                actions or 0,
                _seconds(begun, last),
                pk in counted,
                left_out.from_seq if left_out else None,
                left_out.why if left_out else None,
            )
        )
    return pl.DataFrame(table, schema=dict(ATTEMPT), orient="row")


def _seconds(begun: datetime, last: datetime | None) -> float:
    return (last - begun).total_seconds() if last else 0.0
