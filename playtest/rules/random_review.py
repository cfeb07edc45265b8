"""Which unflagged sessions are reviewed all the same: a random share, drawn from how they ended."""

from collections.abc import Sequence
from hashlib import sha256

_STEPS = 2**64


def is_drawn(session: int, seals: Sequence[bytes], share: float) -> bool:
    """Whether a session that has ended belongs to the random `share` (0..1) to be reviewed.

    `seals` close the hash chains of its attempts (docs/journal.md). They depend on the time of every action,
    so nobody knows before the end whether a session is drawn, and nobody can choose it; afterwards everyone
    with the record finds the same. Drawn at a share, a session is drawn at every larger one. A session
    without attempts is never drawn: nothing can be watched.
    """
    if not seals:
        return False
    digest = sha256(f"playtest review {session}\n".encode() + b"".join(sorted(seals))).digest()
    return int.from_bytes(digest[:8]) / _STEPS < share
