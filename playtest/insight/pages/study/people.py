"""The people of a study: speed, accuracy and pace of each, and results by answers to the survey."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from playtest.insight.pages.study.results import StudyResults, solving, study_results
from playtest.insight.scope import Scope
from playtest.insight.tables.results import IS_CUT_SHORT, IS_TASK
from playtest.people.participants import names_of_persons, people_by
from playtest.play.models import Session, Study
from playtest.play.sessions.studies import questions_of_study
from playtest.rules.disclosure import released, withheld
from playtest.rules.inference.clusters import Estimate
from playtest.rules.inference.ranks import LEVEL, RankTest, holm, kruskal_wallis, spearman
from playtest.rules.survey import Answer, Question

SKIPPED = "No answer"
LANGUAGE = "language"
"""Of `released_answers`, beside the questions: that of a person's pages."""


@dataclass(frozen=True)
class Group:
    """The people who gave one answer, their counted attempts, and the share (0..1) that solved.

    Attempts that were cut short are in no share. `minutes` is the median of an attempt. All are None if the
    group is too small to be shown.
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
    """One question, with the people who have an attempt by answer; `shown` names the groups not withheld.

    Of a part of a study none is shown, and nothing is tested: the rest could be subtracted.
    """

    question: Question
    groups: tuple[Group, ...]
    shown: tuple[str, ...]
    whole: bool = True


@dataclass(frozen=True)
class LanguageCount:
    """People who agreed in one language of participants' pages, and their sessions in it."""

    language: str
    people: int
    sessions: int


def languages(study: Study) -> list[LanguageCount]:
    """The languages of all sessions with consent, the most frequent first."""
    rows = list(study.sessions.filter(consent__isnull=False).values_list("language", "participant"))
    sessions, people = Counter(language for language, _ in rows), people_by(rows)
    found = (LanguageCount(language, people[language], number) for language, number in sessions.items())
    return sorted(found, key=lambda one: (-one.sessions, one.language))


def by_person(results: StudyResults) -> pl.DataFrame:
    """A row for each participant with counted attempts that were not cut short, by their first one.

    Columns: participant, sessions (ids), attempts, solved (a count), share (0..1), speed, the environments
    solved per minute of interaction, pace, the median over the attempts of seconds per action, and
    under_review. Static tasks have edits and no pace.
    """
    pace = pl.when((pl.col("attempt_actions") > 0) & ~IS_TASK).then(
        pl.col("attempt_seconds") / pl.col("attempt_actions")
    )
    return (
        results.judged.filter("whole")
        .group_by("participant", maintain_order=True)
        .agg(
            pl.col("session").unique(maintain_order=True).alias("sessions"),
            pl.len().alias("attempts"),
            pl.col("solved").sum().cast(pl.Int64),
            pl.col("solved").mean().alias("share"),
            (pl.col("solved").sum() / pl.col("minutes").sum()).alias("speed"),
            pace.median().alias("pace"),
            pl.col("under_review").any(),
        )
    )


def breakdowns(results: StudyResults, *, whole: bool = True) -> list[Breakdown]:
    """Every question of the study's surveys whose answers make groups. The last survey of a person counts.

    Small groups have no figures, and none that readers could compute by subtraction (`rules.disclosure`). So
    there are figures of the whole study alone: none if it is narrowed, or widened by what is excluded, or
    these results are not `whole`.
    """
    whole = whole and results.scope == Scope(results.study)
    questions = [question for question in questions_of_study(results.study) if question.groups]
    given = last_answers(results)
    fewest = results.protocol.smallest_group if whole else None
    solved = pl.when(~IS_CUT_SHORT).then("solved").alias("solved")
    attempts = results.counted.select("participant", solved, "minutes")
    people = attempts["participant"].to_list()
    return [
        _breakdown(question, attempts.with_columns(group=_groups(question, given, people)), fewest)
        for question in questions
    ]


def released_answers(study: Study) -> dict[str, dict[str, str | None]]:
    """What may be published of the people of a study whose attempts count, by the name that ATTEMPT has.

    Every question of `breakdowns` by its name, and LANGUAGE, each None where it was not given or is withheld
    (`rules.disclosure.released`). All that is told of answers of single people, or of a part of the study, is
    computed from this: so no two of these things tell together what this does not.
    """
    results = study_results(Scope(study))
    tables, given = breakdowns(results), last_answers(results)
    spoken = dict(study.sessions.order_by("pk").values_list("participant__label", "language"))
    names = names_of_persons()
    languages = {names.get(label, label): language for label, language in spoken.items()}
    followed = results.counted.group_by("participant").agg(pl.col("protocol").unique()).sort("participant")
    people = {name: tuple(sorted(found, key=str)) for name, found in followed.iter_rows()}
    answers = [
        (*(_shown(table, given.get(name, {})) for table in tables), languages.get(name)) for name in people
    ]
    left = released(answers, list(people.values()), study.protocol.smallest_group)
    columns = [*(table.question.name for table in tables), LANGUAGE]
    return {name: dict(zip(columns, one, strict=True)) for name, one in zip(people, left, strict=True)}


def _shown(table: Breakdown, answers: Mapping[str, Answer]) -> str | None:
    group = table.question.group_of(answers.get(table.question.name))
    return group if group in table.shown else None


def last_answers(results: StudyResults) -> dict[str, dict[str, Answer]]:
    """The answers of the last survey of each person in the study, by the name that ATTEMPT has."""
    asked = Session.objects.filter(study=results.study, survey__isnull=False).order_by("survey__answered_at")
    names = names_of_persons()
    rows = asked.values_list("participant__label", "survey__answers")
    return {names.get(label, label): answers for label, answers in rows}


