"""With exclusions included, every figure, file and list is as before the exclusions."""

import pytest
from django.test import Client

from playtest.insight.pages.environment.figures import PAGE
from playtest.insight.pages.study.figures import FIGURES
from playtest.people.roles import Role
from playtest.play.models import Study
from playtest.review.models import DecisionKind
from playtest.rules.attempt import Outcome
from tests import make
from tests.live.games import WALK
from tests.review.cases import settled
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

SOLVES = [*[2] * 31, *WALK]


def addresses(study: Study) -> list[str]:
    return [
        *(f"/staff/environments/wk01/figures/{name}.csv" for name in [*PAGE, "dwell-1", "survival-time-1"]),
        *(f"/staff/studies/{study.pk}/figures/{name}.csv" for name in FIGURES),
        *(f"/staff/environments/wk01/baseline/figures/{name}.csv" for name in ("runs", "levels", "people")),
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
