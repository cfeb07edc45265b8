"""The wall reads whole only the sessions that changed, and knows the same as if it had read all of them."""

from collections.abc import Callable

import pytest

from playtest.center.wall.facts import FactsReader
from playtest.people.models import Staff
from playtest.people.roles import Role
from playtest.play.clock import now
from playtest.play.models import Attempt, Session, SessionEnd
from playtest.play.sessions.attempts import end_attempt, open_next, set_first_frame
from playtest.play.sessions.clocks import change, granting, pausing, resuming
from playtest.play.sessions.ends import end_session
from playtest.play.sessions.events import answer_call, call_proctor
from playtest.rules.attempt import Outcome
from tests import make
from tests import staff as accounts

pytestmark = pytest.mark.django_db

type Change = Callable[[Session, Staff], object]


def open_attempt(session: Session) -> Attempt:
    return Attempt.objects.get(session=session, ended_at=None)


CHANGES: list[Change] = [
    lambda session, _: open_next(session),
    lambda session, _: set_first_frame(open_attempt(session).pk, now()),
    lambda session, _: call_proctor(session),
    lambda session, staff: answer_call(session, staff),
    lambda session, staff: change(session, staff, pausing("fire alarm")),
    lambda session, staff: change(session, staff, resuming()),
    lambda session, staff: change(
        session, staff, granting(60, environment=True, session_too=True, reason="slow")
    ),
    lambda session, _: Session.objects.filter(pk=session.pk).update(station=9),
    lambda session, _: end_attempt(open_attempt(session).pk, Outcome.FAULT, now()),
    lambda session, _: end_session(session, SessionEnd.ENDED_BY_STAFF),
]


def test_every_change_is_seen_and_the_others_are_not_read_again() -> None:
    study = make.study(pool=[make.environment()])
    session, other = make.session(study), make.session(study)
    staff, reader = accounts.staff(Role.PROCTOR), FactsReader()
    before = reader.read(now())
    assert before.keys() == {session.pk, other.pk}
    for make_change in CHANGES:
        session.refresh_from_db()
        make_change(session, staff)
        after = reader.read(now())
        assert after[session.pk] != before[session.pk]
        assert after[other.pk] is before[other.pk]
        assert after == FactsReader().read(now())
        before = after
    study.name = "Another name"
    study.save()
    assert {facts.study for facts in reader.read(now()).values()} == {"Another name"}


def test_who_was_imported_was_never_in_the_room() -> None:
    study = make.study(pool=[make.environment()])
    here, imported = make.session(study), make.session(study)
    end_session(here, SessionEnd.ENDED_BY_STAFF)
    end_session(imported, SessionEnd.IMPORTED)
    assert FactsReader().read(now()).keys() == {here.pk}
