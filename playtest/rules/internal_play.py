"""Which internal plays the gate to External asks for (decision 132).

The gate counts people, not plays: whoever made an environment cannot see it as somebody who does not know it.
"""

from collections.abc import Iterable
from dataclasses import dataclass

PLAYERS = 2
"""So many members of the team who do not own the environment have to play its current version."""
ACTIONS = 30
"""From so many actions a play counts without a completed level."""


@dataclass(frozen=True, slots=True)
class InternalPlay:
    """What one internal play of a version came to; `player` is the account, by its key."""

    attempt: int
    player: int
    levels: int
    actions: int

    @property
    def counts(self) -> bool:
        """Whether somebody really played: a level was completed, or enough was tried."""
        return self.levels >= 1 or self.actions >= ACTIONS


def plays_that_count(plays: Iterable[InternalPlay], owner: int | None) -> dict[int, InternalPlay]:
    """Of each player but the owner, the first play that counts, in the order given."""
    found: dict[int, InternalPlay] = {}
    for play in plays:
        if play.counts and play.player != owner:
            found.setdefault(play.player, play)
    return found
