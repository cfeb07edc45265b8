"""The hash chain follows docs/journal.md, computed here by hand."""

from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.play.journal.entries import entry_value, microseconds, seal_value, start_value
from playtest.play.models import Entry

NOON = datetime(2026, 3, 1, 12, 0, 0, 7, tzinfo=UTC)
NOON_US = 1_772_366_400_000_007
FRAMES = b"frames"


def entry(**changes: Any) -> Entry:
    facts: dict[str, Any] = {
        "attempt_id": 3, "seq": 12, "action": 6, "x": 3, "y": 60, "level": 2, "levels_completed": 1,
        "level_completed": True, "state": "NOT_FINISHED", "available": 127, "changed": False,
        "state_hash": b"\x01" * 8, "frame_count": 2, "input_kind": 3, "server_time": NOON,
        "client_time": NOON - timedelta(milliseconds=1), "previous_paint_ms": 17, "screen_age_ms": 900,
        "queued_ms": 0,
    }  # fmt: skip
    return Entry(**(facts | changes))


ENTRY = entry()


def by_hand(before: bytes, line: str) -> bytes:
    return sha256(before + line.encode()).digest()


def test_the_chain_value_of_an_entry_with_every_fact() -> None:
    line = (
        f"entry 1|12|6|3|60|2|1|1|NOT_FINISHED|127|0|{'01' * 8}|2|{sha256(FRAMES).hexdigest()}|3|"
        f"{NOON_US}|{NOON_US - 1000}|17|screen|900|0"
    )
    assert entry_value(b"b" * 32, ENTRY, FRAMES) == by_hand(b"b" * 32, line)


def test_absent_facts_are_empty_in_the_chain_value() -> None:
    opening = entry(
        seq=0,
        action=0,
        x=None,
        y=None,
        client_time=None,
        previous_paint_ms=None,
        screen_age_ms=None,
        queued_ms=None,
        level_completed=False,
    )
    line = f"entry 1|0|0|||2|1|0|NOT_FINISHED|127|0|{'01' * 8}|2|{sha256(FRAMES).hexdigest()}|3|{NOON_US}||"
    assert entry_value(b"", opening, FRAMES) == by_hand(b"", line)


def test_the_chain_values_of_the_identity_and_the_end() -> None:
    start = start_value(
        attempt=3, session=2, number=1, game_id="wk01-a", version_digest="ab", seed=9, assigned_at=NOON
    )
    assert start == by_hand(b"", f"attempt 1|3|2|1|wk01-a|ab|9|{NOON_US}")
    seal = seal_value(
        start,
        entries=0,
        first_frame_at=None,
        ended_at=NOON,
        outcome="fault",
        fault_code="c",
        fault_message="a|ä",
    )
    assert seal == by_hand(start, f"end 1|0||{NOON_US}|fault|c|a|ä")


CHANGES: dict[str, Any] = {
    "seq": 13, "action": 5, "x": 4, "y": None, "level": 3, "levels_completed": 2, "level_completed": False,
    "state": "WIN", "available": 126, "changed": True, "state_hash": b"\x02" * 8, "frame_count": 3,
    "input_kind": 1, "server_time": NOON + timedelta(microseconds=1), "client_time": None,
    "previous_paint_ms": None, "screen_age_ms": None, "queued_ms": 40,
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_every_stored_fact_changes_the_chain_value(name: str) -> None:
    value = entry_value(b"", ENTRY, FRAMES)
    assert entry_value(b"", entry(**{name: CHANGES[name]}), FRAMES) != value


def test_the_previous_value_and_the_frames_change_the_chain_value() -> None:
    values = {entry_value(b"", ENTRY, FRAMES), entry_value(b"a", ENTRY, FRAMES), entry_value(b"", ENTRY, b"")}
    assert len(values) == 3


EARLIEST, LATEST = datetime(1960, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)


@given(st.integers(microseconds(EARLIEST), microseconds(LATEST)))
def test_microseconds_are_exact(counted: int) -> None:
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=counted)
    assert microseconds(moment) == counted
