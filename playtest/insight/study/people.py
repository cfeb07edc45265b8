"""The people of a study: speed, accuracy and pace of each, and results by answers to the survey."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import polars as pl

from playtest.insight.results.tables import IS_TASK
from playtest.insight.study.results import StudyResults
from playtest.play.models import Session
from playtest.play.sessions.studies import questions_of_study
from playtest.rules.disclosure import withheld
from playtest.rules.survey import Answer, Question

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
    """One question, with the people who have an attempt by answer; `shown` names the groups not withheld."""

    question: Question
    groups: tuple[Group, ...]
    shown: tuple[str, ...]


def by_person(results: StudyResults) -> pl.DataFrame:
    """A row for each participant with counted attempts, in the order of their first one.

    Columns: participant, sessions (ids), attempts, solved (a count), share (0..1), speed, the environments
    solved per minute of interaction, and pace, the median over the attempts of seconds per action. Static
    tasks have edits and no pace.
    """
    pace = pl.when((pl.col("attempt_actions") > 0) & ~IS_TASK).then(
        pl.col("attempt_seconds") / pl.col("attempt_actions")
    )
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
    """Every question of the study's surveys whose answers make groups. The last survey of a person counts.

    Small groups have no figures, and none that readers could compute by subtraction (`rules.disclosure`).
    """
    questions = [question for question in questions_of_study(results.study) if question.groups]
    given = last_answers(results)
    attempts = results.counted.select("participant", "solved", "minutes")
    people = attempts["participant"].to_list()
    return [
        _breakdown(question, attempts.with_columns(group=_groups(question, given, people)))
        for question in questions
    ]


def last_answers(results: StudyResults) -> dict[str, dict[str, Answer]]:
    """The answers of the last survey of each participant in the study, by their label."""
    asked = Session.objects.filter(study=results.study, survey__isnull=False).order_by("survey__answered_at")
    return dict(asked.values_list("participant__label", "survey__answers"))


def _groups(
    question: Question, given: Mapping[str, Mapping[str, Answer]], people: Iterable[str]
) -> pl.Series:
    """The group of each of these people, null without an answer."""
    found = {person: question.group_of(answers.get(question.name)) for person, answers in given.items()}
    return pl.Series([found.get(person) for person in people], dtype=pl.String)


def _breakdown(question: Question, rows: pl.DataFrame) -> Breakdown:
    labels = dict(question.groups)
    counts = rows.group_by("group").agg(
        pl.col("participant").n_unique().alias("people"),
        pl.len().alias("attempts"),
        pl.col("solved").mean(),
        pl.col("minutes").median(),
    )
    found = {
        row.pop("group"): Group(labels.get(name, SKIPPED), **row)
        for row in counts.to_dicts()
        for name in [row["group"]]
    }
    groups = [found.get(name, Group(label, 0, 0)) for name, label in [*question.groups, (None, SKIPPED)]]
    hidden = withheld([group.people or 0 for group in groups])
    return Breakdown(
        question,
        tuple(Group(group.answer) if place in hidden else group for place, group in enumerate(groups)),
        tuple(name for place, (name, _) in enumerate(question.groups) if place not in hidden),
    )
