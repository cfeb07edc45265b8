"""What an audit finds."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it must be. `attempt` and `seq` say where, if it has such a place.

    The codes are those of `review.verification_result` and `review.queries.signed_days`, and
    attempt_missing, twice, summary_differs, pause_differs, results_differ, pay_differs, owed_below_zero,
    batch_differs; of turns that a client was given: acknowledged_unreadable, acknowledged_missing,
    acknowledged_twice, sent_differs, answer_differs.
    """

    code: str
    message: str
    attempt: int | None = None
    seq: int | None = None
