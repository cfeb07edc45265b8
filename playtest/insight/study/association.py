"""Which answers to the survey go with success, corrected for that several questions are asked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from playtest.insight.study.people import Breakdown, by_person, last_answers
from playtest.insight.study.results import StudyResults
from playtest.rules.association import LEVEL, RankTest, holm, kruskal_wallis, spearman
from playtest.rules.survey import Answer, Question

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

    Choices are compared as groups, without those that are withheld; numbers and steps by their order.
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
    answers = {
        person: answer
        for person in values
        if (answer := given.get(person, {}).get(question.name)) is not None
        and question.group_of(answer) is not None
    }
    if question.is_whole:
        return spearman([(float(answer), values[person]) for person, answer in answers.items()])
    groups: dict[str, list[float]] = {name: [] for name in breakdown.shown}
    for person, answer in answers.items():
        if (name := question.group_of(answer)) in groups:
            groups[str(name)].append(values[person])
    return kruskal_wallis(list(groups.values()))
