"""Finished environments are divided into sets, by how many of the people who count solved each."""

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
def test_a_division_is_proposed_says_how_far_it_gets_and_is_adopted() -> None:
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
def test_what_is_adopted_is_what_was_seen() -> None:
    client = signed_in(Role.DESIGNER)
    sizes = {"public": "1", "semi_private": "1", "private": "0"}
    Environment.objects.filter(code="ck01").update(stage="done")
    shown = client.get(reverse("insight:sets"), sizes)
    assert [environment.code for environment in shown.context["untried"]] == ["ck01"]
    sittings.play(sittings.sit_down(sittings.study("ck01")), [0] * 31)
    said = {**sizes, "proposal": shown.context["proposal"]}
    told = client.post(reverse("insight:sets-adopt"), said, follow=True)
    assert "proposal_changed" in told.content.decode()
    assert [found.mean for found in told.context["proposed"]] == [0, 0, None]
    assert set(Environment.objects.values_list("release_set", flat=True)) == {"none"}


@pytest.mark.usefixtures("finished")
def test_more_than_there_are_cannot_be_asked_for() -> None:
    client, sizes = signed_in(Role.DESIGNER), {"public": "3", "semi_private": "0", "private": "0"}
    assert "too_few_environments" in client.get(reverse("insight:sets"), sizes).content.decode()
    told = client.post(reverse("insight:sets-adopt"), sizes, follow=True)
    assert "too_few_environments" in told.content.decode()
    assert set(Environment.objects.values_list("release_set", flat=True)) == {"none"}


def test_nothing_done_is_said_so() -> None:
    assert "Nothing can be divided yet" in signed_in(Role.LEAD).get(reverse("insight:sets")).content.decode()
