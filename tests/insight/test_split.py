"""Results split by answers, position or protocol are those of each group, and small groups hide."""

from collections import Counter
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from playtest.insight.compute.results import bring_up_to_date
from playtest.insight.pages.split.groups import Group, chosen, groups
from playtest.insight.requests import find_version
from playtest.insight.scope import Scope
from playtest.insight.tables.version import version_results
from playtest.people.roles import Role
from playtest.play.errors import Refusal
from playtest.play.models import Attempt, Study
from playtest.rules.attempt import Outcome
from playtest.rules.survey import Kind, Question
from tests import make
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
