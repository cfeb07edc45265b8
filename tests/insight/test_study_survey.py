"""Survey answers are shown for groups of five or more only."""

import html
from typing import Any

import pytest
from django.urls import reverse

from playtest.insight.pages.study.people import Group, associations, breakdowns
from playtest.people.models import Participant
from playtest.people.roles import Right, Role
from playtest.play.models import Study
from playtest.rules.attempt import Outcome
from playtest.rules.survey import Kind, Question
from playtest.rules.survey_questions import QUESTIONS
from tests import make
from tests.insight.up_to_date import results_of
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def study() -> Study:
    return make.study(people=100)


def people_answer(study: Study, count: int, **answers: str) -> list[Participant]:
    """Lets this many people give the same answers and make an attempt."""
    return [_answers(study, answers) for _ in range(count)]


def _answers(study: Study, answers: dict[str, Any], person: Participant | None = None) -> Participant:
    session = make.session(study, person, answers=answers)
    make.play(session, [0] * 31)
    return session.participant


def ages(study: Study) -> dict[str, int | None]:
    """Returns the number of people by age; None for a withheld group."""
    return {group.answer: group.people for group in breakdowns(results_of(study))[0].groups}


def test_a_group_of_five_is_shown_and_one_of_four_is_withheld(study: Study) -> None:
    people_answer(study, 5, age="18-24")
    people_answer(study, 5, age="25-34")
    shown = {"18 to 24": 5, "25 to 34": 5}
    assert {answer: people for answer, people in ages(study).items() if people is not None} == shown
    people_answer(study, 4, age="35-44")
    people_answer(study, 6)  # who skipped the question
    # 20 people less 5 and 6 would tell of the four: the earlier of the fives is withheld, too.
    shown = {"25 to 34": 5, "No answer": 6}
    assert {answer: people for answer, people in ages(study).items() if people is not None} == shown


def test_a_withheld_group_has_no_figure_on_the_page_nor_in_the_file(study: Study) -> None:
    people_answer(study, 5, age="18-24", puzzles="daily")
    people_answer(study, 4, age="65+", puzzles="daily")
    groups = {group.answer: group for group in breakdowns(results_of(study))[0].groups}
    assert groups["65 or older"] == Group("65 or older")
    assert groups["18 to 24"] == Group("18 to 24")
    client = signed_in(Role.RESEARCHER)
    page = client.get(reverse("insight:study", args=[study.pk])).content.decode()
    assert "not shown" in page
    file = client.get(reverse("insight:study-figure", args=[study.pk, "survey", "csv"])).content.decode()
    lines = file.splitlines()
    assert "age,65 or older,,,," in lines
    assert "age,18 to 24,,,," in lines
    assert any(line.startswith("puzzles,Every day,9,9,0.0,") for line in lines)


def test_a_person_with_two_sessions_counts_with_the_last_survey(study: Study) -> None:
    study.pool.add(make.environment("ck01"))
    for person in people_answer(study, 5, age="18-24"):
        _answers(study, {"age": "25-34"}, person)
    (group,) = [group for group in breakdowns(results_of(study))[0].groups if group.shown]
    assert (group.answer, group.people, group.attempts, group.solved) == ("25 to 34", 5, 10, 0.0)


def test_results_by_answers_need_a_right_of_their_own(study: Study) -> None:
    client = signed_in(Role.DESIGNER)
    page = client.get(reverse("insight:study", args=[study.pk])).content.decode()
    assert "Results by answers to the survey" not in page
    answer = client.get(reverse("insight:study-figure", args=[study.pk, "survey", "csv"]))
    assert answer.status_code == 403
    assert Right.READ_SURVEYS.label in html.unescape(answer.content.decode())


def test_numbers_are_shown_in_bands_and_texts_not_at_all() -> None:
    hours = Question("hours", "Hours?", (), kind=Kind.NUMBER, least=0, most=24)
    story = Question("words", "Words?", (), kind=Kind.TEXT, most=20)
    study = make.study(people=100, survey=(hours, story))
    for number in range(5):
        _answers(study, {"hours": number, "words": "a"})
        _answers(study, {"hours": 24, "words": "b"})
    (shown,) = breakdowns(results_of(study))
    found = {group.answer: group.people for group in shown.groups if group.people}
    assert found == {"0 to 4": 5, "20 to 24": 5}


def test_the_questions_of_earlier_versions_are_shown_too(study: Study) -> None:
    people_answer(study, 5, age="18-24")
    hours = Question("hours", "Hours?", (), kind=Kind.NUMBER, least=0, most=24)
    make.change(study, survey=(hours,))
    study.refresh_from_db()
    names = [shown.question.name for shown in breakdowns(results_of(study))]
    assert names[0] == "hours"
    assert set(names[1:]) == {question.name for question in QUESTIONS}


def test_answers_that_go_with_success_are_found_and_others_are_not(study: Study) -> None:
    for number in range(12):
        ages = {"age": "18-24" if number < 6 else "65+"}
        session = make.session(study, answers={**ages, "puzzles": ["daily", "never"][number % 2]})
        make.play(session, [0] * 31, Outcome.COMPLETED if number < 6 else Outcome.GAVE_UP)
    results = results_of(study)
    tests = {one.question.name: one for one in associations(results, breakdowns(results))}
    assert tests["age"].found
    assert not tests["puzzles"].found
    assert tests["education"].test is None
    assert tests["puzzles"].corrected == 1
    page = signed_in(Role.RESEARCHER).get(reverse("insight:study", args=[study.pk])).content.decode()
    assert "Success goes with age (2 tested)" in page
    file = signed_in(Role.RESEARCHER).get(
        reverse("insight:study-figure", args=[study.pk, "associations", "csv"])
    )
    assert b"age,Kruskal-Wallis,12," in file.content
    refused = signed_in(Role.DESIGNER).get(
        reverse("insight:study-figure", args=[study.pk, "associations", "csv"])
    )
    assert refused.status_code == 403
