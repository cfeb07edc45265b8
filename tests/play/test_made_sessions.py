"""Sessions and attempts that tests make at once are those that participants come to step by step."""

from datetime import datetime
from typing import Any

import pytest

from playtest.people.services import new_participant
from playtest.play.models import Attempt, Session
from playtest.play.sessions.attempts import open_next
from playtest.play.sessions.services import (
    answer_survey,
    check_in,
    create_session,
    finish_tutorial,
    give_consent,
)
from tests import make

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def facts(session: Session) -> dict[str, Any]:
    """What is stored of a session, without keys and secrets; of a time, whether there is one."""
    session.refresh_from_db()
    assert session.consent is not None
    assert session.survey is not None
    own = {field.name: getattr(session, field.attname) for field in session._meta.concrete_fields}
    secret = {"id", "participant", "consent", "survey", "code_hash", "seat_hash"}
    return {
        **{name: isinstance(one, datetime) or one for name, one in own.items() if name not in secret},
        "consent": (session.consent.text, session.consent.participant_id == session.participant_id),
        "survey": (session.survey.answers, session.survey.participant_id == session.participant_id),
        "events": [
            (one.kind, one.attempt_id, one.staff_id, one.details) for one in session.events.order_by("pk")
        ],
    }


def test_a_made_session_is_one_that_was_come_to() -> None:
    study = make.study()
    came, code = create_session(study, new_participant(), None)
    came, _ = check_in(code, station=1)
    give_consent(came)
    answer_survey(came, {"age": "18-24"})
    finish_tutorial(came)
    assert facts(make.session(study, answers={"age": "18-24"})) == facts(came)


def test_a_made_attempt_is_one_that_was_assigned() -> None:
    study = make.study()
    assigned, made = open_next(make.session(study)), make.play(make.session(study), [], None)
    fields = {field.attname for field in Attempt._meta.concrete_fields}
    own = fields - {"id", "session_id", "participant_id", "seed", "assigned_at", "first_frame_at"}
    assert {name: getattr(made, name) for name in own} == {name: getattr(assigned, name) for name in own}
