"""The hash chain of stored attempts: `play.chain` applied to their rows."""

from playtest.play.chain import seal_value, start_value
from playtest.play.models import Attempt, Entry


def start_of(attempt: Attempt) -> bytes:
    """The value that the attempt's chain begins from; reads its version."""
    return start_value(
        attempt=attempt.pk,
        session=attempt.session_id,
        number=attempt.number,
        game_id=attempt.version.game_id,
        version_digest=attempt.version.digest,
        seed=attempt.seed,
        assigned_at=attempt.assigned_at,
    )


def seal_of(attempt: Attempt) -> bytes:
    """The seal of an ended attempt, over the last chain value that is stored."""
    newest = Entry.objects.filter(attempt=attempt).order_by("-seq").values_list("seq", "chain").first()
    seq, last = newest or (-1, start_of(attempt))
    return seal_after(attempt, bytes(last), seq + 1)


def seal_after(attempt: Attempt, last: bytes, entries: int) -> bytes:
    """The seal of an ended attempt with this number of entries; `last` is the last chain value."""
    if attempt.ended_at is None:
        raise ValueError("only an attempt that has ended is sealed")
    return seal_value(
        last,
        entries=entries,
        first_frame_at=attempt.first_frame_at,
        ended_at=attempt.ended_at,
        outcome=attempt.outcome,
        fault_code=attempt.fault_code,
        fault_message=attempt.fault_message,
    )
