"""Whether what repeats the record agrees with it: summaries, pauses, level results, pay."""

from collections.abc import Iterator, Sequence

from playtest.center.pay.queries.check import differences
from playtest.insight.compute.journal import wrong_results
from playtest.operation.audit.finding import Finding
from playtest.play.models import Attempt, Session
from playtest.play.sessions.summaries import wrong_pauses, wrong_summaries

WAITS = "not_posted"
"""Pay that a worker has still to post is late, and not wrong."""


def of_attempts(attempts: Sequence[int]) -> Iterator[Finding]:
    """Summaries and level results of these attempts that differ from what `manage.py rebuild` computes."""
    chosen = Attempt.objects.filter(pk__in=attempts)
    for attempt in wrong_summaries(chosen):
        message = f"The summary of attempt {attempt} is not what its journal says: run manage.py rebuild."
        yield Finding("summary_differs", message, attempt)
    for attempt, message in wrong_results(chosen):
        yield Finding("results_differ", message, attempt)


def of_sessions() -> Iterator[Finding]:
    """Sessions that are not paused as their events say, and pay that does not add up."""
    for session in wrong_pauses(Session.objects.all()):
        message = f"Session {session.pk} is not paused as its events say: run manage.py rebuild."
        yield Finding("pause_differs", message)
    for one in differences():
        if one.code != WAITS:
            yield Finding(one.code, one.sentence)
