"""What the verification of an attempt found, and where."""

from dataclasses import dataclass

import numpy as np

from engine.frames import Frame

RECORD_CODES = frozenset(
    {
        "gap", "chain_broken", "seal_broken", "not_sealed", "entries_missing", "entries_added",
        "first_frame_differs", "outcome_differs", "identity_differs", "source_changed", "time_implausible",
        "head_differs",
    }
)  # fmt: skip
"""The codes of differences that are found without a replay (`review.record_check`)."""


@dataclass(frozen=True, eq=False)
class Difference:
    """A place where the record was changed, or where a replay differs from it.

    `seq` is the first entry concerned, or the number of entries where the end differs. `facts` names what
    differs: columns of the journal or the attempt, "seq" for a gap, "chain", "seal" or "head". `frame` counts
    from 0 within the turn; `recorded` and `played` are that frame, None where there is none.

    `code` is "differs" where the replay has another turn. Where there is no turn to compare it is
    the engine's own code, payload_malformed, unreadable or host_lost. The record itself: gap, chain_broken,
    seal_broken, not_sealed, entries_missing, entries_added, first_frame_differs, outcome_differs,
    identity_differs, source_changed, time_implausible, head_differs.
    """

    seq: int
    facts: tuple[str, ...]
    recorded_hash: str = ""
    played_hash: str = ""
    frame: int = 0
    recorded: Frame | None = None
    played: Frame | None = None
    code: str = "differs"
    message: str = "The replay differs from what is stored."

    @property
    def cells(self) -> int:
        """How many cells differ between the two frames; every one if a frame is missing."""
        if self.recorded is None or self.played is None:
            return 0 if self.recorded is self.played else 64 * 64
        return int(np.count_nonzero(self.recorded != self.played))


@dataclass(frozen=True, eq=False)
class Verification:
    """The differences of one attempt, by entry; those of the replay before those of the record."""

    attempt_id: int
    checked: int
    differences: tuple[Difference, ...] = ()

    @property
    def difference(self) -> Difference | None:
        """The first difference."""
        return self.differences[0] if self.differences else None

    @property
    def entries(self) -> int:
        """How many entries agree before the first difference."""
        return self.checked if self.difference is None else self.difference.seq
