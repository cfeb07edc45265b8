"""Finished static tasks are divided by themselves, into sets within one percentage point of each other."""

from typing import Any

import pytest
from django.urls import reverse

from playtest.people.roles import Role
from playtest.play.models import Attempt
from playtest.studio.models import Environment
from tests import make
from tests.make_tasks import play_task, small_task, submitted
from tests.naive_tasks import sat
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]

CODES = ("alike-1", "alike-2", "hard-3", "hard-4")
ADOPTED = {"mode": "equal", "public": "2", "semi_private": "2", "private": "0"}
TOO_FAR = {"mode": "equal", "public": "1", "semi_private": "1", "private": "2"}


@pytest.fixture(autouse=True, scope="module")
def played(module_db: None) -> None:
    """Two people solve the first two tasks, one of them the others too; somebody looks too shortly."""
    pool = [small_task(code, [[1]]) for code in CODES]
    study = make.study(pool=pool, people=10)
    for solves in (CODES, CODES[:2]):
        session = make.session(study)
        does = {code: submitted([[1]]) if code in solves else submitted([[2]]) for code in CODES}
        for _ in CODES:
            play_task(session, does, seconds_after=9)
    play_task(make.session(study), [], seconds_after=2)
    Environment.objects.update(stage="done")


def page(**asked: str) -> Any:
    return signed_in(Role.LEAD).get(reverse("insight:sets"), asked)


def in_sets() -> dict[str, str]:
    return dict(Environment.objects.values_list("code", "release_set"))


def test_means_equal_a_naive_recomputation() -> None:
    shares = {}
    for code in CODES:
        known = [one for one in sat(Attempt.objects.filter(environment__code=code)) if one.seconds > 5]
        shares[code] = 100 * sum(one.solved for one in known) / len(known)
    assert set(shares.values()) == {100, 50}
    shown = page(kind="task", **ADOPTED)
    for found in shown.context["proposed"][:2]:
        members = [one.environment.code for one in found.members]
        assert found.mean == sum(shares[code] for code in members) / len(members) == 75
    assert "The sets are equally hard: 0 percentage points apart" in shown.content.decode()


def test_sets_within_a_percentage_point_are_adopted() -> None:
    shown = page(kind="task", **ADOPTED)
    said = {"kind": "task", **ADOPTED, "proposal": shown.context["proposal"]}
    answer = signed_in(Role.LEAD).post(reverse("insight:sets-adopt"), said, follow=True)
    assert "4 static tasks are in their sets." in answer.content.decode()
    given = in_sets()
    assert (
        {given["alike-1"], given["alike-2"]}
        == {given["hard-3"], given["hard-4"]}
        == {"public", "semi_private"}
    )


def test_sets_further_apart_are_refused_on_the_page_and_when_adopted() -> None:
    shown = page(kind="task", **TOO_FAR)
    text = shown.content.decode()
    assert "The sets differ by 50 percentage points in mean success; at most one is allowed." in text
    assert "Adopt these sets" not in text
    said = {"kind": "task", **TOO_FAR, "proposal": shown.context["proposal"]}
    answer = signed_in(Role.LEAD).post(reverse("insight:sets-adopt"), said, follow=True)
    assert "sets_too_far_apart" in answer.content.decode()
    assert set(in_sets().values()) == {"none"}


def test_each_kind_is_divided_by_itself() -> None:
    assert "interactive environments" not in page().content.decode()
    make.play(make.session(make.study("wk01")), [2] * 31)
    Environment.objects.update(stage="done")
    shown = page()
    assert [one.environment.code for one in shown.context["known"]] == ["wk01"]
    assert 'href="?kind=task"' in shown.content.decode()
    shown = page(kind="task")
    assert [one.environment.code for one in shown.context["known"]] == list(CODES)
    said = {"kind": "task", **ADOPTED, "proposal": page(kind="task", **ADOPTED).context["proposal"]}
    signed_in(Role.LEAD).post(reverse("insight:sets-adopt"), said)
    assert in_sets()["wk01"] == "none"
