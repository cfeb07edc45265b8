"""Headings of the page, and the table of attempts: strips of levels, colours by outcome."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any

import polars as pl

from playtest.insight.pages.environment.progression import counts_of, score_of
from playtest.insight.tables.version import LEVEL_OUTCOMES, VersionResults
from playtest.play.models import Attempt
from playtest.review.queries.attempts import idle_label, idle_since
from playtest.rules.attempt import LEFT_AT_ONCE, Outcome
from playtest.rules.dropoff import LevelFacts, worst
from playtest.rules.text import persons

WIDTH = 600
"""The width of the longest strip, in units of its drawing."""
_MINIMUM = 4.0
"""The width of a level without actions, so that it is visible."""
_GAP = 2.0


@dataclass(frozen=True)
class Part:
    """One level of a strip, with its distance from the left end and its width."""

    level: int
    outcome: str
    x: float
    width: float
    description: str


@dataclass(frozen=True)
class AttemptRow:
    """One attempt. `seconds` is None where no time is known.

    `exclusion` is the reason if it is excluded, in part or whole, or "".
    """

    attempt_id: int
    participant: str
    begun: datetime
    outcome: str
    outcome_label: str
    level: int
    last_seq: int
    actions: int
    seconds: float | None
    score: float | None
    parts: tuple[Part, ...]
    description: str
    exclusion: str
    under_review: bool
    href: str | None


def attempt_rows(
    results: VersionResults, most: int, idle: Mapping[int, float] | None = None
) -> list[AttemptRow]:
    """The `most` newest attempts, newest first; `idle` is from `idle_attempts`."""
    newest = results.levels["attempt"].unique().sort(descending=True).head(most)
    levels = results.levels.filter(pl.col("attempt").is_in(newest.implode())).sort(
        ["attempt", "level"], descending=[True, False]
    )
    people = [list(rows) for _, rows in groupby(levels.iter_rows(named=True), key=itemgetter("attempt"))]
    longest = max((sum(row["actions"] for row in rows) for rows in people), default=0) or 1
    counts = counts_of(results)
    found = [_row(results, rows, counts, WIDTH / longest) for rows in people]
    idle = idle or {}
    return [
        replace(row, outcome_label=idle_label(idle[row.attempt_id])) if row.attempt_id in idle else row
        for row in found
    ]


def idle_attempts(results: VersionResults) -> dict[int, float]:
    """Seconds to the last action of the attempts that were idle until they timed out."""
    timed_out = Attempt.objects.filter(version=results.version, outcome=Outcome.TIMED_OUT)
    return {one.pk: seconds for one in timed_out if (seconds := idle_since(one)) is not None}


def _row(
    results: VersionResults, levels: list[dict[str, Any]], counts: Mapping[int, Sequence[int]], scale: float
) -> AttemptRow:
    last, parts = levels[-1], _parts(results, levels, scale)
    times = [row["seconds"] for row in levels if row["seconds"] is not None]
    cut = last["excluded_from"]
    return AttemptRow(
        attempt_id=last["attempt"],
        participant=last["participant"],
        begun=last["first_frame_at"],
        outcome=last["level_outcome"],
        outcome_label=_end(results, last),
        level=last["level"],
        last_seq=last["last_seq"],
        actions=sum(row["actions"] for row in levels),
        seconds=sum(times) if times else None,
        score=score_of(levels, counts),
        parts=parts,
        description="; ".join(part.description for part in parts),
        exclusion="" if cut is None else last["why_excluded"] + (f" (from action {cut})" if cut else ""),
        under_review=last["under_review"],
        href=results.links.replay(last["attempt"], within=results.links.attempts()),
    )


def _end(results: VersionResults, last: Mapping[str, Any]) -> str:
    if last["completed"] and last["level"] == results.version.levels:
        return results.end_labels[Outcome.COMPLETED]
    label = results.outcome_labels[last["level_outcome"]]
    return f"{label} {'level' if last['completed'] else 'on level'} {last['level']}"


def _parts(results: VersionResults, levels: list[dict[str, Any]], scale: float) -> tuple[Part, ...]:
    parts, x = [], 0.0
    for row in levels:
        width = max(row["actions"] * scale, _MINIMUM)
        actions = "1 action" if row["actions"] == 1 else f"{row['actions']} actions"
        description = f"Level {row['level']}: {results.outcome_labels[row['level_outcome']]}, {actions}"
        parts.append(Part(row["level"], row["level_outcome"], round(x, 1), round(width, 1), description))
        x += width + _GAP
    return tuple(parts)


def environment_heading(
    results: VersionResults, levels: Iterable[LevelFacts], *, elsewhere: bool = False
) -> str:
    """Names the level that lost most people. `elsewhere`: whether there are attempts at other versions."""
    code = results.version.environment.code
    if not results.levels.height:
        return f"Nobody has played {'this version of ' if elsewhere else ''}{code} yet"
    facts = list(levels)
    most = worst(facts)
    if most:
        return _lost(most) + _at_once(results, sum(level.left_at_once for level in facts))
    return _nobody_lost(results)


def level_heading(results: VersionResults, facts: LevelFacts) -> str:
    """Says how many of those who reached a level completed it, or were lost."""
    level, reached = facts.level, facts.reached
    if not reached:
        return f"Nobody has reached level {level} yet"
    if facts.left_at_once == reached:
        return f"Level {level}: {persons(reached)} {results.at_once_label}, nobody else reached it"
    if facts.lost:
        heading = _lost([facts])
    elif facts.completed + facts.left_at_once == reached:
        who = "The only person" if facts.completed == 1 else f"All {facts.completed} people"
        heading = f"{who} completed level {level}"
    else:
        rest = reached - facts.left_at_once
        heading = f"Level {level} lost nobody: {facts.completed} of {rest} completed it"
    return heading + _at_once(results, facts.left_at_once)


def _lost(most: Sequence[LevelFacts]) -> str:
    """How many people a level lost, or each of several levels that lost equally many."""
    facts = most[0]
    if len(most) > 1:
        levels = [str(level.level) for level in most]
        doubted = sum(level.under_review for level in most)
        doubt = f" ({doubted} of {len(most) * facts.lost} under review)" if doubted else ""
        return f"Levels {', '.join(levels[:-1])} and {levels[-1]} lose {persons(facts.lost)} each{doubt}"
    if facts.reached == 1:
        return f"Level {facts.level} lost the only person who tried it{facts.doubt}"
    if facts.lost == facts.ended:
        return f"Level {facts.level} loses all {persons(facts.lost)}{facts.doubt}"
    # Who left at once or was cut short is drawn, too, but in no share.
    who = "people" if facts.ended == facts.reached else "who count"
    return f"Level {facts.level} loses {facts.lost} of {facts.ended} {who}{facts.doubt}"


def _at_once(results: VersionResults, people: int) -> str:
    return f"; {people:,} {results.at_once_label}" if people else ""


def _nobody_lost(results: VersionResults) -> str:
    ends = _ends(results)
    people = sum(ends.values())
    labels = results.end_labels | {Outcome.COMPLETED: "solved it"}
    for outcome in (Outcome.COMPLETED, LEFT_AT_ONCE):
        if ends.get(outcome) == people:
            return f"{'The only person' if people == 1 else f'All {people} people'} {labels[outcome]}"
    counts = ", ".join(f"{ends[outcome]} {labels[outcome]}" for outcome in LEVEL_OUTCOMES if outcome in ends)
    return f"Nobody is lost so far: {counts}"


def _ends(results: VersionResults) -> dict[str, int]:
    """How many people ended with each outcome: that of the last level that each reached."""
    last = results.levels.sort("level").group_by("attempt").agg(pl.col("level_outcome").last())
    return dict(last["level_outcome"].value_counts().iter_rows())
