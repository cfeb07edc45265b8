"""Success adjusted for who came, beside raw success: of a study, of sets, and of two versions."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from playtest.play.clock import now
from playtest.play.models import Study
from playtest.play.sessions.attempts import open_next, set_first_frame
from playtest.rules.attempt import Outcome
from playtest.rules.rasch import FEWEST_PEOPLE
from playtest.studio.models import Environment
from tests import make
from tests.insight.stages import newer_version
from tests.insight.test_environment_page import text
from tests.live.games import WALK

pytestmark = [pytest.mark.django_db, pytest.mark.once]

ENOUGH = [2] * 31
POOL = ("wk01", "rn01")


@pytest.fixture
def study() -> Study:
    pool = [make.environment(code) for code in POOL]
    return make.study(pool=pool, people=100)


def play_both(study: Study, people: int, *, solving: int) -> None:
    """So many people play both environments; the first of them solve wk01."""
    for number in range(people):
        session = make.session(study)
        for _ in POOL:
            attempt = open_next(session)
            assert attempt is not None
            began = now()
            set_first_frame(attempt.pk, began)
            solves = attempt.environment.code == "wk01" and number < solving
            acts, outcome = ([*ENOUGH, *WALK], Outcome.COMPLETED) if solves else (ENOUGH, Outcome.GAVE_UP)
            make.record(attempt, acts, outcome, began, 2)


def success(client: Client, study: Study) -> dict[str, Any]:
    address = reverse("insight:study-figure", args=[study.pk, "success", "json"])
    found: dict[str, Any] = client.get(address).json()
    return found


def test_a_studys_success_is_adjusted_once_enough_people_met_two_environments(
    study: Study, researcher: Client
) -> None:
    play_both(study, FEWEST_PEOPLE - 1, solving=2)
    found = success(researcher, study)
    assert "needs 5 people" in found["caption"]
    assert [row["adjusted"] for row in found["rows"]] == [None, None]
    play_both(study, 4, solving=2)
    found = success(researcher, study)
    assert "had each met every environment" in found["caption"]
    solved, never = found["rows"]
    assert (solved["label"], solved["value"], solved["solved"]) == ("wk01", 50, 4)
    assert solved["adjusted"] == pytest.approx(50, abs=1)
    assert solved["adjusted_low"] < 50 < solved["adjusted_high"]
    assert never["value"] == 0
    assert 0 < never["adjusted"] < 10


def test_a_proposed_set_has_its_adjusted_success(study: Study, researcher: Client) -> None:
    play_both(study, 6, solving=3)
    Environment.objects.update(stage="done")
    sizes = {"mode": "equal", "public": "1", "semi_private": "1", "private": "0"}
    shown = researcher.get(reverse("insight:sets"), sizes)
    first, second, empty = shown.context["proposed"]
    assert empty.adjusted is None
    for one in (first, second):
        assert one.adjusted.low < one.adjusted.value < one.adjusted.high
        assert 100 * one.adjusted.value == pytest.approx(one.mean, abs=10)
    assert "Adjusted for who came" in shown.content.decode()


def test_two_versions_are_compared_as_if_the_same_people_had_met_both(
    study: Study, researcher: Client
) -> None:
    play_both(study, 6, solving=3)
    newer_version(Environment.objects.get(code="wk01"))
    play_both(study, 6, solving=6)
    address = reverse("insight:versions", args=["wk01"])
    assert "Adjusted for who came" in text(researcher, address)
    first, *_ = researcher.get(address).context["rows"]
    assert first.difference.value == 0.5
    assert first.adjusted.low < first.adjusted.value < first.adjusted.high
    assert 0.1 < first.adjusted.value < 0.6
    assert first.adjusted_text.startswith("+")
