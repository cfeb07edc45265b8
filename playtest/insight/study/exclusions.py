"""The attempts of a study that reviewers excluded or staff voided, with the reasons."""

from dataclasses import dataclass

import polars as pl

from playtest.insight.study.results import StudyResults
from playtest.review.queries.exclusions import VOIDED


@dataclass(frozen=True)
class ExcludedAttempts:
    """Attempts of one session that are excluded for one reason, some of them `in_part`."""

    session: int
    participant: str
    why: str
    attempts: int
    in_part: int

    @property
    def voided(self) -> bool:
        """Whether staff voided them, and not reviewers."""
        return self.why.startswith(VOIDED)

    @property
    def description(self) -> str:
        return f"{_count(self.attempts, self.in_part)}: {self.why}"


def excluded_attempts(results: StudyResults) -> list[ExcludedAttempts]:
    """In the order in which they were begun, also if the scope counts them."""
    rows = (
        results.everyone.filter(pl.col("excluded_from").is_not_null())
        .group_by("session", "participant", "why_excluded", maintain_order=True)
        .agg(pl.len(), (pl.col("excluded_from") > 0).sum().alias("in_part"))
    )
    return [ExcludedAttempts(*row) for row in rows.iter_rows()]


def exclusion_summary(excluded: list[ExcludedAttempts]) -> str:
    """All of them in one phrase: "12 attempts, 1 of them in part, of 2 people; 3 voided by staff"."""
    people = len({one.participant for one in excluded})
    count = _count(sum(one.attempts for one in excluded), sum(one.in_part for one in excluded))
    separator = "," if "," in count else ""
    voided = sum(one.attempts for one in excluded if one.voided)
    by_staff = f"; {voided} {VOIDED}" if voided else ""
    return f"{count}{separator} of {people} {'person' if people == 1 else 'people'}{by_staff}"


def _count(attempts: int, in_part: int) -> str:
    count = "1 attempt" if attempts == 1 else f"{attempts} attempts"
    if not in_part:
        return count
    return f"{count} in part" if in_part == attempts else f"{count}, {in_part} of them in part"
