"""What a wall knows: boards from turns that may be lost or late, connections, what viewers are told."""

import json
from base64 import b64decode
from datetime import datetime, timedelta
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.play.frames import Frame, decode
from playtest.center.wall.facts import OpenAttempt
from playtest.center.wall.news import (
    NO_BASE,
    TurnNews,
    pack_paints,
    pack_present,
    pack_turns,
    unpack_paints,
    unpack_present,
    unpack_turns,
)
from playtest.center.wall.state import WallState
from playtest.play.sessions.reads import Stage
from playtest.rules.adjustments import Adjustments, Pause
from playtest.rules.kinds import Kind
from playtest.rules.limits import Away
from tests.center.wall.worlds import NOW, facts, frame, turn

T = NOW.timestamp()
EVERYBODY = set(range(10))


def wall(*sessions: int) -> WallState:
    """A wall with sessions that play, connected to one process; viewers know everything."""
    state = WallState()
    state.take_facts({pk: facts(pk) for pk in sessions})
    state.take_present("one", pack_present((pk, 20) for pk in sessions), T)
    for pk in sessions:
        state.take_turn(turn(pk, 0, [frame(5)]))
    state.settle(T, everything=True)
    return state


def told(state: WallState, at: float = T, *, everything: bool = False) -> dict[str, dict[str, Any]]:
    """What viewers are told now who had every session in view before, by key."""
    changed, _ = state.settle(at, everything=everything)
    found: dict[str, dict[str, Any]] = {}
    for news in map(json.loads, [*changed, *state.in_view(EVERYBODY, EVERYBODY)]):
        found.setdefault(news["key"], {}).update(news)
    return found


def board_of(state: WallState, session: int = 1) -> Frame:
    """The board that somebody is told who comes to see a session."""
    (text,) = state.in_view({session}, set())
    return decode(b64decode(json.loads(text)["board"]), None)[-1]


def test_viewers_are_told_only_what_changed() -> None:
    state = wall(1, 2)
    assert told(state) == {}
    state.take_turn(turn(1, 1, [frame(5, 7)], frame(5)))
    news = told(state)
    assert news.keys() == {"session-1"}
    assert news["session-1"].keys() == {"key", "level", "actions", "acted_at", "round_trip_ms", "board"}
    assert len(b64decode(news["session-1"]["board"])) == 4  # one cell


def test_what_a_viewer_has_in_view_is_told_whole_and_then_as_it_goes_on() -> None:
    state = wall(1, 2)
    told(state)
    assert {json.loads(text)["key"] for text in state.in_view({1, 2}, {1})} == {"session-2"}
    state.take_turn(turn(1, 1, [frame(5, 7)], frame(5)))
    state.take_turn(turn(2, 1, [frame(5, 9)], frame(5)))
    assert state.settle(T, everything=False) == ([], [])
    (news,) = map(json.loads, state.in_view({1}, {1}))
    assert np.array_equal(decode(b64decode(news["board"]), frame(5))[-1], frame(5, 7))
    assert state.in_view(set(), {1, 2}) == []
    told(state)
    assert np.array_equal(board_of(state, 2), frame(5, 9))


def test_a_new_environment_is_told_to_who_sees_the_session() -> None:
    state = wall(1)
    state.take_turn(turn(1, 0, [frame(3)], attempt=2))
    assert told(state)["session-1"]["board"] is None
    attempt = facts(1).attempt
    assert attempt is not None
    state.take_facts({1: facts(1, attempt=attempt._replace(pk=9, number=2))})
    news = told(state)["session-1"]
    assert np.array_equal(decode(b64decode(news["board"]), None)[-1], frame(3))


def test_many_turns_that_nobody_sees_are_one_board_in_the_end() -> None:
    state, board = wall(1), frame(5)
    for seq in range(1, 1500):
        after = frame(5, seq)
        state.take_turn(turn(1, seq, [after], board))
        board = after
    assert len(b64decode(told(state)["session-1"]["board"])) < 12_000
    assert np.array_equal(board_of(state), board)


def test_a_turn_that_changes_no_cell_sends_no_cell() -> None:
    state = wall(1)
    state.take_turn(turn(1, 1, [frame(5)], frame(5)))
    assert b64decode(told(state)["session-1"]["board"]) == b"\x00\x80", "no run"


def test_a_turn_that_does_not_follow_makes_the_board_missing() -> None:
    state = wall(1)
    state.take_turn(turn(1, 3, [frame(5, 7)], frame(5)))
    assert state.missing == {1}
    assert told(state)["session-1"]["board"] is None
    state.take_turn(turn(1, 3, [frame(5, 7)]))
    assert told(state)["session-1"]["board"] is not None


