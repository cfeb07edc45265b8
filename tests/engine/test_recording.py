"""Recordings are written like the toolkit's, read in every dialect and replayed exactly."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest
from arc_agi.local_wrapper import LocalEnvironmentWrapper
from arc_agi.models import EnvironmentInfo
from arcengine import GameAction

from engine.errors import RecordingError
from engine.play.actions import Action
from engine.play.game import Game
from engine.play.recording import RecordedTurn, Recording, read, write
from tests.engine.sources import ENVIRONMENTS, RESET, WALK_PITS, WALK_WINS, environment, lamps, moves
from tests.replays import play_again

MOMENT = "2026-01-02T03:04:05.678901+00:00"


def recorded(environment_id: str, actions: list[Action], *, as_arcengine: bool = False) -> Recording:
    source = environment(environment_id)
    game, opening = Game.start(source, 0, as_arcengine=as_arcengine)
    turns = [RecordedTurn.of(RESET, opening, opening.frames, MOMENT)]
    played = ((action, game.act(action)) for action in actions)
    turns += [RecordedTurn.of(action, turn, turn.frames, MOMENT) for action, turn in played]
    return Recording(tuple(turns), source.game_id, "a-guid")


CLICKS = [*lamps(1), Action(6, 12, 24), Action(7), RESET, Action(6, 63, 0), *lamps(2)]


def test_a_recording_has_the_format_of_the_toolkit(tmp_path: Path) -> None:
    info = EnvironmentInfo(game_id="ck01-00000001", local_dir=str(ENVIRONMENTS / "ck01"))
    log = logging.getLogger("toolkit")
    wrapper = LocalEnvironmentWrapper(info, log, "a-card", save_recording=True, recordings_dir=str(tmp_path))
    for action in CLICKS:
        wrapper.step(GameAction.from_id(action.id), action.data)
    (file,) = (tmp_path / "a-card").iterdir()
    theirs = file.read_text().splitlines()
    ours = "".join(write(recorded("ck01", CLICKS, as_arcengine=True))).splitlines()
    guid = json.loads(theirs[0])["data"]["guid"]
    assert file.name == f"ck01-00000001-{guid}.jsonl"
    assert [line.replace("a-guid", guid) for line in ours] == [
        line.replace(json.loads(line)["timestamp"], MOMENT) for line in theirs
    ]
    again = read(theirs)
    assert (again.game_id, again.guid) == ("ck01-00000001", guid)
    assert play_again(environment("ck01"), 0, again, as_arcengine=True)[1] is None


@pytest.mark.parametrize("frames", [True, False])
@pytest.mark.parametrize(
    ("environment_id", "actions"),
    [
        ("wk01", moves("".join(WALK_WINS))),
        ("wk01", [*moves(WALK_PITS[0]), RESET, *moves("444")]),
        ("ck01", CLICKS),
        ("rn01", moves("1520345")),
    ],
)
def test_a_recording_written_and_read_again_replays_exactly(
    environment_id: str, actions: list[Action], frames: bool
) -> None:
    written = list(write(recorded(environment_id, actions), frames=frames))
    again = read(written)
    assert list(write(again, frames=frames)) == written
    assert [turn.action for turn in again.turns] == [RESET, *actions]
    turns, divergence = play_again(environment(environment_id), 0, again)
    assert (len(turns), divergence) == (len(actions) + 1, None)


def test_without_frames_a_recording_still_shows_a_divergence() -> None:
    lines = list(write(recorded("wk01", moves("444")), frames=False))
    assert "frame" not in json.loads(lines[2])["data"]
    lines[2] = lines[2].replace("ACTION4", "ACTION2")
    _, divergence = play_again(environment("wk01"), 0, read(lines))
    assert divergence == 2


def rewritten(lines: list[str], change: Any) -> list[str]:
    parsed = [json.loads(line) for line in lines]
    for line in parsed:
        change(line["data"])
    return [json.dumps(line) for line in parsed]


def server_dialect(data: dict[str, Any]) -> None:
    data["score"] = data.pop("levels_completed")
    data["win_score"] = data.pop("win_levels")
    data["action_input"]["id"] = Action(**_cell(data)).id


def _cell(data: dict[str, Any]) -> dict[str, Any]:
    given = data["action_input"]
    return {"id": 0 if given["id"] == "RESET" else int(given["id"][-1]), **given["data"]}


@pytest.mark.parametrize("in_data", [True, False])
def test_the_dialect_of_the_official_server_is_read_with_its_footer(in_data: bool) -> None:
    footer: dict[str, Any] = {"won": 0, "played": 1, "total_actions": 8, "levels_completed": 2, "cards": {}}
    lines = rewritten(list(write(recorded("ck01", CLICKS))), server_dialect)
    lines.append(json.dumps({"timestamp": MOMENT, "data": footer} if in_data else footer))
    again = read(lines)
    assert [turn.action for turn in again.turns] == [RESET, *CLICKS]
    assert (again.turns[-1].levels_completed, again.turns[-1].levels) == (2, 6)
    assert play_again(environment("ck01"), 0, again)[1] is None


@pytest.mark.parametrize(
    "trailing",
    [
        ['{"test": true}'],
        ['{"timestamp": "", "data": {"test": {"passed": 1}}}'],
        ['{"data": {"won": 1, "played": 1}}', "", '{"test": ""}'],
    ],
)
@pytest.mark.parametrize("text", ['{"data": {"action_input": {"id": 4}}}', '{"id": "4"}', "[4]"])
def test_trailing_lines_without_an_action_are_ignored(text: str, trailing: list[str]) -> None:
    assert [turn.action for turn in read([text, *trailing]).turns] == [RESET, Action(4)]


def test_a_turn_without_its_action_is_refused() -> None:
    with pytest.raises(RecordingError) as raised:
        read(['{"data": {"action_input": {"id": 4}}}', '{"data": {"state": "WIN", "frame": []}}'])
    assert (raised.value.code, raised.value.details["line"]) == ("recording_without_actions", 2)


def test_lines_without_any_action_are_not_a_recording() -> None:
    with pytest.raises(RecordingError) as raised:
        read(['{"won": 1, "played": 1}', '{"test": 1}'])
    assert raised.value.code == "recording_without_actions"


def test_ids_as_text_are_read() -> None:
    def as_text(data: dict[str, Any]) -> None:
        server_dialect(data)
        data["action_input"]["id"] = str(data["action_input"]["id"])

    lines = rewritten(list(write(recorded("wk01", moves("44")))), as_text)
    assert [turn.action.id for turn in read(lines).turns] == [0, 4, 4]


def test_a_recording_without_actions_is_refused_with_its_reason() -> None:
    def lost(data: dict[str, Any]) -> None:
        data["action_input"]["id"] = 0

    lines = rewritten(list(write(recorded("wk01", moves("444")))), lost)
    with pytest.raises(RecordingError) as raised:
        read(lines[1:])
    assert raised.value.code == "recording_without_actions"


def test_resets_alone_are_a_recording() -> None:
    again = read(write(recorded("wk01", [RESET, RESET])))
    assert [turn.action for turn in again.turns] == [RESET] * 3


@pytest.mark.parametrize(
    "text",
    [
        '["RESET", "ACTION4", {"id": 6, "x": 3, "y": 4}]',
        '[4, {"action": "ACTION6", "data": {"x": 3, "y": 4}}]',
        '4\n{"action_input": {"id": 6, "data": {"x": 3, "y": 4}}}',
        '{"id": 0}\n\n{"id": "4"}\n{"id": "ACTION6", "data": {"x": 3, "y": 4}}\n',
    ],
)
def test_a_list_of_actions_gets_an_opening_turn(text: str) -> None:
    again = read(text.splitlines())
    assert [turn.action for turn in again.turns] == [RESET, Action(4), Action(6, 3, 4)]
    assert again.turns[1].state_hash is None


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("", "recording_without_actions", None),
        ("[0]\n{", "recording_malformed", 2),
        ("[0]\n[9]", "recording_malformed", 2),
        ('{"id": "JUMP"}', "recording_malformed", 1),
        ('{"id": 6, "data": {"x": 64, "y": 0}}', "recording_malformed", 1),
        ('{"timestamp": "", "data": {"frame": []}}', "recording_without_actions", 1),
        (
            '{"timestamp": "", "data": {"action_input": {"id": 0}, "frame": [[[16]]]}}',
            "recording_malformed",
            1,
        ),
        ('{"data": {"action_input": {"id": 0}, "state_hash": "xyz"}}', "recording_malformed", 1),
        ("3.5", "recording_malformed", 1),
    ],
)
def test_an_unreadable_line_is_named(text: str, code: str, line: int | None) -> None:
    with pytest.raises(RecordingError) as raised:
        read(text.splitlines())
    assert (raised.value.code, raised.value.details.get("line")) == (code, line)


def refused(lines: list[str | bytes]) -> tuple[str, str]:
    with pytest.raises(RecordingError) as raised:
        read(lines)
    return raised.value.code, raised.value.message


def test_what_is_no_recording_is_named_for_what_it_is() -> None:
    trace = '{"jsonrpc": "2.0", "result": {"gas": 21000, "structLogs": []}}'
    assert refused([trace])[1].startswith("This is an Ethereum trace: its lines have jsonrpc, result,")
    assert refused(['{"prompt": "a", "answer": "b"}'])[0] == "recording_unknown"
    assert refused([b"\x80\x04]\x94."])[0] == "recording_is_pickle"
    assert refused([b"", b"\n"]) == ("recording_without_actions", "The recording is empty.")


@pytest.mark.parametrize("whole", [True, False])
def test_steps_with_arguments_and_milliseconds_are_read(whole: bool) -> None:
    opening, *turns = recorded("ck01", CLICKS[:3]).turns
    shown, steps = opening.frames, []
    for number, turn in enumerate(turns):
        assert shown is not None
        assert turn.frames is not None
        steps.append(
            {
                "frame_before": shown[-1].tolist(),
                "frame_after": turn.frames[-1].tolist(),
                "action": turn.action.name,
                "action_args": turn.action.data,
                "t_ms": 1500 * number,
            }
        )
        shown = turn.frames
    document = json.dumps({"game_id": "ck01-1", "steps": steps}, indent=1)
    again = read(document.splitlines() if whole else map(json.dumps, steps))
    assert [turn.action for turn in again.turns] == [RESET, *CLICKS[:3]]
    assert again.dialect == "steps"
    assert again.turns[0].frames is not None
    assert again.turns[2].timestamp == "1970-01-01T00:00:01.500000+00:00"


def test_lines_of_tokens_between_frames_are_left_out() -> None:
    lines = list(write(recorded("wk01", moves("444"))))
    lines.insert(2, '{"tokens": 12, "model": "m"}\n')
    assert [turn.action.id for turn in read(lines).turns] == [0, 4, 4, 4]


def test_bytes_read_as_text_does() -> None:
    lines = list(write(recorded("ck01", CLICKS)))
    assert list(write(read(line.encode() for line in lines))) == list(write(read(lines))) == lines
    broken = [line.encode().replace(b"[[[", b"[[[16, ", 1) for line in lines]
    assert refused(broken)[0] == "recording_malformed"  # type: ignore[arg-type]
