"""An attempt's journal as a rebuild reads it, and what was added to it since a game was played."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from engine.actions import Action
from engine.tasks.edits import Edit, edit_in
from playtest.play.models import Entry


@dataclass(frozen=True, slots=True)
class RecordedPlay:
    """What a rebuild needs of an attempt's journal: its actions or edits, state hashes, and how it ends.

    The first hash is the opening's; `began` is when that was recorded.
    """

    actions: list[Any]
    hashes: list[bytes]
    began: datetime
    last_time: datetime
    chain: bytes

    @property
    def seq(self) -> int:
        """The seq of the newest entry."""
        return len(self.actions)


def recorded_action(action: int, x: int | None, y: int | None, edit: str | None) -> Action | Edit:
    """The action of an entry, or the edit of a static task's. Raises TaskError if that cannot be read."""
    return Action(action, x, y) if edit is None else edit_in(edit)


def recorded_play(attempt_id: int) -> RecordedPlay | None:
    """An attempt's journal as a rebuild needs it; None before the opening frame."""
    entries = Entry.objects.filter(attempt=attempt_id).order_by("seq")
    rows = list(entries.values_list("action", "x", "y", "edit", "state_hash"))
    if not rows:
        return None
    ends = entries.filter(seq__in=(0, len(rows) - 1)).values_list("server_time", "chain")
    (began, _), (last_time, chain) = ends[0], ends[len(ends) - 1]
    return RecordedPlay(
        actions=[recorded_action(*row[:4]) for row in rows[1:]],
        hashes=[bytes(row[4]) for row in rows],
        began=began,
        last_time=last_time,
        chain=bytes(chain),
    )


@dataclass(frozen=True, slots=True)
class RecordedSince:
    """What was played after an entry: actions with their state hashes, and how the journal ends."""

    actions: list[Any]
    hashes: list[bytes]
    seq: int
    last_time: datetime
    chain: bytes


def recorded_since(attempt_id: int, seq: int, chain: bytes) -> RecordedSince | None:
    """What was played after entry `seq`; None if the chain of the journal has another value there."""
    entries = Entry.objects.filter(attempt=attempt_id, seq__gte=seq).order_by("seq")
    facts = ("action", "x", "y", "edit", "state_hash", "seq", "server_time", "chain")
    rows = list(entries.values_list(*facts))
    if not rows or bytes(rows[0][-1]) != chain:
        return None
    *_, newest, last_time, last_chain = rows[-1]
    return RecordedSince(
        actions=[recorded_action(*row[:4]) for row in rows[1:]],
        hashes=[bytes(row[4]) for row in rows[1:]],
        seq=newest,
        last_time=last_time,
        chain=bytes(last_chain),
    )
