"""Who reviewers left out of a study's results, and why."""

from dataclasses import dataclass

import polars as pl

from playtest.insight.study.results import StudyResults


@dataclass(frozen=True)
class LeftOut:
    """Attempts of one session that are out for one reason; `from_moment` of them only from an action on."""

    session: int
    participant: str
    why: str
    attempts: int
    from_moment: int

    @property
    def words(self) -> str:
        return f"{_attempts(self.attempts, self.from_moment)}: {self.why}"


def left_out(results: StudyResults) -> list[LeftOut]:
    """Whether the scope has them in or not, in the order in which they were begun."""
    rows = (
        results.everyone.filter(pl.col("excluded_from").is_not_null())
        .group_by("session", "participant", "why_excluded", maintain_order=True)
        .agg(pl.len(), (pl.col("excluded_from") > 0).sum().alias("from_moment"))
    )
    return [LeftOut(*row) for row in rows.iter_rows()]


def left_out_words(out: list[LeftOut]) -> str:
    """All of them in a sentence's part, "12 attempts of 2 people, 1 of them only from a moment on"."""
    people = len({one.participant for one in out})
    attempts = sum(one.attempts for one in out)
    noun = "person" if people == 1 else "people"
    words = f"{attempts} {'attempt' if attempts == 1 else 'attempts'} of {people} {noun}"
    moments = sum(one.from_moment for one in out)
    return f"{words}, {moments} of them only from a moment on" if moments else words


def _attempts(attempts: int, from_moment: int) -> str:
    words = "1 attempt" if attempts == 1 else f"{attempts} attempts"
    if not from_moment:
        return words
    return f"{words}, {'' if from_moment == attempts else f'{from_moment} of them '}only from a moment on"