def test_news_of_a_session_that_is_not_read_yet_is_kept() -> None:
    state = WallState()
    state.take_turn(turn(4, 0, [frame(5)]))
    state.take_facts({4: facts(4)})
    assert told(state)["session-4"]["actions"] == 0
    assert np.array_equal(board_of(state, 4), frame(5))


def test_news_of_an_earlier_attempt_is_not_shown() -> None:
    state = wall(1)
    attempt = facts(1).attempt
    assert attempt is not None
    state.take_facts({1: facts(1, attempt=attempt._replace(pk=9, number=2))})
    news = told(state)["session-1"]
    assert (news["number"], news["actions"], news["board"]) == (2, None, None)


CELLS = st.lists(st.integers(0, 4095), max_size=3)
FATES = st.sampled_from(["arrives", "is lost", "comes twice", "comes after a keyframe"])


@given(st.lists(st.tuples(CELLS, FATES), max_size=11))
def test_the_board_is_right_whatever_is_lost_repeated_or_late(turns: list[tuple[list[int], str]]) -> None:
    state, boards = wall(1), [frame(5)]
    for seq, (cells, fate) in enumerate([*turns, ([0], "arrives")], start=1):
        boards.append(boards[-1].copy())
        boards[-1].reshape(4096)[cells] = seq
        if fate == "comes after a keyframe":
            state.take_turn(turn(1, seq, [boards[-1]]))
        for _ in range({"is lost": 0, "comes twice": 2}.get(fate, 1)):
            state.take_turn(turn(1, seq, [boards[-1]], boards[-2]))
    if state.missing:
        state.take_turn(turn(1, len(boards) - 1, [boards[-1]]))
    told(state)
    assert np.array_equal(board_of(state), boards[-1])


def test_several_turns_at_once_may_begin_before_the_known_board() -> None:
    state, one, two, three = wall(1), frame(5, 1), frame(5, 1, 2), frame(5, 2)
    state.take_turn(turn(1, 2, [two]))
    state.take_turn(turn(1, 3, [one, two, three], frame(5)))
    told(state)
    assert np.array_equal(board_of(state), three)


def test_a_connection_is_lost_when_its_process_no_longer_names_it() -> None:
    state = wall(1, 2)
    state.take_present("one", pack_present([(2, 20)]), T + 1)
    news = told(state, T + 1)["session-1"]
    assert (news["link"], news["link_since"], "urgent" in news) == ("lost", round((T + 1) * 1000), False)
    assert told(state, T + 5, everything=True)["session-1"]["urgent"]


def test_clocks_stand_still_while_a_connection_is_away_until_what_is_recorded_of_it_is_read() -> None:
    state, since = wall(1), NOW - timedelta(seconds=4)
    known: dict[str, Any] = {"away": Away(300, 3), "attempt": facts(1).attempt}
    state.take_facts({1: facts(1, **known)})
    state.take_present("one", pack_present([]), T + 1)
    told(state, T + 1)
    state.take_last_sign(1, since)
    ends = since + timedelta(seconds=300)
    assert told(state, T + 2)["session-1"]["away"] == [[milliseconds(since), milliseconds(ends)]]
    state.take_present("one", pack_present([(1, 20)]), T + 60)
    back = NOW + timedelta(seconds=60)
    assert told(state, T + 60)["session-1"]["away"] == [[milliseconds(since), milliseconds(back)]]
    zero = facts(1).checked_in_at + (back - since)
    state.take_facts({1: facts(1, **known, adjustments=Adjustments((Pause(since, back, own=True),)))})
    news = told(state, T + 61)["session-1"]
    assert (news["away"], news["session_zero"]) == ([], milliseconds(zero))
    state.take_present("one", pack_present([]), T + 70)
    told(state, T + 70)
    state.take_present("one", pack_present([(1, 20)]), T + 72)
    assert told(state, T + 72)["session-1"]["away"] == [], "too short to be excused"


def milliseconds(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)


def test_a_process_that_says_nothing_does_not_answer() -> None:
    state = wall(1)
    news = told(state, T + 6, everything=True)["session-1"]
    assert (news["link"], news["needs"][0]["code"]) == ("silent", "server_silent")
    state.take_present("other", pack_present([(1, None)]), T + 7)
    assert told(state, T + 7)["session-1"]["link"] == "connected"


def test_pages_without_a_socket_are_not_lost() -> None:
    state = WallState()
    state.take_facts({1: facts(1, Stage.CONSENT)})
    assert told(state, T + 60)["session-1"]["link"] == "none"


