"""Queries about sessions for proctors."""

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Count, Q, QuerySet

from playtest.play.models import NOTHING_TO_PLAY, Session, SessionEnd
from playtest.play.sessions.reads import Stage, stages
from playtest.rules.attempt import Outcome

_STAGE_DESCRIPTIONS = {
    Stage.CONSENT: "reads the consent",
    Stage.SURVEY: "answers the survey",
    Stage.TUTORIAL: "is in the tutorial",
    Stage.PLAYING: "plays",
    Stage.PAUSE: "is between environments",
    Stage.OVER: "is over",
}


def sessions() -> QuerySet[Session]:
    """All sessions, newest first, with counts of `begun` and `solved` environments and of `faults`."""
    return (
        Session.objects.select_related("study", "participant", "protocol")
        .annotate(
            begun=Count("attempts"),
            solved=Count("attempts", filter=Q(attempts__outcome=Outcome.COMPLETED)),
            faults=Count("attempts", filter=Q(attempts__outcome=Outcome.FAULT)),
        )
        .order_by("-created_at", "-pk")
    )


def describe_stage(session: Session, now: datetime) -> str:
    """The session's stage, as the end of a sentence that begins with the participant."""
    return describe_stages([session], now)[session.pk]


def describe_stages(sessions: Sequence[Session], now: datetime) -> dict[int, str]:
    """The same of each of these sessions, with two reads for all."""
    reached = stages(sessions, now)
    return {session.pk: _describe(session, reached[session.pk]) for session in sessions}


def _describe(session: Session, reached: Stage) -> str:
    if session.ended_at is not None:
        return f"ended: {SessionEnd(session.end_reason).label}"
    if session.checked_in_at is None:
        return "has not checked in"
    if session.paused_at is not None:
        return "is paused"
    return _STAGE_DESCRIPTIONS[reached]


def nothing_played(session: Session) -> bool:
    """Whether the study became full before this participant's first environment opened."""
    return session.end_reason in NOTHING_TO_PLAY and not session.attempts.exists()
