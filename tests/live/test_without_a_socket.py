"""A program plays a level through `AttemptRunner` without a socket, as an adapter for REST would."""

import ast
import json
from pathlib import Path

import pytest

from playtest.play.models import InputKind
from tests.live.server import ROOT, Server

pytestmark = pytest.mark.once

SOCKET = {f"playtest.play.{name}" for name in ("wire", "play_page", "consumers", "routing")}


@pytest.mark.long
def test_a_level_is_played_without_any_type_of_the_socket(server: Server) -> None:
    session = server.seed(pool=["wk01"], stage="playing")["people"][0]["session"]
    seen = json.loads(server.run("-m", "tests.live.adapter", str(session)))
    assert seen["turns"] == [
        [1, 1, False, "NOT_FINISHED"],
        [2, 1, False, "NOT_FINISHED"],
        [3, 2, True, "NOT_FINISHED"],
    ]
    assert min(seen["frames"]) > 0
    assert seen["repeated"], "the same action again gets its recorded turn"
    assert seen["refusals"] == ["wrong_sequence", "wrong_sequence", "action_unavailable", "resync_required"]
    assert not SOCKET & set(seen["imported"])
    assert not [name for name in seen["imported"] if name.startswith("channels.generic")]
    rows = server.rows(
        "SELECT attempt_id, seq, action, input_kind, level_completed, outcome FROM play_entry"
        " JOIN play_attempt ON play_attempt.id = attempt_id"
        f" WHERE session_id = {session} ORDER BY seq"
    )
    key = InputKind.KEY.value
    assert [tuple(map(int, facts)) for _, *facts, _ in rows] == [
        (0, 0, 0, 0), (1, 4, key, 0), (2, 4, key, 0), (3, 4, key, 1),
    ]  # fmt: skip
    attempt, *_, outcome = rows[0]
    assert outcome == "gave_up"
    assert "4 entries agree" in server.manage("verify_attempts", str(attempt))


def imported(file: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{name.name}" for name in node.names} | {str(node.module)}
        elif isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
    return found


def test_only_pages_use_the_wire_format() -> None:
    own = {f"playtest.play.page.{name}" for name in ("wire", "status_messages", "socket", "consumers")}
    for file in (ROOT / "playtest" / "play").rglob("*.py"):
        assert file.parent.name == "page" or not own & imported(file), file