def test_time_alone_gives_reasons() -> None:
    state = wall(1)
    state.take_turn(turn(1, 1, [frame(5)], frame(5), acted_at=T))
    state.take_present("one", pack_present([(1, 20)]), T + 121)
    assert [need["label"] for need in told(state, T + 121, everything=True)["session-1"]["needs"]] == [
        "no action"
    ]


def test_who_thinks_at_a_static_task_is_left_alone_for_minutes() -> None:
    state = WallState()
    attempt = OpenAttempt(1, 1, "d98105bc", 2, NOW - timedelta(minutes=1), Kind.TASK)
    state.take_facts({1: facts(1, attempt=attempt)})
    state.take_turn(turn(1, 1, [frame(5)], frame(5), acted_at=T))
    state.take_present("one", pack_present([(1, 20)]), T + 121)
    tile = told(state, T + 121, everything=True)["session-1"]
    assert (tile["part"], tile["act"], tile["needs"]) == ("test input", "edit", [])
    state.take_present("one", pack_present([(1, 20)]), T + 361)
    assert told(state, T + 361, everything=True)["session-1"]["needs"][0]["code"] == "no_action"


def test_clocks_stand_still_in_a_pause_and_go_on_after_it() -> None:
    state, paused = wall(1), NOW - timedelta(seconds=40)
    state.take_facts({1: facts(1, adjustments=Adjustments((Pause(paused),)))})
    assert told(state)["session-1"] == {"key": "session-1", "paused_at": round(paused.timestamp() * 1000)}
    before = json.loads(state.snapshot()[0])
    ended = Adjustments((Pause(paused, paused + timedelta(seconds=30)),))
    state.take_facts({1: facts(1, adjustments=ended)})
    news = told(state)["session-1"]
    assert news["paused_at"] is None
    assert news["environment_zero"] - before["environment_zero"] == 30_000
    assert news["session_zero"] - before["session_zero"] == 30_000


def test_a_call_comes_before_everything_and_says_since_when() -> None:
    state = wall(1)
    state.take_facts({1: facts(1, called_at=NOW - timedelta(seconds=30), fault=False)})
    news = told(state)["session-1"]
    assert (news["rank"], news["urgent"]) == (0, True)
    assert news["needs"] == [{"code": "calls", "label": "calls a proctor", "since": round((T - 30) * 1000)}]


def test_rooms_are_told() -> None:
    state = wall(1)
    state.take_stations({1: "North"}, {7: {"session": None, "station": 7, "room": "North", "stage": "ready"}})
    news = told(state)
    assert news["session-1"]["room"] == "North"
    assert news["station-7"]["stage"] == "ready"
    state.take_stations({1: "North"}, {})
    assert state.settle(T, everything=False) == ([], ["station-7"])


def test_a_session_that_is_over_leaves() -> None:
    state = wall(1)
    state.take_facts({})
    assert state.settle(T, everything=False) == ([], ["session-1"])
    assert state.snapshot() == []


def test_damaged_frames_make_the_board_missing() -> None:
    state = wall(1)
    state.take_turn(turn(1, 1, [frame(5, 3)], frame(5))._replace(frames=b"\x07"))
    assert state.missing == {1}


@given(
    st.lists(
        st.builds(
            TurnNews,
            session=st.integers(0, 2**32 - 1),
            attempt=st.integers(0, 2**16 - 1),
            base=st.integers(NO_BASE, 2**31 - 1),
            seq=st.integers(0, 2**32 - 1),
            level=st.integers(0, 255),
            levels_completed=st.integers(0, 255),
            state=st.integers(0, 2),
            acted_at=st.floats(0, 1e10),
            frames=st.binary(max_size=50),
        )
    )
)
def test_news_are_unpacked_as_they_were_packed(news: list[TurnNews]) -> None:
    assert list(unpack_turns(pack_turns(news))) == news


@given(st.dictionaries(st.integers(0, 2**32 - 1), st.none() | st.integers(0, 60_000)))
def test_presence_is_unpacked_as_it_was_packed(present: dict[int, int | None]) -> None:
    assert unpack_present(pack_present(present.items())) == present


def test_the_rooms_lag_names_the_station_that_is_slow() -> None:
    state = WallState()
    state.take_facts({pk: facts(pk, station=pk) for pk in (1, 2, 3)})
    state.take_stations({1: "North", 2: "North", 3: "South"}, {})
    state.take_present("one", pack_present((pk, 20) for pk in (1, 2)), T)
    state.take_paints("one", unpack_paints(pack_paints([(1, [20] * 8), (2, [150] * 8), (3, []), (9, [1])])))
    state.settle(T, everything=True)
    assert state.lag()["North"] == {"presses": 16, "p50": 20, "p95": 150, "slow": [2]}
    assert state.lag().keys() == {"", "North"}, "nobody has pressed in the other room"
