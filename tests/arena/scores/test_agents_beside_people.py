"""Agents in a study's report and beside people on the levels where people got stuck."""

import pytest
from django.urls import reverse

from engine.play.actions import UNDO
from playtest.arena.models import Board
from playtest.arena.scores.side_by_side import Level, side_by_side
from playtest.insight.paper.report.build import report_of
from playtest.insight.scope import Scope
from playtest.insight.services.reports import bring_studies_up_to_date
from playtest.people.roles import Role
from playtest.play.models import Attempt, Study
from playtest.play.models import Entry as JournalEntry
from playtest.rules.attempt import Outcome
from playtest.rules.reporting.document import Entry
from tests import make
from tests.arena.runs.played import PIT, UNAVAILABLE, on_a_card, write_run
from tests.arena.scores.agents import card, run, version
from tests.arena.scores.test_boards import member, played, put
from tests.live.games import WALK
from tests.review.tampering import unprotect
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def entries(study: Study) -> dict[str, Entry]:
    """The entries of the study's report, by number."""
    bring_studies_up_to_date([study])
    return {one.number: one for one in report_of(study).entries}


def test_plays_of_agents_at_the_studys_environments_are_in_its_report() -> None:
    study = make.study(people=100)
    make.play(make.session(study), [0] * 31)
    before = entries(study)
    assert (before["0.9"].facts[0].value, before["0.10"].facts[0].value) == ("0 of 1", "none")
    run(card("one"), ["...*", "..*"])
    run(card("two"), ["...*"])
    run(card("two"), ["...*"], "ck01")
    after = entries(study)
    assert after["0.9"].facts[0].value == "1 of 1"
    assert after["0.9"].tables[0].rows == (("wk01", "2"),)
    assert after["0.10"].facts[0].value == "median 1.5 (1 to 2)"


def test_a_ranked_entry_is_compared_with_people() -> None:
    member("wk01", "public")
    study = make.study(people=100)
    for _ in range(3):
        make.play(make.session(study), [*[0] * 31, *WALK[:4]], Outcome.GAVE_UP)
    assert entries(study)["4.1"].tables == ()
    put(played("one", sets=("public",), cost=2.5), Board.COMMUNITY)
    found = entries(study)
    (costs,) = found["1.7"].tables
    assert costs.rows[0] == ("one", Board.COMMUNITY.label, "10 actions", "$2.50")
    (differences,) = found["4.1"].tables
    assert differences.rows[0][:2] == ("one", "1")


IDLE = 2
"""An action that changes nothing at the start of wk01."""


def stuck_levels(most: int = 9) -> list[Level]:
    return side_by_side(version()).stuck(most)


@pytest.fixture(scope="module")
def stuck(module_db: None) -> tuple[Attempt, Attempt]:
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
    assert stuck_levels() == []
    make.play(make.session(make.study()), [*[IDLE] * 31, *WALK], Outcome.COMPLETED)
    assert stuck_levels() == []
    page = signed_in(Role.RESEARCHER).get(reverse("arena:environment", args=["wk01"])).content.decode()
    assert "Nobody got stuck" in page


def test_fates_of_people_and_agents_stand_side_by_side(stuck: tuple[Attempt, Attempt]) -> None:
    _, run = stuck
    [level] = stuck_levels()
    people, agents = level.fates
    assert (level.level, people.reached, len(people.stops)) == (1, 3, 2)
    assert people.endings == [("timed out", 1), ("gave up", 1)]
    assert people.completed_share == pytest.approx(1 / 3)
    assert (agents.reached, len(agents.stops), agents.endings) == (2, 1, [("budget spent", 1)])
    [stop] = agents.stops
    assert (stop.row.attempt, stop.row.last_seq, stop.row.actions) == (run.pk, 4, 4)
    assert (stop.row.no_ops, stop.row.first_change) == (2, 3)
    assert stuck_levels(most=0) == []


def test_undo_is_left_out_of_people_and_agents_alike() -> None:
    unprotect()
    study = make.study()
    person = make.play(make.session(study), [*[IDLE] * 31, *WALK], Outcome.COMPLETED)
    on_a_card(run := write_run(version(), [*[IDLE] * 31, *WALK]))
    JournalEntry.objects.filter(attempt__in=(person, run), seq__lte=4, seq__gt=1).update(action=UNDO)
    for undo_counts, actions in (True, 34), (False, 31):
        make.change(study, undo_counts=undo_counts)
        found = side_by_side(version(), Scope(study))
        first = {one.attempt: one.actions for one in (*found.people, *found.agents) if one.level == 1}
        assert (first[person.pk], first[run.pk]) == (actions, actions)


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
        for attempt, allowed in zip(stuck, (status, 200), strict=True):
            address = f"{reverse('review:picture', args=[attempt.pk])}?action={attempt.actions}"
            assert (address in page) is (allowed == 200)
            assert client.get(address).status_code == allowed
