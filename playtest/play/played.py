"""An attempt's journal as a rebuild reads it."""

from dataclasses import dataclass
from datetime import datetime

from engine.actions import Action
from playtest.play.models import Entry


@dataclass(frozen=True, slots=True)
class Played:
    """What a rebuild needs of an attempt's journal: its actions and state hashes, and how it ends.

    The first hash is the opening's; `began` is when that was recorded.
    """

    actions: list[Action]
    hashes: list[bytes]
    began: datetime
    last_time: datetime
    chain: bytes

    @property
    def seq(self) -> int:
        """The seq of the newest entry."""
        return len(self.actions)


def played(attempt_id: int) -> Played | None:
    """An attempt's journal as a rebuild needs it; None before the opening frame."""
    entries = Entry.objects.filter(attempt=attempt_id).order_by("seq")
    rows = list(entries.values_list("action", "x", "y", "state_hash"))
    if not rows:
        return None
    ends = entries.filter(seq__in=(0, len(rows) - 1)).values_list("server_time", "chain")
    (began, _), (last_time, chain) = ends[0], ends[len(ends) - 1]
    return Played(
        actions=[Action(*row[:3]) for row in rows[1:]],
        hashes=[bytes(row[3]) for row in rows],
        began=began,
        last_time=last_time,
        chain=bytes(chain),
    )
