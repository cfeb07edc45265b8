"""How a study's sessions were reviewed, and how far independent reviewers agree."""

from collections import Counter
from dataclasses import dataclass

from django.db.models import QuerySet

from playtest.play.models import Session, Study
from playtest.review.models import Decision, DecisionKind, Opening
from playtest.review.queries import decisions, queue
from playtest.rules.agreement import Agreement, agreement

KEEP, PART, SESSION = "keep everything", "exclude a part", "exclude the session"
CLASSES = (KEEP, PART, SESSION)
"""The classes of a verdict whose agreement is measured."""

_CLASS_OF = {DecisionKind.KEEP: KEEP, DecisionKind.EXCLUDE_SESSION: SESSION}


@dataclass(frozen=True)
class Reviewed:
    """How many sessions are to be reviewed for one reason, and about how many a decision is in force."""

    sessions: int
    decided: int


@dataclass(frozen=True)
class ReviewReport:
    """The reviews of one study: sessions that have ended, of real people, or simulated ones in a rehearsal.

    `flagged` are those that their flags open, `drawn` those of the `unflagged` that the random draw hits.
    `pairs` counts (first verdict, second verdict), `agreement` is computed from them, and `blind` from those
    of which both were given blind. `second` and `third` are sessions that wait for such a reviewer.
    """

    study: Study
    ended: int
    unflagged: int
    flagged: Reviewed
    drawn: Reviewed
    pairs: Counter[tuple[str, str]]
    agreement: Agreement
    blind: Agreement
    second: int
    third: int


def review_report(study: Study) -> ReviewReport:
    """How the sessions of a study were reviewed so far. It reveals no verdict that waits for a second."""
    ended = study.sessions.filter(ended_at__isnull=False, participant__simulated=study.rehearsal)
    total = ended.count()
    flagged = queue.flagged(ended)
    drawn = queue.drawn(ended, decided=True) - flagged
    settled = set(decisions.in_force().filter(session__in=ended).values_list("session", flat=True))
    judged = verdict_pairs(ended)
    pairs = [pair for pair, _ in judged]
    return ReviewReport(
        study,
        total,
        total - len(flagged),
        Reviewed(len(flagged), len(flagged & settled)),
        Reviewed(len(drawn), len(drawn & settled)),
        Counter(pairs),
        agreement(pairs),
        agreement(pair for pair, blind in judged if blind),
        decisions.waiting().filter(session__in=ended).count(),
        decisions.disputed().filter(session__in=ended).count(),
    )


def verdict_pairs(sessions: QuerySet[Session]) -> list[tuple[tuple[str, str], bool]]:
    """The classes of the first and the second verdict about each session that two people have judged.

    With each pair, whether both were given blind. Only the first pair about a session: whoever judges it
    again has read the earlier verdicts. Left out are pairs from before second verdicts were asked for
    whatever the first one was, and after a reversal.
    """
    seconds = (
        Decision.objects.filter(session__in=sessions, answers__isnull=False)
        .exclude(answers__opened_by__in=("", Opening.REVERSAL))
        .order_by("pk")
    )
    found: dict[int, tuple[tuple[str, str], bool]] = {}
    columns = ("session", "answers__kind", "kind", "answers__blind", "blind")
    for session, first, second, *blind in seconds.values_list(*columns):
        found.setdefault(session, ((_class_of(first), _class_of(second)), all(blind)))
    return list(found.values())


def _class_of(kind: str) -> str:
    return _CLASS_OF.get(DecisionKind(kind), PART)
