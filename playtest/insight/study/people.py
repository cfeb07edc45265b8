"""People of a study: how fast and how well each does, and what groups of at least five told in the survey."""

from dataclasses import dataclass

import polars as pl

from playtest.insight.study.results import StudyResults
from playtest.play.models import Session
from playtest.rules.disclosure import withheld
from playtest.rules.survey import QUESTIONS, Question

SKIPPED = "No answer"


@dataclass(frozen=True)
class Group:
    """People who gave one answer: how many, their attempts by the protocol's rule, the share solved (0..1).

    `minutes` is the median of an attempt. All are None where the group is too small to be told of.
    """

    answer: str
    people: int | None = None
    attempts: int | None = None
    solved: float | None = None
    minutes: float | None = None

    @property
    def told(self) -> bool:
        return self.people is not None

    @property
    def percent(self) -> str:
        """The share solved, in words."""
        return "" if self.solved is None else f"{self.solved:.0%}"


@dataclass(frozen=True)
class Breakdown:
    """One question of the survey and everyone with an attempt, by answer."""

    question: Question
    groups: tuple[Group, ...]


def by_person(results: StudyResults) -> pl.DataFrame:
    """A row a participant with attempts by the protocol's rule, in the order they first began.

    participant, sessions (their ids), attempts, solved (a count), share (0..1), pace: the median over those
    attempts of seconds an action.
    """
    pace = pl.col("attempt_seconds") / pl.col("attempt_actions")
    return (
        results.counted.filter("whole")
        .group_by("participant", maintain_order=True)
        .agg(
            pl.col("session").unique(maintain_order=True).alias("sessions"),
            pl.len().alias("attempts"),
            pl.col("solved").sum().cast(pl.Int64),
            pl.col("solved").mean().alias("share"),
            pace.median().alias("pace"),
        )
    )


def breakdowns(results: StudyResults) -> list[Breakdown]:
    """Every question of the survey. Nobody can be told of in a group of fewer than five, nor by subtraction.

    Who sat down more than once is told of by their last survey.
    """
    told = _surveys(results)
    rows = results.counted.select("participant", "solved", "minutes").join(told, on="participant", how="left")
    return [_breakdown(question, rows) for question in QUESTIONS]


def _surveys(results: StudyResults) -> pl.DataFrame:
    """A column a question, an answer's stored value or null; a row a participant who was asked."""
    asked = Session.objects.filter(study=results.study, survey__isnull=False).order_by("survey__answered_at")
    answers = dict(asked.values_list("participant__label", "survey__answers"))
    return pl.DataFrame(
        [
            (person, *(given.get(question.name) for question in QUESTIONS))
            for person, given in answers.items()
        ],
        schema={"participant": pl.String} | {question.name: pl.String for question in QUESTIONS},
        orient="row",
    )


def _breakdown(question: Question, rows: pl.DataFrame) -> Breakdown:
    choices = dict(question.choices)
    counts = rows.group_by(answer=pl.col(question.name)).agg(
        pl.col("participant").n_unique().alias("people"),
        pl.len().alias("attempts"),
        pl.col("solved").mean(),
        pl.col("minutes").median(),
    )
    found = {
        row.pop("answer"): Group(choices.get(answer, SKIPPED), **row)
        for row in counts.to_dicts()
        for answer in [row["answer"]]
    }
    groups = [found.get(value, Group(words, 0, 0)) for value, words in [*question.choices, (None, SKIPPED)]]
    hidden = withheld([group.people or 0 for group in groups])
    return Breakdown(
        question,
        tuple(Group(group.answer) if place in hidden else group for place, group in enumerate(groups)),
    )
