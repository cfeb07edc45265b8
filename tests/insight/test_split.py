"""Results split by answers, position or protocol; answers of too few people are withheld (here of one)."""

import html
from collections import Counter
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from scipy.stats import spearmanr

from playtest.insight.compute.results import bring_up_to_date
from playtest.insight.pages.split.groups import Group, chosen, groups
from playtest.insight.pages.study.people import Group as Answered
from playtest.insight.pages.study.people import associations, breakdowns
from playtest.insight.requests import find_version
from playtest.insight.scope import Scope
from playtest.insight.tables.version import version_results
from playtest.people.models import Participant
from playtest.people.roles import Right, Role
from playtest.play.errors import Refusal
from playtest.play.models import Attempt, Study
from playtest.rules.attempt import Outcome
from playtest.rules.survey import Kind, Question
from playtest.rules.survey_questions import QUESTIONS
from tests import make
from tests.insight.up_to_date import results_of
from tests.live.games import WALK
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]


HOURS = Question("hours", "Hours?", (), kind=Kind.NUMBER, least=0, most=24)
STORY = Question("words", "Words?", (), kind=Kind.TEXT, most=20)


def asking_study(*questions: Question) -> Study:
    """A study that shows groups of two people."""
    survey: dict[str, Any] = {"survey": questions} if questions else {}
    return make.study(people=100, smallest_group=2, **survey)


def plays(study: Study, count: int, resets: int = 0, **answers: Any) -> None:
    """So many people answer this, and complete the first levels after so many resets."""
    for _ in range(count):
        session = make.session(study, answers=answers)
        make.play(session, [*[0] * resets, *WALK[:6], *[0] * 31], Outcome.GAVE_UP)


def parts(study: Study, by: str, code: str = "wk01") -> dict[str, Group]:
    scope = Scope(study)
    bring_up_to_date(scope.attempts)
    results = version_results(find_version(code), scope)
    return {group.label: group for group in groups(results, chosen(scope, by))}


def address(study: Study, by: str = "", code: str = "wk01") -> str:
    return f"{reverse('insight:split', args=[code])}?study={study.pk}&by={by}"


def test_each_group_has_the_baseline_of_its_people(lead: Client) -> None:
    """Numbers are groups by bands; texts are none."""
    study = asking_study(HOURS, STORY)
    plays(study, 2, hours=2, words="a")
    plays(study, 3, resets=3, hours=20, words="b")
    found = parts(study, "answer:hours")
    assert list(found) == ["0 to 4", "20 to 24"]
    few, many = found["0 to 4"], found["20 to 24"]
    assert few.results is not None
    assert many.results is not None
    assert (few.results.people, many.results.people) == (2, 3)
    one, other = few.levels[0], many.levels[0]
    assert (one.facts.reached, one.baseline.completers) == (2, 2)
    assert one.baseline.upper_median is not None
    assert other.baseline.upper_median == one.baseline.upper_median + 3
    page = lead.get(address(study, "answer:hours")).content.decode()
    assert "wk01 in 2 groups, by Hours?" in page
    query = f"?study={study.pk}&by=answer:hours"
    table = lead.get(reverse("insight:split-figure", args=["wk01", "levels", "csv"]) + query)
    assert f"0 to 4,1,2,2,2,{one.baseline.upper_median}" in table.content.decode()
    curves = lead.get(reverse("insight:split-figure", args=["wk01", "incidence", "json"]) + query)
    assert {row["curve"] for row in curves.json()["rows"]} == {"0 to 4", "20 to 24"}
    (shown,) = breakdowns(results_of(study))
    assert {group.answer: group.people for group in shown.groups if group.people} == {
        "0 to 4": 2,
        "20 to 24": 3,
    }


def test_a_group_that_is_too_small_hides_the_other_one_too(lead: Client) -> None:
    study = asking_study(HOURS)
    plays(study, 1, hours=2)
    plays(study, 2, hours=20)
    found = parts(study, "answer:hours")
    assert not any(group.results is not None and label[0].isdigit() for label, group in found.items())
    assert "no answer, or one that is not shown" in lead.get(address(study, "answer:hours")).content.decode()


