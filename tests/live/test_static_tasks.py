"""A person edits a static task over a real WebSocket: durable edits, verdicts, reload, kill, two windows."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.live.server import Server
from tests.live.station import Station
from tests.make_tasks import drawn

pytestmark = pytest.mark.once

TASKS = Path(__file__).parents[2] / "games" / "tasks"


def a_task(tests: int) -> str:
    """The id of a shipped task with this number of test inputs."""
    found = (path for path in sorted(TASKS.glob("*.json")) if path.stem != "tutorial")
    return next(path.stem for path in found if len(json.loads(path.read_text())["test"]) == tests)


def solution(code: str, number: int = 1) -> list[list[int]]:
    output: list[list[int]] = json.loads((TASKS / f"{code}.json").read_text())["test"][number - 1]["output"]
    return output


class Desk(Station):
    """A station that edits. `task` is the newest `task` message."""

    task: dict[str, Any]

    async def open(self) -> dict[str, Any]:
        """Connect, press Next if the session is in a pause, and return the `task` message."""
        status = await self.hear_text("session")
        if status["stage"] == "pause":
            await self.say("next")
            status = await self.hear_text("session")
        assert status["attempt"]["kind"] == "task"
        self.task = await self.hear_text("task")
        self.attempt, self.sequence = self.task["attempt"], self.task["sequence"]
        return self.task

    async def send_edit(self, edit: Mapping[str, Any], sequence: int | None = None) -> None:
        fields = {"input": 3, "client_time": 1_764_000_000_000.5, "previous_paint_ms": None}
        number = self.sequence + 1 if sequence is None else sequence
        await self.say("edit", attempt=self.attempt, sequence=number, edit=edit, **fields)

    async def edit(self, edit: Mapping[str, Any]) -> dict[str, Any]:
        """Send an edit; the `edited` message that answers it."""
        await self.send_edit(edit)
        answer = await self.hear_text("edited")
        assert answer["sequence"] == self.sequence + 1
        self.sequence += 1
        return answer

    async def draw(self, grid: list[list[int]]) -> None:
        answer: dict[str, Any] = {}
        for edit in drawn(grid):
            answer = await self.edit(edit)
        assert answer["task"]["inputs"][answer["task"]["open"] - 1]["grid"] == grid


@pytest.fixture(scope="module")
def tasks(server: Server) -> None:
    server.seed(tasks=str(TASKS))


@pytest.fixture
def sit(server: Server, port: int, tasks: None) -> Callable[..., dict[str, Any]]:
    """`sit(code, ...)`: somebody at a station of a study with this task, at the pause before it."""

    def seated(*codes: str, **study: Any) -> dict[str, Any]:
        seeded = server.seed(pool=list(codes), stage="playing", study=study)
        person: dict[str, Any] = seeded["people"][0]
        return person

    return seated


async def test_a_task_is_solved_and_every_edit_is_stored(
    server: Server, port: int, sit: Callable[..., dict[str, Any]]
) -> None:
    code = a_task(1)
    person = sit(code)
    async with Desk(port, person["seat"]) as desk:
        task = await desk.open()
        assert task["task"]["inputs"][0]["grid"] == [[0] * 3] * 3
        assert json.dumps(solution(code)) not in json.dumps(task)
        wrong = await desk.edit({"op": "submit"})
        assert wrong["task"]["inputs"][0]["submissions"] == [{"right": False, "counted": True}]
        await desk.send_edit({"op": "submit"})
        assert (await desk.hear_text("error"))["code"] == "submission_repeated"
        await desk.draw(solution(code))
        right = await desk.edit({"op": "submit"})
        assert right["task"]["inputs"][0]["solved"] is True
        assert right["task"]["finished"] is True
        after = await desk.hear_text("session")
        assert after["previous"] == {"solved": True, "cause": "completed"} or after["stage"] == "over"
    session = person["session"]
    [(outcome, actions, solved)] = server.rows(
        f"SELECT outcome, actions, levels_completed FROM play_attempt WHERE session_id = {session}"
    )
    rows = server.rows(
        "SELECT e.seq, e.edit FROM play_entry e JOIN play_attempt a ON a.id = e.attempt_id"
        f" WHERE a.session_id = {session} ORDER BY e.seq"
    )
    assert (outcome, actions, solved) == ("completed", desk.sequence, 1)
    assert [json.loads(edit) for _, edit in rows[1:]] == [
        {"op": "submit"},
        *drawn(solution(code)),
        {"op": "submit"},
    ]
    assert rows[0] == (0, None)
    assert "submission_repeated" in [
        kind for (kind,) in server.rows(f"SELECT kind FROM play_event WHERE session_id = {session}")
    ]


@pytest.mark.long
async def test_a_reload_a_second_window_and_a_killed_server_bring_back_the_same_grid(
    make_server: Callable[..., Server],
) -> None:
    server = make_server()
    server.seed(tasks=str(TASKS))
    port = server.start()
    code = a_task(2)
    person = server.seed(pool=[code], stage="playing")["people"][0]
    async with Desk(port, person["seat"]) as desk:
        await desk.open()
        await desk.draw(solution(code, 1))
        drawn = (await desk.edit({"op": "undo"}))["task"]
        async with Desk(port, person["seat"]) as second:
            assert (await second.open())["task"] == drawn
            assert await desk.hear_close() == 4009
            assert (await second.edit({"op": "redo"}))["task"]["inputs"][0]["grid"] == solution(code, 1)
            opened = (await second.edit({"op": "open", "input": 2}))["task"]
            assert opened["open"] == 2
            server.kill(port)
    port = server.start()
    async with Desk(port, person["seat"]) as desk:
        assert (await desk.open())["task"] == opened
        await desk.edit({"op": "open", "input": 1})
        assert (await desk.edit({"op": "submit"}))["task"]["inputs"][0]["solved"] is True


async def test_an_edit_sent_twice_is_carried_out_once(port: int, sit: Callable[..., dict[str, Any]]) -> None:
    person = sit(a_task(1))
    async with Desk(port, person["seat"]) as desk:
        await desk.open()
        first = await desk.edit({"op": "paint", "colour": 3, "cells": [0]})
        await desk.send_edit({"op": "paint", "colour": 3, "cells": [0]}, sequence=1)
        assert await desk.hear_text("edited") == {**first, "sequence": 1}
        await desk.send_edit({"op": "paint", "colour": 4, "cells": [0]}, sequence=1)
        assert (await desk.hear_text("error"))["code"] == "wrong_sequence"


async def test_what_is_no_edit_is_refused_and_changes_nothing(
    port: int, sit: Callable[..., dict[str, Any]]
) -> None:
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"op": "paint", "colour": 10, "cells": [0]}, "malformed_message"),
        ({"op": "explode"}, "malformed_message"),
        ({"op": "fill", "colour": 1, "cell": 899}, "edit_impossible"),
        ({"op": "open", "input": 3}, "edit_impossible"),
    ]
    person = sit(a_task(1))
    async with Desk(port, person["seat"]) as desk:
        before = await desk.open()
        for edit, code in wrong:
            await desk.send_edit(edit)
            assert (await desk.hear_text("error"))["code"] == code, edit
        await desk.say("resync")
        assert (await desk.hear_text("task"))["task"] == before["task"]


@pytest.mark.long
async def test_actions_at_a_task_and_edits_at_an_environment_are_refused(
    port: int, server: Server, sit: Callable[..., dict[str, Any]]
) -> None:
    person = sit(a_task(1))
    async with Desk(port, person["seat"]) as desk:
        await desk.open()
        await desk.send_action(1)
        assert (await desk.hear_text("error"))["code"] == "action_unavailable"
    other = server.seed(pool=["wk01"], stage="playing")["people"][0]
    async with Desk(port, other["seat"]) as desk:
        await desk.begin()
        await desk.send_edit({"op": "submit"})
        assert (await desk.hear_text("error"))["code"] == "action_unavailable"


@pytest.mark.long
async def test_without_feedback_nothing_says_what_was_right(
    port: int, sit: Callable[..., dict[str, Any]]
) -> None:
    code = a_task(1)
    person = sit(code, a_task(2), feedback=False)
    async with Desk(port, person["seat"]) as desk:
        task = await desk.open()
        shown = next(each for each in (code, a_task(2)) if len(task["inputs"]) == (1 if each == code else 2))
        last: dict[str, Any] = {}
        for number in range(1, len(task["inputs"]) + 1):
            await desk.draw(solution(shown, number))
            await desk.edit({"op": "submit"})
            last = await desk.edit({"op": "submit"})
        assert all(each["solved"] is None for each in last["task"]["inputs"])
        assert all(one["right"] is None for each in last["task"]["inputs"] for one in each["submissions"])
        after = await desk.hear_text("session")
        assert after["previous"] == {"solved": None, "cause": "answered"}
        assert after["solved"] == 0
