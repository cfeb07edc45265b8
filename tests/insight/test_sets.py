"""Finished environments are divided into sets of equal difficulty for counted people."""

import pytest
from django.urls import reverse

from playtest.insight.pages.board.sets import ProposedSet
from playtest.people.roles import Role
from playtest.rules.attempt import Outcome
from playtest.rules.cards import CardContent, Mechanic
from playtest.studio.models import Environment
from playtest.studio.services.cards import create_card_of, save_revision
from playtest.studio.services.redundancy import mark_redundant
from tests import make
from tests.live.games import WALK
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

ENOUGH = [2] * 31


@pytest.fixture
def finished() -> None:
    """wk01 solved by one of two, rn01 by none of one; ck01 is not done."""
    walk = make.study("wk01")
    make.play(make.session(walk), [*ENOUGH, *WALK], Outcome.COMPLETED)
    make.play(make.session(walk), [*ENOUGH, 4])
    make.play(make.session(make.study("rn01")), ENOUGH)
    make.environment("ck01")
    Environment.objects.filter(code__in=["wk01", "rn01"]).update(stage="done")


@pytest.mark.usefixtures("finished")
def test_a_proposed_division_shows_its_balance_and_can_be_adopted() -> None:
    client = signed_in(Role.DESIGNER)
    sizes = {"mode": "equal", "public": "1", "semi_private": "1", "private": "0"}
    shown = client.get(reverse("insight:sets"), sizes)
    assert "Too few environments to say whether the sets are equally hard" in shown.content.decode()
    assert [found.mean for found in shown.context["proposed"]] in ([0, 50, None], [50, 0, None])
    client.post(reverse("insight:sets-adopt"), {**sizes, "proposal": shown.context["proposal"]})
    given = dict(Environment.objects.values_list("code", "release_set"))
    assert {given["wk01"], given["rn01"]} == {"public", "semi_private"}
    assert given["ck01"] == "none"


@pytest.mark.usefixtures("finished")
def test_a_proposal_that_changed_since_it_was_shown_is_not_adopted() -> None:
    client = signed_in(Role.DESIGNER)
    sizes = {"mode": "equal", "public": "1", "semi_private": "1", "private": "0"}
    Environment.objects.filter(code="ck01").update(stage="done")
    shown = client.get(reverse("insight:sets"), sizes)
    assert [environment.code for environment in shown.context["untried"]] == ["ck01"]
    make.play(make.session(make.study("ck01")), [0] * 31)
    said = {**sizes, "proposal": shown.context["proposal"]}
    answer = client.post(reverse("insight:sets-adopt"), said, follow=True)
    assert "proposal_changed" in answer.content.decode()
    assert [found.mean for found in answer.context["proposed"]] == [0, 0, None]
    assert set(Environment.objects.values_list("release_set", flat=True)) == {"none"}


@pytest.mark.usefixtures("finished")
def test_sizes_above_the_number_of_environments_are_refused() -> None:
    client, sizes = (
        signed_in(Role.DESIGNER),
        {"mode": "equal", "public": "3", "semi_private": "0", "private": "0"},
    )
    assert "too_few_environments" in client.get(reverse("insight:sets"), sizes).content.decode()
    answer = client.post(reverse("insight:sets-adopt"), sizes, follow=True)
    assert "too_few_environments" in answer.content.decode()
    assert set(Environment.objects.values_list("release_set", flat=True)) == {"none"}


@pytest.mark.usefixtures("finished")
def test_graded_sets_have_the_easier_environment_in_public_and_what_is_public_stays_there() -> None:
    client = signed_in(Role.DESIGNER)
    sizes = {"mode": "graded", "public": "1", "semi_private": "1", "private": "0"}
    shown = client.get(reverse("insight:sets"), sizes)
    assert "percentage points" not in shown.content.decode().partition("</h1>")[0]
    assert codes(shown.context["proposed"]) == [["wk01"], ["rn01"], []]
    Environment.objects.filter(code="rn01").update(release_set="public")
    shown = client.get(reverse("insight:sets"), sizes)
    assert codes(shown.context["proposed"]) == [["rn01"], ["wk01"], []]
    page = shown.content.decode()
    assert "Public already, and so in the public set of every proposal: rn01." in page
    none = client.get(reverse("insight:sets"), {**sizes, "public": "0"}).content.decode()
    assert "public_too_small" in none
    suggested = client.get(reverse("insight:sets")).context["form"]
    assert [suggested[name].value() for name in ("mode", "public", "semi_private", "private")] == [
        "equal", 1, 1, 0,
    ]  # fmt: skip


@pytest.mark.usefixtures("finished")
def test_mechanics_and_marks_of_sets_are_compared() -> None:
    walk, turn = (Environment.objects.get(code=code) for code in ("wk01", "rn01"))
    write_card(walk, ["Steps", "Keys"])
    write_card(turn, ["steps", "Mirrors"])
    mark_redundant(walk, turn, "One policy solves both.", None)
    sizes = {"mode": "equal", "public": "1", "semi_private": "1", "private": "0"}
    shown = signed_in(Role.DESIGNER).get(reverse("insight:sets"), sizes)
    (between,) = shown.context["compared"]
    assert (between.difference, between.mechanics, between.of) == (50, 1, 3)
    assert {one.code for one in between.sharing[0]} == {"wk01", "rn01"}
    assert [one.mark.reason for one in between.redundant] == ["One policy solves both."]
    assert "claimed, awaits a second person" in shown.content.decode()
    together = signed_in(Role.DESIGNER).get(
        reverse("insight:sets"), {**sizes, "public": "2", "semi_private": "0"}
    )
    assert "Both in the public demonstration set and marked as redundant" in together.content.decode()


def test_the_page_says_when_no_environment_is_done() -> None:
    assert "Nothing can be divided yet" in signed_in(Role.LEAD).get(reverse("insight:sets")).content.decode()


def codes(sets: list[ProposedSet]) -> list[list[str]]:
    return [[one.environment.code for one in found.members] for found in sets]


def write_card(environment: Environment, mechanics: list[str]) -> None:
    author = staff(Role.DESIGNER)
    content = CardContent(mechanics=tuple(Mechanic(name, 1) for name in mechanics))
    save_revision(create_card_of(environment, author), 1, content.as_json(), author)


@pytest.mark.usefixtures("finished")
def test_one_environment_alone_has_no_verdict_and_is_not_adopted() -> None:
    client, sizes = signed_in(Role.DESIGNER), {"mode": "equal", "public": "1", "private": "0"}
    page = client.get(reverse("insight:sets"), sizes | {"semi_private": "0"}).content.decode()
    assert "equally hard: 0" not in page
    assert "nothing_to_divide" in page
    assert "Adopt these sets" not in page