def test_positions_count_every_environment_that_was_met(lead: Client) -> None:
    pool = [make.environment("wk01"), make.environment("ck01")]
    study = make.study(pool=pool, people=100)
    for _ in range(4):
        session = make.session(study)
        for _ in pool:
            make.play(session, {"wk01": WALK[:3], "ck01": [(1, 1)]})
        session.refresh_from_db()
    found = parts(study, "position")
    sizes = {label: group.results.people for label, group in found.items() if group.results}
    numbers = Attempt.objects.filter(environment__code="wk01").values_list("number", flat=True)
    naive = Counter(map(str, numbers))
    assert set(found) == set(naive)
    assert sizes == naive
    assert lead.get(address(study)).status_code == 200


def test_versions_of_the_protocol_are_groups() -> None:
    study = make.study(people=100)
    plays(study, 1)
    make.change(study, soft_seconds=60)
    study.refresh_from_db()
    plays(study, 1)
    assert list(parts(study, "protocol")) == ["version 1", "version 2"]


def test_who_was_cut_short_is_in_no_share(lead: Client) -> None:
    study = make.study(people=100)
    plays(study, 2)
    make.play(make.session(study), [*WALK[:6], *[0] * 31], Outcome.SESSION_OVER)
    [group] = parts(study, "position").values()
    assert group.results is not None
    assert (group.results.people, group.shared) == (3, (2, 0))
    here = next(level.facts for level in group.levels if level.facts.lost)
    assert (here.reached, here.ended) == (3, 2)
    assert "In no share: 1 cut short." in lead.get(address(study)).content.decode()


def test_nobody_has_played_yet(lead: Client) -> None:
    study = make.study()
    assert parts(study, "position") == {}
    assert "There is nothing to show yet" in lead.get(address(study)).content.decode()
    assert lead.get(reverse("insight:split", args=["wk01"])).status_code == 200


def test_answers_need_their_right_and_a_study_that_asks() -> None:
    study = make.study(survey=(HOURS,))
    designer = signed_in(Role.DESIGNER)
    assert designer.get(address(study, "answer:hours")).status_code == 403
    assert "Hours?" not in designer.get(address(study)).content.decode()
    with pytest.raises(Refusal, match="cannot be split"):
        chosen(Scope(), "answer:hours")
    assert designer.get(address(study, "nonsense")).status_code == 404


@pytest.fixture
def asking() -> Study:
    return asking_study()


def people_answer(asking: Study, count: int, **answers: str) -> list[Participant]:
    """Lets this many people give the same answers and make an attempt."""
    return [_answers(asking, answers) for _ in range(count)]


def _answers(asking: Study, answers: dict[str, Any], person: Participant | None = None) -> Participant:
    session = make.session(asking, person, answers=answers)
    make.play(session, [0] * 31)
    return session.participant


def ages(asking: Study) -> dict[str, int | None]:
    """Returns the number of people by age; None for a withheld group."""
    return {group.answer: group.people for group in breakdowns(results_of(asking))[0].groups}


def test_a_group_of_two_is_shown_and_one_of_one_is_withheld(asking: Study) -> None:
    people_answer(asking, 2, age="18-24")
    people_answer(asking, 2, age="25-34")
    shown = {"18 to 24": 2, "25 to 34": 2}
    assert {answer: people for answer, people in ages(asking).items() if people is not None} == shown
    people_answer(asking, 1, age="35-44")
    people_answer(asking, 3)  # who skipped the question
    # 8 people less 2 and 3 would tell of the one: the earlier of the twos is withheld, too.
    shown = {"25 to 34": 2, "No answer": 3}
    assert {answer: people for answer, people in ages(asking).items() if people is not None} == shown


def test_a_withheld_group_has_no_figure_on_the_page_nor_in_the_file(asking: Study) -> None:
    people_answer(asking, 2, age="18-24", puzzles="daily")
    people_answer(asking, 1, age="65+", puzzles="daily")
    groups = {group.answer: group for group in breakdowns(results_of(asking))[0].groups}
    assert groups["65 or older"] == Answered("65 or older")
    assert groups["18 to 24"] == Answered("18 to 24")
    client = signed_in(Role.RESEARCHER)
    page = client.get(reverse("insight:study", args=[asking.pk])).content.decode()
    assert "not shown" in page
    file = client.get(reverse("insight:study-figure", args=[asking.pk, "survey", "csv"])).content.decode()
    lines = file.splitlines()
    assert "age,65 or older,,,,,undo counted" in lines
    assert "age,18 to 24,,,,,undo counted" in lines
    assert any(line.startswith("puzzles,Every day,3,3,0.0,") for line in lines)


