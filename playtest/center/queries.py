"""Reads of sessions for the people who run them."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db.models import Count, Q, QuerySet

from playtest.play.models import NOTHING_TO_PLAY, Session, SessionEnd
from playtest.play.queries import Stage, stage
from playtest.rules.attempt import Outcome
from playtest.rules.pay import Pay

_STAGE_WORDS = {
    Stage.CONSENT: "reads the consent",
    Stage.SURVEY: "answers the survey",
    Stage.TUTORIAL: "is in the tutorial",
    Stage.PLAYING: "plays",
    Stage.PAUSE: "is between environments",
    Stage.OVER: "is over",
}


@dataclass(frozen=True)
class Owed:
    """What a session is paid: the fee and a bonus for each environment solved."""

    fee: Decimal
    bonus: Decimal
    solved: int
    total: Decimal


def sessions() -> QuerySet[Session]:
    """Every session, newest first, with `begun` environments, those `solved` and the `faults` in them."""
    return (
        Session.objects.select_related("study", "participant")
        .annotate(
            begun=Count("attempts"),
            solved=Count("attempts", filter=Q(attempts__outcome=Outcome.COMPLETED)),
            faults=Count("attempts", filter=Q(attempts__outcome=Outcome.FAULT)),
        )
        .order_by("-created_at", "-pk")
    )


def stage_words(session: Session, now: datetime) -> str:
    """Where the sitting stands, to follow "The participant"."""
    if session.ended_at is not None:
        return f"ended: {SessionEnd(session.end_reason).label}"
    if session.checked_in_at is None:
        return "has not checked in"
    return _STAGE_WORDS[stage(session, now)]


def nothing_played(session: Session) -> bool:
    """Whether somebody came, and the last place was taken before their first environment opened."""
    return session.end_reason in NOTHING_TO_PLAY and not session.attempts.exists()


def owed(session: Session) -> Owed | None:
    """None until consent is given: without it there was no session to pay.

    Who gave it is owed the fee, also if nothing was left to play then: it pays for coming.
    """
    if session.consent_id is None:
        return None
    solved = session.attempts.filter(outcome=Outcome.COMPLETED).count()
    fee, bonus = session.study.fee, session.study.bonus
    return Owed(fee, bonus, solved, Pay(fee, bonus).of_session(solved))
