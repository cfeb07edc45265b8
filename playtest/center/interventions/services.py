"""What staff do to one session besides its clocks and station: void an attempt, or add a note.

Each is one transaction that locks the session's row, and leaves an event with the member of staff.
"""

from django.db import transaction

from playtest.center.interventions.models import Void, VoidReason, VoidReversal
from playtest.center.interventions.queries import standing_voids
from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Attempt, EventKind, Session
from playtest.play.sessions.attempts import end_attempt
from playtest.play.sessions.events import log
from playtest.play.sessions.locks import locked_session
from playtest.play.sessions.notifications import notify_after_commit
from playtest.play.sessions.reads import open_attempt
from playtest.rules.attempt import Outcome
from playtest.rules.text import one_line

MOST_CHARACTERS = 300
"""Of a note and of the explanation of a void."""


def void_attempt(attempt: Attempt, staff: Staff, reason: str, text: str = "") -> Void:
    """Voids an attempt, also after its session; one that is open is ended by staff, and the person goes on.

    Refusal: reason_unknown, text_missing (another reason needs an explanation), text_too_long,
    text_not_one_line, voided_already.
    """
    if reason not in VoidReason:
        raise Refusal("reason_unknown", "Choose one of the reasons.", status=400)
    text = checked_text(text, required=reason == VoidReason.OTHER)
    with transaction.atomic():
        session = locked_session(attempt.session_pk)
        if standing_voids().filter(attempt=attempt).exists():
            raise Refusal("voided_already", "This attempt is void already.")
        moment = now()
        if end_attempt(attempt.pk, Outcome.ENDED_BY_STAFF, moment, staff=staff):
            notify_after_commit(session.pk)
        void = Void.objects.create(attempt=attempt, staff=staff, reason=reason, text=text, voided_at=moment)
        _record(session, EventKind.ATTEMPT_VOIDED, staff, attempt, {"reason": reason, "text": text})
    return void


def reverse_void(void: Void, staff: Staff, text: str) -> VoidReversal:
    """Reverses a void, for reviewers; the attempt can be voided again.

    Refusal: text_missing, text_too_long, text_not_one_line, reversed_already.
    """
    text = checked_text(text, required=True)
    with transaction.atomic():
        attempt = Attempt.objects.get(pk=void.attempt_id)
        session = locked_session(attempt.session_pk)
        if VoidReversal.objects.filter(void=void).exists():
            raise Refusal("reversed_already", "Someone has reversed this meanwhile.")
        reversal = VoidReversal.objects.create(void=void, staff=staff, text=text, reversed_at=now())
        _record(session, EventKind.VOID_REVERSED, staff, attempt, {"text": text})
    return reversal


def add_note(session: Session, staff: Staff, text: str) -> None:
    """Adds a note at this moment, also after the session has ended.

    Refusal: text_missing, text_too_long, text_not_one_line.
    """
    text = checked_text(text, required=True)
    with transaction.atomic():
        session = locked_session(session.pk)
        _record(session, EventKind.NOTE_ADDED, staff, open_attempt(session.pk), {"text": text})


def checked_text(text: str, *, required: bool) -> str:
    """The text without spaces around it. Refusal: text_missing, text_too_long, text_not_one_line."""
    text = text.strip()
    if required and not text:
        raise Refusal("text_missing", "Write what happened, in one line.", status=400)
    if len(text) > MOST_CHARACTERS:
        message = f"At most {MOST_CHARACTERS} characters: write less."
        raise Refusal("text_too_long", message, status=400)
    if not one_line(text):
        message = "Write it on one line, with letters and signs only."
        raise Refusal("text_not_one_line", message, status=400)
    return text


def refuse_unless_open(session: Session, attempt_id: int) -> Attempt:
    """The session's open attempt if it is this one; the session stays locked until the transaction ends.

    Refusal: attempt_over. So a page that shows an environment that is over does nothing to the next one.
    """
    attempt = open_attempt(locked_session(session.pk).pk)
    if attempt is None or attempt.pk != attempt_id:
        message = "That environment has ended meanwhile. Nothing was changed: look at what is open now."
        raise Refusal("attempt_over", message)
    return attempt


def _record(
    session: Session, kind: EventKind, staff: Staff, attempt: Attempt | None, details: dict[str, object]
) -> None:
    log(session, kind, attempt=attempt, staff=staff, details=details)
