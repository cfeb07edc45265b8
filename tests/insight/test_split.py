"""Results split by answers, position or protocol; groups of fewer than five are withheld."""

import html
from collections import Counter
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

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


@pytest.fixture
def lead() -> Client:
    return signed_in(Role.LEAD)


def plays(study: Study, count: int, resets: int = 0, **answers: Any) -> None:
    """So many people answer this, and complete the first levels after so many resets."""
    for _ in range(count):
        session = make.session(study, answers=answers)
        make.play(session, [*[0] * resets, *WALK[:6]], Outcome.GAVE_UP)


def parts(study: Study, by: str, code: str = "wk01") -> dict[str, Group]:
    scope = Scope(study)
    bring_up_to_date(scope.attempts)
    results = version_results(find_version(code), scope)
    return {group.label: group for group in groups(results, chosen(scope, by))}


def address(study: Study, by: str = "", code: str = "wk01") -> str:
    return f"{reverse('insight:split', args=[code])}?study={study.pk}&by={by}"


def test_each_group_has_the_baseline_of_its_people(lead: Client) -> None:
    study = make.study(people=100, survey=(HOURS,))
    plays(study, 5, hours=2)
    plays(study, 6, resets=3, hours=20)
    found = parts(study, "answer:hours")
    assert list(found) == ["0 to 4", "20 to 24"]
    few, many = found["0 to 4"], found["20 to 24"]
    assert few.results is not None
    assert many.results is not None
    assert (few.results.people, many.results.people) == (5, 6)
    one, other = few.levels[0], many.levels[0]
    assert (one.reached, one.baseline.completers) == (5, 5)
    assert one.baseline.upper_median is not None
    assert other.baseline.upper_median == one.baseline.upper_median + 3
    page = lead.get(address(study, "answer:hours")).content.decode()
    assert "wk01 in 2 groups, by Hours?" in page
    query = f"?study={study.pk}&by=answer:hours"
    table = lead.get(reverse("insight:split-figure", args=["wk01", "levels", "csv"]) + query)
    assert f"0 to 4,1,5,5,{one.baseline.upper_median}" in table.content.decode()
    curves = lead.get(reverse("insight:split-figure", args=["wk01", "survival", "json"]) + query)
    assert {row["curve"] for row in curves.json()["rows"]} == {"0 to 4", "20 to 24"}


@pytest.mark.parametrize(("small", "shown"), [(4, 0), (5, 2)])
def test_a_group_of_four_hides_the_other_one_too(lead: Client, small: int, shown: int) -> None:
    study = make.study(people=100, survey=(HOURS,))
    plays(study, small, hours=2)
    plays(study, 5, hours=20)
    found = parts(study, "answer:hours")
    assert sum(group.results is not None for group in found.values()) == shown
    page = lead.get(address(study, "answer:hours")).content.decode()
    assert page.count(">not shown<") == 2 - shown


def test_positions_count_every_environment_that_was_met(lead: Client) -> None:
    pool = [make.environment("wk01"), make.environment("ck01")]
    study = make.study(pool=pool, people=100)
    for _ in range(10):
        session = make.session(study)
        for _ in pool:
            make.play(session, {"wk01": WALK[:3], "ck01": [(1, 1)]})
        session.refresh_from_db()
    found = parts(study, "position")
    sizes = {label: group.results.people for label, group in found.items() if group.results}
    numbers = Attempt.objects.filter(environment__code="wk01").values_list("number", flat=True)
    naive = Counter(map(str, numbers))
    assert set(found) == set(naive)
    assert sizes == ({} if min(naive.values()) < 5 else naive)
    assert lead.get(address(study)).status_code == 200


def test_versions_of_the_protocol_are_groups() -> None:
    study = make.study(people=100)
    plays(study, 5)
    make.change(study, soft_seconds=60)
    study.refresh_from_db()
    plays(study, 5)
    assert list(parts(study, "protocol")) == ["version 1", "version 2"]


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
    return make.study(people=100)


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


