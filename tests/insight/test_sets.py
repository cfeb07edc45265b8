"""Finished environments are divided into sets of equal difficulty for counted people."""

import pytest
from django.urls import reverse

from playtest.people.roles import Role
from playtest.rules.attempt import Outcome
from playtest.studio.models import Environment
from tests import sittings
from tests.live.games import WALK
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]

ENOUGH = [2] * 31


@pytest.fixture
def finished() -> None:
    """wk01 solved by one of two, rn01 by none of one; ck01 is not done."""
    walk = sittings.study("wk01")
    sittings.play(sittings.sit_down(walk), [*ENOUGH, *WALK], Outcome.COMPLETED)
    sittings.play(sittings.sit_down(walk), [*ENOUGH, 4])
    sittings.play(sittings.sit_down(sittings.study("rn01")), ENOUGH)
    sittings.environment("ck01")
    Environment.objects.filter(code__in=["wk01", "rn01"]).update(stage="done")


@pytest.mark.usefixtures("finished")
@pytest.mark.services
def test_a_proposed_division_shows_its_balance_and_can_be_adopted() -> None:
    client = signed_in(Role.DESIGNER)
    sizes = {"public": "1", "semi_private": "1", "private": "0"}
    shown = client.get(reverse("insight:sets"), sizes)
    assert "The sets differ by 50 percentage points" in shown.content.decode()
    assert [found.mean for found in shown.context["proposed"]] in ([0, 50, None], [50, 0, None])
    client.post(reverse("insight:sets-adopt"), {**sizes, "proposal": shown.context["proposal"]})
    given = dict(Environment.objects.values_list("code", "release_set"))
    assert {given["wk01"], given["rn01"]} == {"public", "semi_private"}
    assert given["ck01"] == "none"


@pytest.mark.usefixtures("finished")
def test_a_proposal_that_changed_since_it_was_shown_is_not_adopted() -> None:
    client = signed_in(Role.DESIGNER)
    sizes = {"public": "1", "semi_private": "1", "private": "0"}
    Environment.objects.filter(code="ck01").update(stage="done")
    shown = client.get(reverse("insight:sets"), sizes)
    assert [environment.code for environment in shown.context["untried"]] == ["ck01"]
    sittings.play(sittings.sit_down(sittings.study("ck01")), [0] * 31)
    said = {**sizes, "proposal": shown.context["proposal"]}
    answer = client.post(reverse("insight:sets-adopt"), said, follow=True)
    assert "proposal_changed" in answer.content.decode()
    assert [found.mean for found in answer.context["proposed"]] == [0, 0, None]
    assert set(Environment.objects.values_list("release_set", flat=True)) == {"none"}


@pytest.mark.usefixtures("finished")
def test_sizes_above_the_number_of_environments_are_refused() -> None:
    client, sizes = signed_in(Role.DESIGNER), {"public": "3", "semi_private": "0", "private": "0"}
    assert "too_few_environments" in client.get(reverse("insight:sets"), sizes).content.decode()
    answer = client.post(reverse("insight:sets-adopt"), sizes, follow=True)
    assert "too_few_environments" in answer.content.decode()
    assert set(Environment.objects.values_list("release_set", flat=True)) == {"none"}


def test_the_page_says_when_no_environment_is_done() -> None:
    assert "Nothing can be divided yet" in signed_in(Role.LEAD).get(reverse("insight:sets")).content.decode()
