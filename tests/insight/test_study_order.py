"""Positions in the session are balanced when assigning, and results are shown by them."""

from collections import Counter
from datetime import timedelta

import pytest
from django.urls import reverse

from playtest.insight.pages.study.links import StudyLinks
from playtest.insight.pages.study.order import met_last, order_figure, positions
from playtest.insight.pages.study.results import numbers
from playtest.people.roles import Role
from playtest.play.clock import now
from playtest.play.models import Attempt, Study
from playtest.play.sessions.attempts import open_next, set_first_frame
from playtest.rules.attempt import Outcome
from tests import make
from tests.insight.test_environment_page import text
from tests.insight.up_to_date import results_of
from tests.live.games import WALK
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]

STALL = [2] * 31


@pytest.fixture
def study() -> Study:
    return make.study(pool=[make.environment("wk01"), make.environment("rn01")], people=100)


def test_each_environment_is_met_equally_often_at_each_position(study: Study) -> None:
    for _ in range(6):
        session = make.session(study)
        for _ in range(2):
            make.play(session, STALL)
    met = Counter(Attempt.objects.values_list("environment__code", "number"))
    assert met == {("wk01", 1): 3, ("wk01", 2): 3, ("rn01", 1): 3, ("rn01", 2): 3}


def test_results_are_shown_by_position_beside_what_the_environments_let_expect(study: Study) -> None:
    for _ in range(4):
        session = make.session(study)
        for position in (1, 2):
            attempt, began = open_next(session), now() - timedelta(minutes=5 - position)
            assert attempt is not None
            set_first_frame(attempt.pk, began)
            solves = attempt.environment.code == "wk01" and position == 2
            acts, outcome = ([*STALL, *WALK], Outcome.COMPLETED) if solves else (STALL, Outcome.GAVE_UP)
            make.record(attempt, acts, outcome, began, 2)
    results = results_of(study)
    table = positions(results)
    assert table["met"].to_list() == [2] * 8
    links = StudyLinks(study, results.scope, may_watch=True, may_review=True)
    first, second = order_figure(results, numbers(results), links).rows
    assert (first[0], first[4], first[5]) == ("1", 0, 4)
    assert (second[0], second[4], second[5]) == ("2", 2, 4)
    assert first[6] == second[6] == 25
    assert first[7] is None
    assert second[7] == 100


def test_an_environment_that_is_mostly_met_last_is_named_on_the_page(study: Study) -> None:
    client, page = signed_in(Role.RESEARCHER), reverse("insight:study", args=[study.pk])
    wk01, rn01 = (make.environment(code) for code in ("wk01", "rn01"))
    for number in range(4):
        assert "Mostly met last" not in text(client, page), number
        session = make.session(study)
        for environment in (rn01, wk01):
            study.pool.set([environment])
            make.play(session, STALL)
    (one,) = met_last(results_of(study))
    assert (one.environment, one.people, one.last) == ("wk01", 4, 4)
    assert "may have changed their results: wk01 (4 of 4)." in text(client, page)
