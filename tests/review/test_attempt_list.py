"""The list of attempts: filters, order, pages, and what became of a level."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.models import Attempt, Study
from playtest.review.models import DecisionKind
from playtest.review.views import attempts as views
from playtest.rules.attempt import Outcome
from playtest.studio.models import Environment, Version
from tests import make
from tests.live.games import WALK
from tests.review.cases import settled
from tests.staff import staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


LIST = "/staff/attempts/"
FAULT: dict[str, Any] = {
    "fault_code": "environment_raised",
    "fault_message": "The environment raised IndexError.",
}


def listed(client: Client, **query: str) -> list[int]:
    """The attempts on the first page that fits, in order."""
    answer = client.get(LIST, query)
    assert answer.status_code == 200
    return [attempt.pk for attempt, *_ in answer.context["rows"]]


def row_of(client: Client, attempt: Attempt) -> str:
    page = client.get(LIST).content.decode()
    (row,) = (row for row in page.split("<tr>") if f'"/staff/attempts/{attempt.pk}/?list=' in row)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", row))


def test_an_attempt_that_counts(researcher: Client) -> None:
    attempt = make.play(make.session(make.study()), [2] * 31, Outcome.CONCLUDED)
    row = row_of(researcher, attempt)
    assert "concluded 0 of 6 31 1:02 yes" in row


@pytest.mark.parametrize(
    ("actions", "seconds_an_action", "outcome", "reason"),
    [
        (30, 2, Outcome.GAVE_UP, "no it has 30 actions and needs more than 30."),
        (36, 50, Outcome.TIMED_OUT, "no it lasted 30:00 and must last less than 30:00."),
        (31, 2, Outcome.FAULT, "no the environment failed."),
    ],
)
def test_an_attempt_that_does_not_count_says_why(
    researcher: Client, actions: int, seconds_an_action: float, outcome: Outcome, reason: str
) -> None:
    attempt = make.play(
        make.session(make.study()), [2] * actions, outcome, seconds_an_action=seconds_an_action
    )
    assert reason in row_of(researcher, attempt)


def test_an_open_attempt_is_listed_with_facts_of_its_journal(researcher: Client) -> None:
    attempt = make.play(make.session(make.study()), [4, 4, 4, 2], None)
    assert "in progress 1 of 6 4 0:08 not yet known" in row_of(researcher, attempt)


def test_each_filter_leaves_what_fits(researcher: Client) -> None:
    walks, clicks = make.study(), make.study("ck01")
    person = new_participant("R-17")
    counted = make.play(make.session(walks, person), [2] * 31, Outcome.CONCLUDED)
    solved = make.play(make.session(walks), WALK, Outcome.COMPLETED)
    clicked = make.play(make.session(clicks), [(3, 4)], Outcome.FAULT, **FAULT)
    still_open = make.play(make.session(clicks), [(3, 4)], None)
    assert listed(researcher) == [still_open.pk, clicked.pk, solved.pk, counted.pk]
    assert listed(researcher, study=str(walks.pk)) == [solved.pk, counted.pk]
    assert listed(researcher, environment=str(clicked.environment_id)) == [still_open.pk, clicked.pk]
    assert listed(researcher, participant="R-17") == [counted.pk]
    assert listed(researcher, participant=person.label[2:].lower()) == [counted.pk]
    assert listed(researcher, outcome="completed") == [solved.pk]
    assert listed(researcher, outcome="in_progress") == [still_open.pk]
    assert listed(researcher, outcome="fault_not_acknowledged") == [clicked.pk]
    assert listed(researcher, counts="yes") == [counted.pk]
    assert listed(researcher, counts="no") == [clicked.pk, solved.pk]
    assert listed(researcher, study=str(walks.pk), counts="no") == [solved.pk]
    assert listed(researcher, outcome="gave_up") == []


def test_a_list_of_ones_own_environments_says_whose_they_are(researcher: Client) -> None:
    own = make.play(make.session(make.study("wk01")), [4] * 40)
    make.play(make.session(make.study("ck01")), [(1, 1)])
    designer = staff(Role.DESIGNER)
    Environment.objects.filter(code="wk01").update(owner=designer)
    assert listed(researcher, owner=str(designer.pk)) == [own.pk]
    page = researcher.get(LIST, {"owner": designer.pk}).content.decode()
    assert "Environments of" in page
    assert "Environments of" not in researcher.get(LIST).content.decode()


def test_what_reviewers_excluded_is_marked_and_can_be_left_out(researcher: Client) -> None:
    campaign = make.study()
    included = make.play(make.session(campaign), WALK, Outcome.COMPLETED)
    out = make.play(make.session(campaign), [2] * 31, Outcome.GAVE_UP)
    settled(out.session, staff(Role.LEAD), DecisionKind.EXCLUDE_SESSION, "did_not_try")
    assert "excluded: " in row_of(researcher, out)
    assert "excluded: " not in row_of(researcher, included)
    assert listed(researcher) == [out.pk, included.pk]
    assert listed(researcher, excluded="no") == [included.pk]
    assert listed(researcher, excluded="yes") == [out.pk]


def test_the_page_of_an_excluded_attempt_says_so_and_why(researcher: Client) -> None:
    out, included = (make.play(make.session(make.study()), [2] * 31, Outcome.GAVE_UP) for _ in range(2))
    settled(out.session, staff(Role.LEAD), DecisionKind.EXCLUDE_SESSION, "did_not_try")
    page = researcher.get(reverse("review:attempt", args=[out.pk])).text
    assert "Reviewers excluded it: " in page
    assert "By the protocol it counts as an attempt." in page
    assert "· Counts as an attempt." not in page
    other = researcher.get(reverse("review:attempt", args=[included.pk])).text
    assert "Reviewers excluded it: " not in other
    assert "· Counts as an attempt." in other


def test_a_list_of_one_level_leads_to_that_level(researcher: Client) -> None:
    attempt = make.play(make.session(make.study()), [*WALK[:4], 4], Outcome.GAVE_UP)
    address = reverse("review:attempt", args=[attempt.pk])
    of_level = researcher.get(reverse("review:attempts"), {"level": "2"}).text
    assert f'"{address}?list=level%3D2%26sort%3D-begun#level=2"' in of_level
    assert f'"{address}?list=sort%3D-begun"' in researcher.get(reverse("review:attempts")).text


def test_a_filter_that_makes_no_sense_is_left_out(researcher: Client) -> None:
    attempt = make.play(make.session(make.study()), [4])
    nonsense = {"study": "x", "environment": "-1", "outcome": "x", "counts": "x", "sort": "x", "page": "x"}
    assert listed(researcher, **nonsense) == [attempt.pk]
    assert listed(researcher, study="9" * 30, environment="9" * 30, version="9" * 30) == [attempt.pk]


@pytest.mark.services
def test_the_list_can_be_sorted_in_both_directions(researcher: Client) -> None:
    study = make.study()
    few = make.play(make.session(study), [4, 4, 4], seconds_an_action=60)
    many = make.play(make.session(study), [2] * 9, seconds_an_action=1)
    none = make.play(make.session(study), [])
    assert listed(researcher, sort="actions") == [none.pk, few.pk, many.pk]
    assert listed(researcher, sort="-actions") == [many.pk, few.pk, none.pk]
    assert listed(researcher, sort="-levels")[0] == few.pk
    assert listed(researcher, sort="duration") == [many.pk, few.pk, none.pk]
    assert listed(researcher, sort="-duration") == [few.pk, many.pk, none.pk]
    page = researcher.get(LIST, {"sort": "actions", "study": str(study.pk)}).content.decode()
    assert f'aria-sort="ascending"><a href="?sort=-actions&amp;study={study.pk}">Actions</a>' in page


def test_a_long_list_comes_in_pages_that_keep_the_filters(
    researcher: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "_ROWS_A_PAGE", 3)
    study = make.study(people=100)
    for _ in range(4):
        make.play(make.session(study), [])
    first = researcher.get(LIST, {"study": str(study.pk)})
    assert len(first.context["rows"]) == 3
    assert f'href="?study={study.pk}&amp;page=2"' in first.content.decode()
    assert len(listed(researcher, study=str(study.pk), page="2")) == 1


def test_the_number_of_queries_does_not_grow_with_the_list(
    researcher: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    study = make.study(people=100)
    for _ in range(12):
        make.play(make.session(study), [4])
    with django_assert_max_num_queries(11):
        researcher.get(LIST)


@pytest.fixture
def study() -> Study:
    return make.study()


def listed_at(client: Client, **query: str | int) -> set[int]:
    answer = client.get("/staff/attempts/", query)
    assert answer.status_code == 200
    return {attempt.pk for attempt, *_ in answer.context["rows"]}


def plays(study: Study, actions: list[int], outcome: Outcome | None = Outcome.GAVE_UP) -> Attempt:
    return make.play(make.session(study), actions, outcome)


def test_a_level_has_the_outcome_of_its_attempt(researcher: Client, study: Study) -> None:
    solved = plays(study, WALK, Outcome.COMPLETED).pk
    left = plays(study, WALK[:4]).pk
    cut_off = plays(study, WALK[:5], Outcome.TIMED_OUT).pk
    playing = plays(study, WALK[:6], None).pk
    assert listed_at(researcher, level=1) == {solved, left, cut_off, playing}
    assert listed_at(researcher, level=3, there="reached") == {solved, playing}
    assert listed_at(researcher, level=2, there="completed") == {solved, playing}
    assert listed_at(researcher, level=6, there="completed") == {solved}
    assert listed_at(researcher, level=2, there="stopped") == {left, cut_off}
    assert listed_at(researcher, level=2, there="stopped", outcome="gave_up") == {left}
    assert listed_at(researcher, level=2, there="stopped", outcome="lost") == {left, cut_off}
    assert listed_at(researcher, level=3, there="stopped", outcome="in_progress") == {playing}
    assert listed_at(researcher, level=6, there="stopped") == set()
    assert listed_at(researcher, level="x", there="completed") == {solved, left, cut_off, playing}


def test_of_what_is_left_out_from_a_moment_on_the_levels_before_are_known(
    researcher: Client, study: Study
) -> None:
    attempt = plays(study, WALK[:8])
    settled(
        attempt.session, staff(Role.LEAD), DecisionKind.EXCLUDE_FROM, "disturbed",
        attempt_id=attempt.pk, from_seq=5,
    )  # fmt: skip
    everyone: dict[str, str | int] = {"level": 3, "there": "stopped"}
    assert listed_at(researcher, **everyone) == {attempt.pk}
    assert listed_at(researcher, **everyone, excluded="honoured") == set()
    assert listed_at(researcher, level=2, there="reached", excluded="honoured") == set()
    assert listed_at(researcher, level=1, there="completed", excluded="honoured") == {attempt.pk}
    assert listed_at(researcher, excluded="no") == set()


def test_what_is_left_out_as_a_whole_is_in_no_result(researcher: Client, study: Study) -> None:
    attempt = plays(study, WALK[:8])
    settled(attempt.session, staff(Role.LEAD), DecisionKind.EXCLUDE_SESSION, "did_not_try")
    assert listed_at(researcher, level=1) == {attempt.pk}
    assert listed_at(researcher, level=1, excluded="honoured") == set()


def test_real_people_and_rehearsals_apart(researcher: Client, study: Study) -> None:
    real = plays(study, [4]).pk
    simulated = make.play(make.session(study, new_participant(simulated=True)), [4]).pk
    rehearsed = plays(make.study(rehearsal=True), [4]).pk
    assert listed_at(researcher, people="real") == {real}
    assert listed_at(researcher, people="rehearsing") == {simulated, rehearsed}
    assert listed_at(researcher, people="x") == {real, simulated, rehearsed}


def test_the_list_can_be_limited_to_a_version_of_the_chosen_environment(
    researcher: Client, study: Study
) -> None:
    old = plays(study, [4])
    version = Version.objects.get(pk=old.version_id)
    version.pk, version.digest = None, "f" * 64
    version.save()
    version.environment.current = version
    version.environment.save()
    new = plays(study, [4])
    code = old.environment_id
    assert listed_at(researcher, environment=code) == {old.pk, new.pk}
    assert listed_at(researcher, environment=code, version=old.version_id) == {old.pk}
    assert listed_at(researcher, environment=code, version=new.version_id) == {new.pk}
    page = researcher.get("/staff/attempts/", {"environment": code}).content.decode()
    assert "ffffffff, " in page
