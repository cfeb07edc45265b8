"""Results of a level split by what people or sessions have, with their figures."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import polars as pl

from playtest.insight.figures import Figure, Row, table
from playtest.insight.pages.environment.progression import ACTIONS, COLUMNS, GAVE_UP, incidence_figure
from playtest.insight.pages.study.people import released_answers
from playtest.insight.scope import Scope
from playtest.insight.tables.results import attempts
from playtest.insight.tables.version import VersionResults
from playtest.play.errors import Refusal
from playtest.play.models import ProtocolVersion
from playtest.play.sessions.studies import questions_of_study
from playtest.rules.attempt import Outcome
from playtest.rules.baseline import LevelBaseline, level_baseline
from playtest.rules.disclosure import whole_tables
from playtest.rules.dropoff import LevelFacts
from playtest.rules.kinds import Kind
from playtest.rules.survey import Question
from playtest.rules.text import counted, persons

POSITION, PROTOCOL, ANSWER = "position", "protocol", "answer:"
LAST_POSITION = 6
"""Later positions are one group."""
NO_ANSWER = "no answer, or one that is not shown"


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
    """People of one group on a level (`LevelFacts`), and their baseline."""

    facts: LevelFacts
    baseline: LevelBaseline


@dataclass(frozen=True)
class Group:
    """The people of one group; `results` is None where they are not shown."""

    label: str
    results: VersionResults | None

    @cached_property
    def shared(self) -> tuple[int, int]:
        """Of how many attempts a share is, and how many of them completed every level."""
        if self.results is None:
            return 0, 0
        shared = self.results.shared
        return shared.height, shared.filter(pl.col("outcome") == Outcome.COMPLETED.value).height

    @cached_property
    def levels(self) -> list[LevelOfGroup]:
        """Every level of the version, from 1; none for a group that is not shown."""
        if self.results is None:
            return []
        done = self.results.levels.filter("completed")
        return [
            LevelOfGroup(one, level_baseline(done.filter(pl.col("level") == one.level)["actions"].to_list()))
            for one in self.results.facts
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
    """The groups that have anybody.

    Groups by answers are those of `released_answers`, of the whole study, and shown all or none
    (`rules.disclosure.whole_tables`). Positions and protocols tell nothing of a person: all are shown.
    """
    named = _groups_of(results, choice)
    labels = list(dict.fromkeys(label for label in named.labels if label in set(named.of.values())))
    shown = not choice.needs_answers or _may_be_split(results, choice)
    return [Group(label, _part(results, named.of, label) if shown else None) for label in labels]


def _may_be_split(results: VersionResults, choice: Choice) -> bool:
    """Whether people at this version may be split by an answer, next to those at the study's others."""
    study = results.scope.study
    if study is None or results.scope != Scope(study):
        return False
    question, answers = choice.name.removeprefix(ANSWER), released_answers(study)
    rows = attempts(results.scope).select("version", "participant").unique()
    group = {person: answers.get(person, {}).get(question) for person in rows["participant"].unique()}
    everyone = Counter(group.values())
    tables: dict[str, dict[str, int]] = {}
    for (version,), found in rows.group_by("version"):
        sizes = Counter(group[person] for person in found["participant"])
        elsewhere = {f"not at it: {one}": everyone[one] - sizes[one] for one in everyone}
        tables[str(version)] = {str(one): size for one, size in sizes.items()} | elsewhere
    return str(results.version.pk) in whole_tables(tables, study.protocol.smallest_group)


@dataclass(frozen=True)
class _Named:
    """The label of each attempt, and the labels in the order of the page."""

    of: Mapping[int, str]
    labels: Sequence[str]


def _part(results: VersionResults, of: Mapping[int, str], label: str) -> VersionResults:
    here = [attempt for attempt, name in of.items() if name == label]
    mine = pl.col("attempt").is_in(here)
    return replace(results, everyone=results.everyone.filter(mine), levels=results.levels.filter(mine))


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
    everyone = attempts(results.scope.whole).sort("session", "attempt")
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
    assert results.scope.study is not None, "only a study has a survey"
    answers, labels = released_answers(results.scope.study), dict(question.groups)
    rows = results.attempts.select("attempt", "participant").iter_rows()
    given = {attempt: answers.get(person, {}).get(question.name) for attempt, person in rows}
    of = {attempt: labels[answer] if answer else NO_ANSWER for attempt, answer in given.items()}
    return _Named(of, [*labels.values(), NO_ANSWER])


def incidence_of_groups(groups: Sequence[Group]) -> Figure:
    """The share of each group that has given up or concluded, over actions."""
    shown = [group.results for group in groups if group.results is not None]
    label = shown[0].quit_label if shown else GAVE_UP
    made = [
        (group, incidence_figure(group.results, ACTIONS)) for group in groups if group.results is not None
    ]
    rows: list[Row] = [
        (group.label, *row[1:]) for group, figure in made for row in figure.rows if row[0] == label
    ]
    if not made:
        return Figure(
            name="incidence",
            kind="incidence",
            title="How many had ended by when",
            columns=COLUMNS,
            rows=rows,
            empty="A curve appears here when a group has enough people.",
        )
    first = made[0][1]
    people = persons(sum(results.people for results in shown))
    title = f"{label.capitalize()}: {people} in {counted(len(made), 'group')}"
    return replace(
        first, name="incidence", title=title, rows=rows, options={**first.options, "together": False}
    )


def levels_of_groups(groups: Sequence[Group]) -> Figure:
    """The table of the page, a row for each group and level."""
    rows: list[Row] = [
        (
            group.label,
            number,
            level.facts.reached,
            level.facts.ended,
            level.facts.completed,
            level.baseline.upper_median,
        )
        for group in groups
        for number, level in enumerate(group.levels, start=1)
    ]
    return table(
        "levels",
        "Levels by group",
        "group Group | level Level | reached Reached [people] | known Result known [people] | "
        "completed Completed [people] | baseline Baseline [actions]",
        rows,
    )


def pairs_of_groups(groups: Sequence[Group]) -> Figure:
    """The table of a static task's page, a row for each group and test pair."""
    written = (
        "group Group | pair Test pair | shown Shown to [people] | known Result known [people] | "
        "solved Solved [people]"
    )
    return table("levels", "Test pairs by group", written, [row[:5] for row in levels_of_groups(groups).rows])


FIGURES = {
    Kind.INTERACTIVE: {"incidence": incidence_of_groups, "levels": levels_of_groups},
    Kind.TASK: {"levels": pairs_of_groups},
}