def test_a_person_with_two_sessions_counts_with_the_last_survey(asking: Study) -> None:
    asking.pool.add(make.environment("ck01"))
    for person in people_answer(asking, 2, age="18-24"):
        _answers(asking, {"age": "25-34"}, person)
    (group,) = [group for group in breakdowns(results_of(asking))[0].groups if group.shown]
    assert (group.answer, group.people, group.attempts, group.solved) == ("25 to 34", 2, 4, 0.0)


def test_answers_are_shown_of_the_whole_study_alone(asking: Study) -> None:
    people_answer(asking, 2, age="18-24")
    client, address = signed_in(Role.RESEARCHER), reverse("insight:study", args=[asking.pk])
    whole, narrowed = (client.get(address + query).content.decode() for query in ("", "?protocol=1"))
    assert "Answers are shown of a whole study alone" in narrowed
    assert "18 to 24" not in narrowed
    assert "18 to 24" in whole


def test_results_by_answers_need_a_right_of_their_own(asking: Study) -> None:
    client = signed_in(Role.DESIGNER)
    page = client.get(reverse("insight:study", args=[asking.pk])).content.decode()
    assert "Results by answers to the survey" not in page
    answer = client.get(reverse("insight:study-figure", args=[asking.pk, "survey", "csv"]))
    assert answer.status_code == 403
    assert Right.READ_SURVEYS.label in html.unescape(answer.content.decode())


def test_the_questions_of_earlier_versions_are_shown_too(asking: Study) -> None:
    people_answer(asking, 2, age="18-24")
    make.change(asking, survey=(HOURS,))
    asking.refresh_from_db()
    names = [shown.question.name for shown in breakdowns(results_of(asking))]
    assert names[0] == "hours"
    assert set(names[1:]) == {question.name for question in QUESTIONS}


def test_ordered_choices_are_tested_in_their_order_and_others_as_groups(asking: Study) -> None:
    """The share falls with the step: the order finds it, and the groups of three do not."""
    choices = tuple((step, step.upper()) for step in "abcd")
    both = {"inorder": True, "any": False}
    questions = (Question(name, "Which?", choices, ordered=one) for name, one in both.items())
    make.change(asking, survey=tuple(questions))
    asking.refresh_from_db()
    for number in range(20):
        session = make.session(asking, answers=dict.fromkeys(both, "abcd"[number // 5]))
        solved = number % 5 < 4 - number // 5
        make.play(session, [0] * 31, Outcome.COMPLETED if solved else Outcome.GAVE_UP)
    results = results_of(asking)
    tests = {one.question.name: one.test for one in associations(results, breakdowns(results))}
    inorder, groups = tests["inorder"], tests["any"]
    assert inorder is not None
    assert groups is not None
    places, solved_shares = zip(
        *((number // 5, float(number % 5 < 4 - number // 5)) for number in range(20)), strict=True
    )
    assert inorder.method == "Spearman"
    assert inorder.statistic == pytest.approx(float(spearmanr(places, solved_shares).statistic))
    assert inorder.p == pytest.approx(float(spearmanr(places, solved_shares).pvalue))
    assert groups.method == "Kruskal-Wallis"
    assert inorder.p < 0.05 < groups.p


def test_answers_that_go_with_success_are_found_and_others_are_not(asking: Study) -> None:
    for number in range(12):
        ages = {"age": "18-24" if number < 6 else "65+"}
        session = make.session(asking, answers={**ages, "puzzles": ["daily", "never"][number % 2]})
        make.play(session, [0] * 31, Outcome.COMPLETED if number < 6 else Outcome.GAVE_UP)
    results = results_of(asking)
    tests = {one.question.name: one for one in associations(results, breakdowns(results))}
    assert tests["age"].found
    assert not tests["puzzles"].found
    assert tests["education"].test is None
    assert tests["puzzles"].corrected == 1
    page = signed_in(Role.RESEARCHER).get(reverse("insight:study", args=[asking.pk])).content.decode()
    assert "Success goes with age (2 tested)" in page
    file = signed_in(Role.RESEARCHER).get(
        reverse("insight:study-figure", args=[asking.pk, "associations", "csv"])
    )
    assert b"age,Spearman,12," in file.content
    refused = signed_in(Role.DESIGNER).get(
        reverse("insight:study-figure", args=[asking.pk, "associations", "csv"])
    )
    assert refused.status_code == 403
