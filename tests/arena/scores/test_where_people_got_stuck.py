"""Agents beside people on the levels where people got stuck."""

import pytest
from django.urls import reverse

from playtest.arena.scores.side_by_side import StuckLevel, side_by_side, stuck_levels
from playtest.people.roles import Role
from playtest.play.models import Attempt
from playtest.rules.attempt import Outcome
from tests import make
from tests.arena.runs.played import PIT, UNAVAILABLE, on_a_card, write_run
from tests.arena.scores.agents import version
from tests.live.games import WALK
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]

IDLE = 2
"""An action that changes nothing at the start of wk01."""


def found(most: int = 9) -> list[StuckLevel]:
    return stuck_levels(side_by_side(version()), most)


@pytest.fixture
def stuck() -> tuple[Attempt, Attempt]:
    """Of three people one completes all, one gives up and one is timed out on level 1; a run loses there."""
    study = make.study()
    make.play(make.session(study), [*[IDLE] * 31, *WALK], Outcome.COMPLETED)
    make.play(make.session(study), [IDLE] * 40, Outcome.TIMED_OUT)
    person = make.play(make.session(study), [IDLE] * 35)
    run = write_run(version(), [UNAVAILABLE, UNAVAILABLE, 4, PIT], Outcome.BUDGET_SPENT)
    on_a_card(run, name="Stuck")
    on_a_card(write_run(version(), [*WALK[:3], UNAVAILABLE], None), name="Passed")
    return person, run


def test_without_people_or_losses_nothing_is_stuck() -> None:
    on_a_card(write_run(version(), [UNAVAILABLE]))
    assert found() == []
    make.play(make.session(make.study()), [*[IDLE] * 31, *WALK], Outcome.COMPLETED)
    assert found() == []
    page = signed_in(Role.RESEARCHER).get(reverse("arena:environment", args=["wk01"])).content.decode()
    assert "Nobody got stuck" in page


def test_fates_of_people_and_agents_stand_side_by_side(stuck: tuple[Attempt, Attempt]) -> None:
    _, run = stuck
    [level] = found()
    people, agents = level.fates
    assert (level.level, people.on.reached, people.on.lost) == (1, 3, 2)
    assert people.endings == [("timed out", 1), ("gave up", 1)]
    assert people.on.completed_share == pytest.approx(1 / 3)
    assert (agents.on.reached, agents.on.lost, agents.endings) == (2, 1, [("budget spent", 1)])
    [stop] = agents.stops
    assert (stop.row.attempt, stop.row.last_seq, stop.row.actions) == (run.pk, 4, 4)
    assert (stop.row.no_ops, stop.row.first_change) == (2, 3)
    assert found(most=0) == []


def test_the_figure_has_a_mark_for_each_and_leads_to_the_level(stuck: tuple[Attempt, Attempt]) -> None:
    person, run = stuck
    address = reverse("arena:environment-figure", args=["wk01", "stuck", "json"])
    for role, of_people in ((Role.RESEARCHER, True), (Role.ENGINEER, False)):
        rows = signed_in(role).get(address).json()["rows"]
        links = {row["href"] for row in rows}
        assert [row["group"] for row in rows] == ["Level 1 people"] * 3 + ["Level 1 agents"] * 2
        assert f"{reverse('review:attempt', args=[run.pk])}#level=1" in links
        assert (f"{reverse('review:attempt', args=[person.pk])}#level=1" in links) is of_people
        assert rows[-1]["ended"] == "budget spent"


def test_last_frames_of_people_are_shown_to_who_watches_attempts(stuck: tuple[Attempt, Attempt]) -> None:
    for role, status in ((Role.RESEARCHER, 200), (Role.ENGINEER, 403)):
        client = signed_in(role)
        page = client.get(reverse("arena:environment", args=["wk01"])).content.decode()
        for played, allowed in zip(stuck, (status, 200), strict=True):
            address = f"{reverse('review:picture', args=[played.pk])}?action={played.actions}"
            assert (address in page) is (allowed == 200)
            assert client.get(address).status_code == allowed