def _groups(
    question: Question, given: Mapping[str, Mapping[str, Answer]], people: Iterable[str]
) -> pl.Series:
    """The group of each of these people, null without an answer."""
    found = {person: question.group_of(answers.get(question.name)) for person, answers in given.items()}
    return pl.Series([found.get(person) for person in people], dtype=pl.String)


def _breakdown(question: Question, rows: pl.DataFrame, fewest: int | None) -> Breakdown:
    """Withholds groups of fewer than `fewest` people, or all."""
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
    sizes = [group.people or 0 for group in groups]
    hidden = frozenset(range(len(groups))) if fewest is None else withheld(sizes, fewest)
    return Breakdown(
        question,
        tuple(Group(group.answer) if place in hidden else group for place, group in enumerate(groups)),
        tuple(name for place, (name, _) in enumerate(question.groups) if place not in hidden),
        whole=fewest is not None,
    )


_SMALLEST_SHOWN = 0.001


@dataclass(frozen=True)
class Association:
    """A question and its test, with the p-value corrected by Holm; None if too few answered."""

    question: Question
    test: RankTest | None
    corrected: float | None = None

    @property
    def found(self) -> bool:
        """Whether the answers go with success at the level of 5 %."""
        return self.corrected is not None and self.corrected < LEVEL

    @property
    def p_text(self) -> str:
        """The corrected p-value as text."""
        if self.corrected is None:
            return ""
        return "< 0.001" if self.corrected < _SMALLEST_SHOWN else f"{self.corrected:.3f}"


def associations(results: StudyResults, breakdowns: Sequence[Breakdown]) -> list[Association]:
    """Whether the share of a person's attempts that solved goes with the answers, a test for each question.

    Ordered answers are tested in their order, other choices as groups, without groups that are withheld.
    """
    shares = dict(by_person(results).select("participant", "share").iter_rows())
    return corrected(tests_of(results, breakdowns, shares))


type Tested = tuple[Question, RankTest | None]


def tests_of(
    results: StudyResults, breakdowns: Sequence[Breakdown], values: Mapping[str, float]
) -> list[Tested]:
    """Whether a value of each participant goes with the answers, a test for each question."""
    given = last_answers(results)
    return [(breakdown.question, _test(breakdown, values, given)) for breakdown in breakdowns]


def corrected(tests: Sequence[Tested]) -> list[Association]:
    """The tests with their p-values corrected by Holm for that there are so many."""
    p_values = iter(holm([test.p for _, test in tests if test is not None]))
    return [Association(question, test, None if test is None else next(p_values)) for question, test in tests]


def sentence(found: Sequence[Association]) -> str:
    """What the tests say, as a heading."""
    tested = [one for one in found if one.test is not None]
    if not tested:
        return "Too few people answered to test whether answers go with success"
    names = [one.question.name for one in tested if one.found]
    if not names:
        return f"No answer goes with success ({len(tested)} question{'' if len(tested) == 1 else 's'} tested)"
    return f"Success goes with {', '.join(names)} ({len(tested)} tested)"


def _test(
    breakdown: Breakdown, values: Mapping[str, float], given: Mapping[str, Mapping[str, Answer]]
) -> RankTest | None:
    question = breakdown.question
    if not breakdown.whole:
        return None
    answers = {
        person: answer
        for person in values
        if (answer := given.get(person, {}).get(question.name)) is not None
        and question.group_of(answer) is not None
    }
    if question.is_whole:
        return spearman([(float(answer), values[person]) for person, answer in answers.items()])
    if question.ordered:
        places = {name: place for place, (name, _) in enumerate(question.groups) if name in breakdown.shown}
        given_places = ((places.get(str(answer)), values[person]) for person, answer in answers.items())
        return spearman([(float(place), value) for place, value in given_places if place is not None])
    groups: dict[str, list[float]] = {name: [] for name in breakdown.shown}
    for person, answer in answers.items():
        if (name := question.group_of(answer)) in groups:
            groups[str(name)].append(values[person])
    return kruskal_wallis(list(groups.values()))


@dataclass(frozen=True)
class Shares:
    """Shares (0..1) of judged attempts that are not excluded, also in part; None without any.

    `of_people` is the mean over environments of the share of their people who solved them; `of_environments`
    is the mean over people of the share of their environments that they solved. `solved_by_enough` of the
    `environments` were solved by at least `solvers` people, as many as the protocol requires.
    """

    of_people: Estimate | None
    of_environments: Estimate | None
    environments: int
    people: int
    solved_by_enough: int
    solvers: int


def shares(results: StudyResults) -> Shares:
    """The shares of a study."""
    whole = results.judged.filter("whole")
    by_environment = _solved_by(whole, "environment")
    by_person = _solved_by(whole, "participant")
    solvers = results.protocol.acceptance.solvers
    return Shares(
        of_people=solving(whole, by=1),
        of_environments=solving(whole, by=0),
        environments=by_environment.height,
        people=by_person.height,
        solved_by_enough=by_environment.filter(pl.col("solved") >= solvers).height,
        solvers=solvers,
    )


def _solved_by(attempts: pl.DataFrame, key: str) -> pl.DataFrame:
    return attempts.group_by(key).agg(
        pl.col("solved").sum().cast(pl.Int64), pl.col("solved").mean().alias("share")
    )
