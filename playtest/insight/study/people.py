"""The people of a study: speed, accuracy and pace of each, and results by answers to the survey."""

from dataclasses import dataclass

import polars as pl

from playtest.insight.study.results import StudyResults
from playtest.play.models import Session
from playtest.rules.disclosure import withheld
from playtest.rules.survey import QUESTIONS, Question

SKIPPED = "No answer"


@dataclass(frozen=True)
class Group:
    """The people who gave one answer, their counted attempts, and the share solved (0..1).

    `minutes` is the median of an attempt. All are None if the group is too small to be shown.
    """

    answer: str
    people: int | None = None
    attempts: int | None = None
    solved: float | None = None
    minutes: float | None = None

    @property
    def shown(self) -> bool:
        return self.people is not None

    @property
    def percent(self) -> str:
        """The share solved, as text."""
        return "" if self.solved is None else f"{self.solved:.0%}"


@dataclass(frozen=True)
class Breakdown:
    """One question of the survey, with the people who have an attempt by answer."""

    question: Question
    groups: tuple[Group, ...]


def by_person(results: StudyResults) -> pl.DataFrame:
    """A row for each participant with counted attempts, in the order of their first one.

    Columns: participant, sessions (ids), attempts, solved (a count), share (0..1), speed, the environments
    solved per minute of interaction, and pace, the median over the attempts of seconds per action.
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
            (pl.col("solved").sum() / pl.col("minutes").sum()).alias("speed"),
            pace.median().alias("pace"),
        )
    )


def breakdowns(results: StudyResults) -> list[Breakdown]:
    """Every question of the survey. The last survey of a person counts.

    Small groups have no figures, and none that readers could compute by subtraction (`rules.disclosure`).
    """
    answers = _surveys(results)
    attempts = results.counted.select("participant", "solved", "minutes")
    rows = attempts.join(answers, on="participant", how="left")
    return [_breakdown(question, rows) for question in QUESTIONS]


def _surveys(results: StudyResults) -> pl.DataFrame:
    """A row for each participant, a column for each question with the stored answer or null."""
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
    groups = [found.get(value, Group(label, 0, 0)) for value, label in [*question.choices, (None, SKIPPED)]]
    hidden = withheld([group.people or 0 for group in groups])
    return Breakdown(
        question,
        tuple(Group(group.answer) if place in hidden else group for place, group in enumerate(groups)),
    )
