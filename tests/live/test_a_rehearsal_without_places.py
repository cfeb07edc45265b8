"""Simulated people without an environment left end their sessions; the others continue."""

from collections.abc import Callable

import pytest

from tests.live.server import Server

pytestmark = pytest.mark.once


def test_simulated_people_without_an_environment_left_end_their_sessions(
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
    assert installation.rows(f"{ended} play_session") == [(2, 2)]
