"""Excluded results are left out, said, and can be included."""

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from playtest.insight.pages.baseline.report import BaselineReport
from playtest.insight.pages.environment.figures import PAGE
from playtest.insight.pages.study.figures import FIGURES
from playtest.insight.requests import find_version
from playtest.insight.scope import Scope
from playtest.people.roles import Role
from playtest.play.models import Attempt, Study
from playtest.review.models import DecisionKind
from playtest.rules.attempt import Outcome
from tests import make
from tests.insight.up_to_date import baseline_of
from tests.live.games import WALK
from tests.review.cases import settled
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def campaign() -> Study:
    return make.study()


def completes_two_levels(campaign: Study, wasted: int) -> Attempt:
    """Completes level 1 in three and the wasted actions, and level 2 in three."""
    return make.play(make.session(campaign), [*[2] * wasted, *WALK[:6], 1])


def report(*, with_excluded: bool = False) -> BaselineReport:
    return baseline_of(find_version("wk01"), Scope(with_excluded=with_excluded))


def counts(*, with_excluded: bool = False) -> list[tuple[int, ...]]:
    return [level.baseline.actions for level in report(with_excluded=with_excluded).levels[:2]]


@pytest.fixture
def attempts(campaign: Study) -> list[Attempt]:
    return [completes_two_levels(campaign, wasted) for wasted in (0, 10, 20)]


@pytest.mark.parametrize(
    ("from_seq", "expected"),
    [
        (1, [(3, 23), (3, 3)]),
        (13, [(3, 23), (3, 3)]),
        pytest.param(14, [(3, 13, 23), (3, 3)], marks=pytest.mark.services),
        (16, [(3, 13, 23), (3, 3)]),
        (17, [(3, 13, 23), (3, 3, 3)]),
    ],
    ids=["the first", "completes level 1", "just after", "completes level 2", "just after that"],
)
def test_a_partial_exclusion_removes_the_levels_completed_from_its_action_on(
    attempts: list[Attempt], from_seq: int, expected: list[tuple[int, ...]]
) -> None:
    settled(
        attempts[1].session,
        staff(Role.LEAD),
        DecisionKind.EXCLUDE_FROM,
        "disturbed",
        attempt_id=attempts[1].pk,
        from_seq=from_seq,
    )
    assert counts() == expected


def test_an_excluded_person_is_listed_with_the_reason(attempts: list[Attempt]) -> None:
    settled(attempts[0].session, staff(Role.LEAD), DecisionKind.EXCLUDE_SESSION, "did_not_try")
    first = report().people[0]
    assert first.participant == attempts[0].participant.label
    reason = "excluded by reviewers: did not try"
    assert [(run.level, run.why_out) for run in first.runs] == [(1, reason), (2, reason), (3, reason)]
    assert first.why_not_counted == "Not counted: excluded by reviewers: did not try."
    client, address = signed_in(Role.DESIGNER), reverse("insight:baseline", args=["wk01"])
    page = client.get(address).content.decode()
    assert f"levels 1 to 3, {reason}" in page
    everyone = client.get(address, {"excluded": "with"}).content.decode()
    assert reason not in everyone
    assert "Excluded results are counted" in everyone


def test_a_partial_exclusion_is_listed_with_its_first_action(attempts: list[Attempt]) -> None:
    settled(
        attempts[1].session,
        staff(Role.LEAD),
        DecisionKind.EXCLUDE_FROM,
        "disturbed",
        attempt_id=attempts[1].pk,
        from_seq=14,
    )
    second = report().people[1]
    assert [bool(run.why_out) for run in second.runs] == [False, True, True]
    assert second.runs[1].why_out.startswith("excluded by reviewers: ")
    assert second.runs[1].why_out.endswith(" (from action 14)")


def test_the_command_prints_both_with_and_without_exclusions(attempts: list[Attempt]) -> None:
    settled(attempts[0].session, staff(Role.LEAD), DecisionKind.EXCLUDE_SESSION, "did_not_try")
    found = {}
    for arguments in ((), ("--with-excluded",)):
        output = StringIO()
        call_command("baseline", "wk01", "--json", *arguments, stdout=output)
        found[arguments] = json.loads(output.getvalue())["levels"][0]["actions"]
    assert found == {(): [13, 23], ("--with-excluded",): [3, 13, 23]}


SOLVES = [*[2] * 31, *WALK]


def addresses(study: Study) -> list[str]:
    return [
        *(f"/staff/environments/wk01/figures/{name}.csv" for name in [*PAGE, "dwell-1"]),
        *(f"/staff/studies/{study.pk}/figures/{name}.csv" for name in FIGURES),
        *(f"/staff/environments/wk01/baseline/figures/{name}.csv" for name in ("levels", "people")),
        "/staff/environments.csv",
    ]


def everything(client: Client, study: Study, **query: str) -> dict[str, str]:
    """Returns each address's file without the column of links, which contain the scope."""
    answers = {address: client.get(address, query) for address in addresses(study)}
    assert {address: answer.status_code for address, answer in answers.items()} == dict.fromkeys(answers, 200)
    return {address: answer.content.decode() for address, answer in answers.items()}


def test_every_page_can_include_excluded_results() -> None:
    study = make.study(people=100)
    client = signed_in(Role.LEAD)
    cut, out, included = (
        make.play(make.session(study), [*[2] * 31, *WALK], Outcome.COMPLETED, seconds_an_action=apart)
        for apart in (2, 3, 4)
    )
    before = everything(client, study)
    lead = staff(Role.LEAD)
    settled(cut.session, lead, DecisionKind.EXCLUDE_FROM, "disturbed", attempt_id=cut.pk, from_seq=36)
    settled(out.session, lead, DecisionKind.EXCLUDE_SESSION, "did_not_try")
    assert everything(client, study) != before
    assert everything(client, study, excluded="with") == before
    assert included.participant.label in before[f"/staff/studies/{study.pk}/figures/people.csv"]


def test_the_page_says_that_partly_excluded_attempts_are_included() -> None:
    study = make.study(people=100)
    cut = make.play(make.session(study), SOLVES, Outcome.COMPLETED)
    lead = staff(Role.LEAD)
    settled(cut.session, lead, DecisionKind.EXCLUDE_FROM, "disturbed", attempt_id=cut.pk, from_seq=36)
    page = signed_in(Role.LEAD).get("/staff/environments/wk01/", {"excluded": "with"}).content.decode()
    assert "Excluded results are counted:</strong> parts of 1." in page
