"""Which questions a participant's page asks after an environment, and the signature that lets it answer them.

The answers may arrive when the next person has sat down already, because the last page frees the seat. So
what may be answered is said by a signed token that the page got, and not by the seat.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.core import signing
from django.db import transaction

from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Attempt, Debrief, Session
from playtest.play.sessions.locks import locked_attempt
from playtest.rules.debrief import ABOUT_WHAT, HOW_HARD, MOST_LETTERS, STEPS, Answers, is_asked

ANSWERABLE_FOR = timedelta(minutes=30)
"""So long after a page has asked, it may answer."""
_SALT = "playtest.play.debriefs"


QUESTIONS = {
    "how_hard": HOW_HARD,
    "steps": tuple(STEPS.items()),
    "about_what": ABOUT_WHAT,
    "most_letters": MOST_LETTERS,
}
"""The questions, for templates/play/debrief.html."""


@dataclass(frozen=True)
class Asked:
    """The questions about one attempt, by its number in the session, and what was answered so far."""

    number: int
    token: str
    answers: Answers


def questions_of(session: Session) -> dict[str, Any] | None:
    """The questions that the session's protocol asks after each environment; None if it asks none."""
    return QUESTIONS if session.prescribed.debrief else None


def asked_about(attempt: Attempt | None) -> Asked | None:
    """What a page asks after this attempt of a session; None where it asks nothing."""
    if attempt is None or attempt.ended_at is None or not attempt.session.prescribed.debrief:
        return None
    if not is_asked(attempt.outcome, attempt.actions):
        return None
    known = Debrief.objects.filter(attempt=attempt).first()
    answers = Answers(known.difficulty, known.about) if known else Answers()
    return Asked(attempt.number, signing.dumps(attempt.pk, salt=_SALT), answers)


def attempt_of(token: str) -> int:
    """The id of the attempt that a token is about. Refusal: debrief_unknown (403), debrief_over."""
    try:
        return int(signing.loads(token, salt=_SALT, max_age=ANSWERABLE_FOR))
    except signing.SignatureExpired as error:
        raise Refusal("debrief_over", "These questions are no longer open.") from error
    except signing.BadSignature as error:
        raise Refusal("debrief_unknown", "These questions are not known here.", status=403) from error


def answer_debrief(attempt_id: int, answers: Answers) -> None:
    """The answers about an attempt, in place of those before; none at all removes them.

    Refusal: debrief_over.
    """
    with transaction.atomic():
        try:
            locked_attempt(attempt_id)
        except Attempt.DoesNotExist as error:  # consent was withdrawn
            raise Refusal("debrief_over", "These questions are no longer open.") from error
        if answers == Answers():
            Debrief.objects.filter(attempt_id=attempt_id).delete()
            return
        said = {"difficulty": answers.difficulty, "about": answers.about, "answered_at": now()}
        Debrief.objects.update_or_create(attempt_id=attempt_id, defaults=said)
