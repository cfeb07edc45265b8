"""Simulated people get no session when the study has no place for them; the others play."""

from collections.abc import Callable

import pytest

from tests.live.server import Server

pytestmark = pytest.mark.once


@pytest.mark.long
def test_simulated_people_without_a_place_get_no_session(
    make_server: Callable[..., Server],
) -> None:
    installation = make_server()
    study = installation.seed(pool=["wk01"], people=0, study={"rehearsal": True, "people": 1})["study"]
    said = installation.manage("simulate", "--study", str(study), "--people", "2")
    assert (
        "1 of 2 found nothing left to play: every environment of Study 1 had its target of 1 by then." in said
    )
    assert installation.rows("SELECT outcome FROM play_attempt WHERE actions > 0 AND ended_at IS NOT NULL")
    ended = "SELECT COUNT(ended_at), COUNT(*) FROM"
    assert installation.rows(f"{ended} play_attempt") == [(1, 1)]
    assert installation.rows(f"{ended} play_session") == [(1, 1)]
