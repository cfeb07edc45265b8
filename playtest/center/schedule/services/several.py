"""Creates many sessions at once, for people who are new here."""

from django.db import transaction

from playtest.people.models import Staff
from playtest.people.services import new_participant
from playtest.play.errors import Refusal
from playtest.play.models import Session, Study
from playtest.play.sessions.locks import locked_study
from playtest.play.sessions.quota import refuse_without_places
from playtest.play.sessions.services import create_session

USUAL_SESSIONS, MOST_SESSIONS = 20, 200


def create_sessions(study: Study, number: int, staff: Staff | None) -> list[tuple[Session, str]]:
    """Creates sessions, each for a new participant without a reference; all of them or none.

    Returns each with its code, which cannot be read again later. Refusal: number_invalid, no_places, and as
    `create_session`.
    """
    if not 1 <= number <= MOST_SESSIONS:
        raise Refusal("number_invalid", f"Create from 1 to {MOST_SESSIONS} sessions at once.", status=400)
    with transaction.atomic():
        locked_study(study.pk)
        refuse_without_places(study, number)
        return [create_session(study, new_participant(), staff, has_place=True) for _ in range(number)]
