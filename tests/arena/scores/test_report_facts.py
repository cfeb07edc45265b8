"""A study's report says where agents ran, how often, and how they differ from people."""

import pytest

from playtest.arena.models import Board
from playtest.insight.paper.report.build import report_of
from playtest.insight.services.reports import bring_studies_up_to_date
from playtest.play.models import Study
from playtest.rules.attempt import Outcome
from playtest.rules.reporting import Entry
from tests import make
from tests.arena.scores.agents import card, run
from tests.arena.scores.test_boards import member, played, put
from tests.live.games import WALK

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def entry(study: Study, number: str) -> Entry:
    bring_studies_up_to_date([study])
    return next(one for one in report_of(study).entries if one.number == number)


def test_plays_of_agents_at_the_studys_environments_are_in_its_report() -> None:
    study = make.study(people=100)
    make.play(make.session(study), [0] * 31)
    assert entry(study, "0.9").facts[0].value == "0 of 1"
    assert entry(study, "0.10").facts[0].value == "none"
    run(card("one"), ["...*", "..*"])
    run(card("two"), ["...*"])
    run(card("two"), ["...*"], "ck01")
    assert entry(study, "0.9").facts[0].value == "1 of 1"
    assert entry(study, "0.9").tables[0].rows == (("wk01", "2"),)
    assert entry(study, "0.10").facts[0].value == "median 1.5 (1 to 2)"


def test_a_ranked_entry_is_compared_with_people() -> None:
    member("wk01", "public")
    study = make.study(people=100)
    for _ in range(3):
        make.play(make.session(study), [*[0] * 31, *WALK[:4]], Outcome.GAVE_UP)
    assert entry(study, "4.1").tables == ()
    put(played("one", sets=("public",), cost=2.5), Board.COMMUNITY)
    (costs,) = entry(study, "1.7").tables
    assert costs.rows[0] == ("one", Board.COMMUNITY.label, "10 actions", "$2.50")
    (differences,) = entry(study, "4.1").tables
    assert differences.rows[0][:2] == ("one", "1")
