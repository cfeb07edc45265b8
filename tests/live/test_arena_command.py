"""`make arena`: a folder of environments, a key, and a score, without people."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.browsing import bundles
from tests.live.arena import Agent, make_games
from tests.live.server import Server

pytestmark = pytest.mark.once


def test_a_folder_is_played_by_agents_after_one_command(
    make_server: Callable[..., Server], tmp_path: Path
) -> None:
    games = make_games(tmp_path, ("wk01", "ck01"))
    server = make_server()
    (server.folder / "assets").symlink_to(bundles())  # or the command builds them
    said = server.manage("arena", "--games", str(games), "--key", "fixed")
    assert "2 environments in the public set" in said
    assert "ARC_API_KEY=fixed" in said
    assert "export SCHEME=http HOST=127.0.0.1 PORT=" in said
    assert server.rows("SELECT COUNT(*) FROM play_session") == [(0,)]
    agent = Agent(server.start(), "fixed")
    listed = {one["game_id"][:4]: one["baseline_actions"] for one in agent.get("/games").json()}
    assert listed == {"wk01": [3, 3, 4, 3, 2, 3], "ck01": [1, 2, 3, 4, 5, 6]}
    card = agent.open()
    guid = str(agent.reset(card, "wk01").json()["guid"])
    for action in (4, 4, 4):
        assert agent.act(action, "wk01", guid).status_code == 200
    assert agent.close(card)["score"] > 0
