"""Computes the hash chain of every attempt of a package again: a part of `recompute.py`, which runs it.

Every entry's value follows from the one before it and from one line with the facts of the entry, which ends
with the edit where the entry is one of a static task, and with the age of the screen where it is known. The
seal closes an attempt that has ended. The public variant rounds the times that are among the facts, so its
chain cannot be computed.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

import polars as pl

type Row = dict[str, Any]

INPUTS = {"unknown": 0, "key": 1, "key_repeat": 2, "mouse": 3, "touch": 4, "button": 5}
FACTS = (
    "seq", "action", "x", "y", "level", "levels_completed", "level_completed", "state", "available",
    "changed", "state_hash", "frame_count", "frames_digest", "input", "server_time", "client_time",
    "previous_paint_ms",
)  # fmt: skip

END = ("first_frame_at", "ended_at", "outcome", "fault_code", "fault_message")


def chain_differences(tables: dict[str, pl.DataFrame]) -> list[str]:
    """The first entry of each attempt that is not as it was recorded, and ends that are not as sealed."""
    journals = tables["entries"].sort("attempt", "seq").partition_by("attempt", as_dict=True)
    return [
        difference
        for attempt in tables["attempts"].sort("attempt").to_dicts()
        for difference in differences_of(
            attempt, journals[attempt["attempt"],].to_dicts() if (attempt["attempt"],) in journals else []
        )
    ]


def differences_of(attempt: Row, entries: list[Row]) -> Iterator[str]:
    """What differs in one attempt; after a broken entry nothing more is said of it."""
    identity = [attempt[name] for name in ("attempt", "session", "number", "game_id", "version", "seed")]
    value = link(b"", ["attempt 1", *identity, attempt["assigned_at"]])
    for number, entry in enumerate(entries):
        value = link(value, line(entry))
        if entry["seq"] != number or entry["chain"] != value.hex():
            yield f"attempt {attempt['attempt']}: entry {number} is not what was recorded"
            return
    ends = [attempt[name] for name in END]
    if attempt["seal"] is not None and attempt["seal"] != link(value, ["end 1", len(entries), *ends]).hex():
        yield f"attempt {attempt['attempt']}: its end is not what was sealed"


def line(entry: Row) -> list[object]:
    """The facts of an entry."""
    entry = entry | {"input": INPUTS[entry["input"]], "state_hash": entry["state_hash"].removeprefix("h")}
    facts = ["entry 1", *(entry[name] for name in FACTS)]
    if entry["edit"] is not None:
        facts.append(entry["edit"])
    shown = entry["screen_age_ms"], entry["queued_ms"]
    return facts if shown == (None, None) else [*facts, "screen", *shown]


def link(before: bytes, facts: list[object]) -> bytes:
    """The value after these facts."""
    return sha256(before + "|".join(map(written, facts)).encode()).digest()


def written(fact: object) -> str:
    """A fact as the chain has it: nothing if absent, truths as 1 and 0, times as microseconds since 1970."""
    if fact is None:
        return ""
    if isinstance(fact, bool):
        return str(int(fact))
    if isinstance(fact, datetime):
        since = fact.astimezone(UTC) - datetime(1970, 1, 1, tzinfo=UTC)
        return str((since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds)
    return str(fact)
