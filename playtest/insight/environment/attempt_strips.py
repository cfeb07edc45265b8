"""Attempts as rows, each with its levels as a strip: widths by actions, colours by what became of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any

import polars as pl

from playtest.insight.environment.progression import counts_of, score_of
from playtest.insight.results.level_outcomes import OUTCOME_LABELS
from playtest.insight.results.version import VersionResults
from playtest.play.models import Attempt
from playtest.review.queries.attempts import idle_since, idle_words
from playtest.rules.attempt import Outcome

WIDTH = 600
"""Units across of the longest strip."""
_LEAST = 4.0
"""A level without actions is seen too."""
_GAP = 2.0


@dataclass(frozen=True)
class Part:
    """One level of a strip, in units from its left end."""

    level: int
    outcome: str
    x: float
    width: float
    words: str


@dataclass(frozen=True)
class AttemptRow:
    """One attempt. `fate` is the end it came to; `left_out` what reviewers left out, in words."""

    attempt_id: int
    participant: str
    begun: datetime
    outcome: str
    outcome_label: str
    level: int
    actions: int
    seconds: float
    score: float | None
    parts: tuple[Part, ...]
    words: str
    left_out: str
    href: str | None


def attempt_rows(
    results: VersionResults, most: int, idle: Mapping[int, float] | None = None
) -> list[AttemptRow]:
    """The last `most` people to begin, the newest first; their strips are drawn to one scale.

    `idle` as `idle_attempts`.
    """
    newest = results.levels["attempt"].unique().sort(descending=True).head(most)
    levels = results.levels.filter(pl.col("attempt").is_in(newest.implode())).sort(
        ["attempt", "level"], descending=[True, False]
    )
    people = [list(rows) for _, rows in groupby(levels.iter_rows(named=True), key=itemgetter("attempt"))]
    longest = max((sum(row["actions"] for row in rows) for rows in people), default=0) or 1
    counts = counts_of(results)
    found = [_row(results, rows, counts, WIDTH / longest) for rows in people]
    late = idle or {}
    return [
        replace(row, outcome_label=idle_words(late[row.attempt_id])) if row.attempt_id in late else row
        for row in found
    ]


def idle_attempts(results: VersionResults) -> dict[int, float]:
    """When whoever was idle until the time ran out had acted last, in seconds since their first frame."""
    timed_out = Attempt.objects.filter(version=results.version, outcome=Outcome.TIMED_OUT)
    return {one.pk: seconds for one in timed_out if (seconds := idle_since(one)) is not None}


def _row(
    results: VersionResults, levels: list[dict[str, Any]], counts: Mapping[int, Sequence[int]], scale: float
) -> AttemptRow:
    last, parts = levels[-1], _parts(levels, scale)
    cut = last["excluded_from"]
    return AttemptRow(
        attempt_id=last["attempt"],
        participant=last["participant"],
        begun=last["first_frame_at"],
        outcome=last["level_outcome"],
        outcome_label="solved" if _won(results, last) else _ended(last),
        level=last["level"],
        actions=sum(row["actions"] for row in levels),
        seconds=sum(row["seconds"] for row in levels),
        score=score_of(levels, counts),
        parts=parts,
        words="; ".join(part.words for part in parts),
        left_out="" if cut is None else last["why_excluded"] + (f" (from action {cut})" if cut else ""),
        href=results.links.replay(last["attempt"]),
    )


def _won(results: VersionResults, last: Mapping[str, Any]) -> bool:
    return bool(last["completed"]) and last["level"] == results.version.levels


def _ended(last: Mapping[str, Any]) -> str:
    label = OUTCOME_LABELS[last["level_outcome"]]
    return f"{label} {'level' if last['completed'] else 'on level'} {last['level']}"


def _parts(levels: list[dict[str, Any]], scale: float) -> tuple[Part, ...]:
    parts, x = [], 0.0
    for row in levels:
        width = max(row["actions"] * scale, _LEAST)
        actions = "1 action" if row["actions"] == 1 else f"{row['actions']} actions"
        words = f"Level {row['level']}: {OUTCOME_LABELS[row['level_outcome']]}, {actions}"
        parts.append(Part(row["level"], row["level_outcome"], round(x, 1), round(width, 1), words))
        x += width + _GAP
    return tuple(parts)
