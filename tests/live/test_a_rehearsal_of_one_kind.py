"""People of one kind play a rehearsal for real: they are marked as simulated, flagged, and in no baseline."""

from collections.abc import Callable

import pytest

from tests.live.server import Server

pytestmark = [pytest.mark.once, pytest.mark.long]


def test_cyclers_of_a_rehearsal_are_flagged_and_in_no_baseline(make_server: Callable[..., Server]) -> None:
    installation = make_server()
    wanted = {"rehearsal": True, "people": 3}
    study = installation.seed(pool=["wk01", "ck01"], people=0, study=wanted)["study"]
    installation.manage("simulate", "--study", str(study), "--people", "3", "--kind", "cycler")
    installation.manage("flag_effort")
    simulated = "SELECT simulated, COUNT(*) FROM people_participant GROUP BY simulated"
    assert [(bool(one), count) for one, count in installation.rows(simulated)] == [(True, 3)]
    flagged = installation.rows("SELECT DISTINCT session_id FROM review_flag WHERE rule = 'cycling'")
    assert flagged, "all three leave at once, and seldom complete a level by chance"
    assert '"people": 0' in installation.manage("baseline", "wk01", "--json")
