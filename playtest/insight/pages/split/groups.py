"""Results of a level split by what people or sessions have, with their figures."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import polars as pl

from playtest.insight.figures import Figure, Row, table
from playtest.insight.pages.environment.progression import ACTIONS, COLUMNS, GAVE_UP, survival_figure
from playtest.insight.scope import Scope
from playtest.insight.tables.results import attempts
from playtest.insight.tables.version import VersionResults
from playtest.play.errors import Refusal
from playtest.play.models import ProtocolVersion, Session
from playtest.play.sessions.studies import questions_of_study
from playtest.rules.attempt import Outcome
from playtest.rules.baseline import LevelBaseline, level_baseline
from playtest.rules.disclosure import withheld
from playtest.rules.kinds import Kind
from playtest.rules.survey import Question

POSITION, PROTOCOL, ANSWER = "position", "protocol", "answer:"
LAST_POSITION = 6
"""Later positions are one group."""
NO_ANSWER = "no answer"


@dataclass(frozen=True)
class Choice:
    """A way to split, as an address and as a page names it."""

    name: str
    label: str

    @property
    def needs_answers(self) -> bool:
        """Whether it shows what people answered."""
        return self.name.startswith(ANSWER)


@dataclass(frozen=True)
class LevelOfGroup:
    """People of one group who reached and completed a level, and their baseline."""

    reached: int
    baseline: LevelBaseline


@dataclass(frozen=True)
class Group:
    """The people of one group; `results` is None where they are too few to be shown."""

    label: str
    results: VersionResults | None

    @property
    def solved(self) -> int:
        """How many completed every level; of a group that is not shown, 0."""
        if self.results is None:
            return 0
        return self.results.attempts.filter(pl.col("outcome") == Outcome.COMPLETED.value).height

    @cached_property
    def levels(self) -> list[LevelOfGroup]:
        """Every level of the version, from 1; none for a group that is not shown."""
        if self.results is None:
            return []
        found = self.results.levels
        numbers = range(1, self.results.version.levels + 1)
        by_level = {number: found.filter(pl.col("level") == number) for number in numbers}
        return [
            LevelOfGroup(here.height, level_baseline(here.filter("completed")["actions"].to_list()))
            for here in by_level.values()
        ]


def choices(scope: Scope) -> list[Choice]:
    """The ways to split; answers and versions of the protocol belong to a study."""
    found = [Choice(POSITION, "position in the session")]
    if scope.study is not None:
        found.append(Choice(PROTOCOL, "version of the protocol"))
        questions = (question for question in questions_of_study(scope.study) if question.groups)
        found += [Choice(f"{ANSWER}{question.name}", question.text) for question in questions]
    return found


def chosen(scope: Scope, name: str) -> Choice:
    """The choice that an address names, or the first one. Refusal 404: split_unknown."""
    known = choices(scope)
    found = next((choice for choice in known if choice.name == name), None)
    if name and found is None:
        message = f"Results cannot be split by {name!r} here: choose a study whose survey asks it."
        raise Refusal("split_unknown", message, status=404)
    return found or known[0]


def groups(results: VersionResults, choice: Choice) -> list[Group]:
    """The groups that have anybody. Small ones are withheld (`rules.disclosure`)."""
    named = _groups_of(results, choice)
    labels = list(dict.fromkeys(label for label in named.labels if label in set(named.of.values())))
    sizes = Counter(named.of[attempt] for attempt in results.attempts["attempt"].to_list())
    hidden = withheld([sizes[label] for label in labels])
    return [
        Group(label, None if place in hidden else _part(results, named.of, label))
        for place, label in enumerate(labels)
    ]


@dataclass(frozen=True)
class _Named:
    """The label of each attempt, and the labels in the order of the page."""

    of: Mapping[int, str]
    labels: Sequence[str]


def _part(results: VersionResults, of: Mapping[int, str], label: str) -> VersionResults:
    here = [attempt for attempt, name in of.items() if name == label]
    mine = pl.col("attempt").is_in(here)
    return replace(results, attempts=results.attempts.filter(mine), levels=results.levels.filter(mine))


def _groups_of(results: VersionResults, choice: Choice) -> _Named:
    if choice.name == POSITION:
        return _by_position(results)
    if choice.name == PROTOCOL:
        return _by_protocol(results)
    study = results.scope.study
    assert study is not None, "only a study has a survey"
    name = choice.name.removeprefix(ANSWER)
    return _by_answer(results, next(one for one in questions_of_study(study) if one.name == name))


def _by_position(results: VersionResults) -> _Named:
    """Every attempt of the session that showed a frame is a position, also one that does not count."""
    everyone = attempts(replace(results.scope, with_excluded=True)).sort("session", "attempt")
    place = everyone.select("attempt", place=pl.int_range(1, pl.len() + 1).over("session"))
    mine = results.attempts.select("attempt").join(place, on="attempt")
    return _Named(
        {attempt: _position(number) for attempt, number in mine.iter_rows()},
        [_position(number) for number in range(1, LAST_POSITION + 1)],
    )


def _position(number: int) -> str:
    return str(number) if number < LAST_POSITION else f"{LAST_POSITION} and later"


def _by_protocol(results: VersionResults) -> _Named:
    keys = results.attempts["protocol"].unique().to_list()
    numbers = dict(ProtocolVersion.objects.filter(pk__in=keys).values_list("pk", "number"))
    rows = results.attempts.select("attempt", "protocol").iter_rows()
    of = {attempt: f"version {numbers[protocol]}" for attempt, protocol in rows}
    return _Named(of, [f"version {number}" for number in sorted(numbers.values())])


def _by_answer(results: VersionResults, question: Question) -> _Named:
    sessions = results.attempts["session"].to_list()
    found = Session.objects.filter(pk__in=sessions, survey__isnull=False).values_list("pk", "survey__answers")
    labels = dict(question.groups)
    given = {
        pk: labels.get(question.group_of(answers.get(question.name)) or "", NO_ANSWER)
        for pk, answers in found
    }
    rows = results.attempts.select("attempt", "session").iter_rows()
    of = {attempt: given.get(session, NO_ANSWER) for attempt, session in rows}
    return _Named(of, [*labels.values(), NO_ANSWER])


def survival_of_groups(groups: Sequence[Group]) -> Figure:
    """The share of each group that has given up, over actions."""
    made = [(group, survival_figure(group.results, ACTIONS)) for group in groups if group.results is not None]
    rows: list[Row] = [
        (group.label, *row[1:]) for group, figure in made for row in figure.rows if row[0] == GAVE_UP
    ]
    if not made:
        return Figure(
            name="survival",
            kind="survival",
            title="Who gave up",
            columns=COLUMNS,
            rows=rows,
            empty="A curve appears here when a group has enough people.",
        )
    first = made[0][1]
    title = f"Who gave up, in {len(made)} group{'' if len(made) == 1 else 's'}"
    return replace(
        first, name="survival", title=title, rows=rows, options={**first.options, "together": False}
    )


def levels_of_groups(groups: Sequence[Group]) -> Figure:
    """The table of the page, a row for each group and level."""
    rows: list[Row] = [
        (group.label, number, level.reached, level.baseline.completers, level.baseline.upper_median)
        for group in groups
        for number, level in enumerate(group.levels, start=1)
    ]
    return table(
        "levels",
        "Levels by group",
        "group Group | level Level | reached Reached [people] | completed Completed [people] | "
        "baseline Baseline [actions]",
        rows,
    )


def pairs_of_groups(groups: Sequence[Group]) -> Figure:
    """The table of a static task's page, a row for each group and test pair."""
    written = "group Group | pair Test pair | shown Shown to [people] | solved Solved [people]"
    return table("levels", "Test pairs by group", written, [row[:4] for row in levels_of_groups(groups).rows])


FIGURES = {
    Kind.INTERACTIVE: {"survival": survival_of_groups, "levels": levels_of_groups},
    Kind.TASK: {"levels": pairs_of_groups},
}