def test_a_group_of_five_is_shown_and_one_of_four_is_withheld(asking: Study) -> None:
    people_answer(asking, 5, age="18-24")
    people_answer(asking, 5, age="25-34")
    shown = {"18 to 24": 5, "25 to 34": 5}
    assert {answer: people for answer, people in ages(asking).items() if people is not None} == shown
    people_answer(asking, 4, age="35-44")
    people_answer(asking, 6)  # who skipped the question
    # 20 people less 5 and 6 would tell of the four: the earlier of the fives is withheld, too.
    shown = {"25 to 34": 5, "No answer": 6}
    assert {answer: people for answer, people in ages(asking).items() if people is not None} == shown


def test_a_withheld_group_has_no_figure_on_the_page_nor_in_the_file(asking: Study) -> None:
    people_answer(asking, 5, age="18-24", puzzles="daily")
    people_answer(asking, 4, age="65+", puzzles="daily")
    groups = {group.answer: group for group in breakdowns(results_of(asking))[0].groups}
    assert groups["65 or older"] == Answered("65 or older")
    assert groups["18 to 24"] == Answered("18 to 24")
    client = signed_in(Role.RESEARCHER)
    page = client.get(reverse("insight:study", args=[asking.pk])).content.decode()
    assert "not shown" in page
    file = client.get(reverse("insight:study-figure", args=[asking.pk, "survey", "csv"])).content.decode()
    lines = file.splitlines()
    assert "age,65 or older,,,," in lines
    assert "age,18 to 24,,,," in lines
    assert any(line.startswith("puzzles,Every day,9,9,0.0,") for line in lines)


def test_a_person_with_two_sessions_counts_with_the_last_survey(asking: Study) -> None:
    asking.pool.add(make.environment("ck01"))
    for person in people_answer(asking, 5, age="18-24"):
        _answers(asking, {"age": "25-34"}, person)
    (group,) = [group for group in breakdowns(results_of(asking))[0].groups if group.shown]
    assert (group.answer, group.people, group.attempts, group.solved) == ("25 to 34", 5, 10, 0.0)


def test_results_by_answers_need_a_right_of_their_own(asking: Study) -> None:
    client = signed_in(Role.DESIGNER)
    page = client.get(reverse("insight:study", args=[asking.pk])).content.decode()
    assert "Results by answers to the survey" not in page
    answer = client.get(reverse("insight:study-figure", args=[asking.pk, "survey", "csv"]))
    assert answer.status_code == 403
    assert Right.READ_SURVEYS.label in html.unescape(answer.content.decode())


def test_numbers_are_shown_in_bands_and_texts_not_at_all() -> None:
    hours = Question("hours", "Hours?", (), kind=Kind.NUMBER, least=0, most=24)
    story = Question("words", "Words?", (), kind=Kind.TEXT, most=20)
    asking = make.study(people=100, survey=(hours, story))
    for number in range(5):
        _answers(asking, {"hours": number, "words": "a"})
        _answers(asking, {"hours": 24, "words": "b"})
    (shown,) = breakdowns(results_of(asking))
    found = {group.answer: group.people for group in shown.groups if group.people}
    assert found == {"0 to 4": 5, "20 to 24": 5}


def test_the_questions_of_earlier_versions_are_shown_too(asking: Study) -> None:
    people_answer(asking, 5, age="18-24")
    hours = Question("hours", "Hours?", (), kind=Kind.NUMBER, least=0, most=24)
    make.change(asking, survey=(hours,))
    asking.refresh_from_db()
    names = [shown.question.name for shown in breakdowns(results_of(asking))]
    assert names[0] == "hours"
    assert set(names[1:]) == {question.name for question in QUESTIONS}


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
    assert b"age,Kruskal-Wallis,12," in file.content
    refused = signed_in(Role.DESIGNER).get(
        reverse("insight:study-figure", args=[asking.pk, "associations", "csv"])
    )
    assert refused.status_code == 403
