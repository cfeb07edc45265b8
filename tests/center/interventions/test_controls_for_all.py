"""Controls for everybody, for one room and for one slot."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from playtest.center.models import Booking, BookingKind, Slot, Station
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.clock import now
from playtest.play.models import Attempt, Event, EventKind, Session, SessionEnd
from playtest.play.sessions.clocks import pause
from playtest.play.sessions.ends import end_session
from playtest.play.sessions.services import create_session
from playtest.rules.attempt import Outcome
from tests import make
from tests.staff import staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def use(client: Client, control: str, **fields: Any) -> str:
    """Sends a form as the wall does, and returns what it says."""
    address = reverse(f"center:room-{control}")
    return str(client.post(address, fields, headers={"X-Fragment": "controls"}).content.decode())


def room(sessions: int, playing: int = 0) -> list[Session]:
    """Sessions of one study, the first ones with an open environment; each at a station of its own."""
    study = make.study(people=100)
    found = [make.session(study) for _ in range(sessions)]
    for number, session in enumerate(found, start=1):
        Session.objects.filter(pk=session.pk).update(station=number)
        session.refresh_from_db()
    for session in found[:playing]:
        make.play(session, [4], None)
    return found


def events(kind: EventKind) -> list[Event]:
    return list(Event.objects.filter(kind=kind).order_by("session"))


def test_everybody_is_paused_at_one_moment_and_resumed(proctor: Client) -> None:
    sessions = room(4, playing=2)
    pause(sessions[0], staff(Role.PROCTOR), "")
    end_session(sessions[3], SessionEnd.ENDED_BY_STAFF)
    create_session(sessions[0].study, new_participant(), None)
    assert "2 paused. 1 was paused before." in use(proctor, "pause", reason="fire alarm")
    found = events(EventKind.PAUSED)[1:]
    assert [event.session for event in found] == sessions[1:3]
    assert len({event.server_time for event in found}) == 1
    assert [event.details for event in found] == [{"reason": "fire alarm", "all": True}] * 2
    assert [event.attempt is not None for event in found] == [True, False]
    assert "3 resumed." in use(proctor, "resume")
    assert len({event.server_time for event in events(EventKind.RESUMED)}) == 1
    assert "0 resumed. 3 were not paused." in use(proctor, "resume")


def test_minutes_left_are_announced_to_everybody(proctor: Client) -> None:
    room(3, playing=2)
    assert "3 told “5 minutes left”." in use(proctor, "announce", minutes="5")
    assert [event.details for event in events(EventKind.TIME_ANNOUNCED)] == [{"minutes": 5, "all": True}] * 3


def test_time_is_granted_to_everybody(proctor: Client) -> None:
    room(3, playing=2)
    said = use(proctor, "grant", minutes="5", to="both", reason="power cut")
    assert "3 given 5 minutes." in said
    assert [event.details["environment"] for event in events(EventKind.TIME_GRANTED)] == [True, True, False]
    assert all(event.details["all"] for event in events(EventKind.TIME_GRANTED))
    said = use(proctor, "grant", minutes="10", to="environment")
    assert "2 given 10 minutes. 1 was between environments." in said


@pytest.mark.services
def test_the_slot_ends_with_all_its_sessions(proctor: Client) -> None:
    sessions = room(3, playing=2)
    slot = Slot.objects.create(
        study=sessions[0].study, starts_at=now(), ends_at=now() + timedelta(hours=3), capacity=5,
        created_at=now(),
    )  # fmt: skip
    for session in sessions[:2]:
        Booking.objects.create(
            slot=slot, participant=session.participant, session=session, kind=BookingKind.INVITED,
            created_at=now(), changed_at=now(),
        )  # fmt: skip
    page = proctor.get(reverse("center:room-controls"), {"slot": slot.pk}).content.decode()
    assert "<strong>2 people play now.</strong>" in page
    assert "All 2 sessions end." in page
    page = proctor.get(reverse("center:slot", args=[slot.pk])).content.decode()
    assert "End the sessions of everybody of this slot" in page
    assert f'controls/?slot={slot.pk}"' in page
    assert "2 ended." in use(proctor, "end", slot=slot.pk)
    ended = Session.objects.filter(end_reason=SessionEnd.ENDED_BY_STAFF)
    assert set(ended) == set(sessions[:2])
    assert len({session.ended_at for session in ended}) == 1
    assert {attempt.outcome for attempt in Attempt.objects.all()} == {Outcome.SESSION_OVER}
    details = {"reason": "ended_by_staff", "all": True}
    assert [event.details for event in events(EventKind.SESSION_ENDED)] == [details] * 2
    assert "nobody" in use(proctor, "end", slot=slot.pk)


def test_a_room_is_the_sessions_at_its_stations(proctor: Client) -> None:
    sessions = room(3)
    Station.objects.create(number=1, room="North")
    Station.objects.create(number=2, room="South")
    assert "1 paused." in use(proctor, "pause", room="North")
    assert [event.session for event in events(EventKind.PAUSED)] == sessions[:1]
    assert "nobody" in use(proctor, "pause", room="West")
    page = proctor.get("/staff/sessions/?room=South").content.decode()
    assert "1 session under way in room South" in page


def test_a_slot_that_does_not_exist_is_not_found(proctor: Client) -> None:
    room(1)
    for slot in ("999999", "x", ""):
        assert proctor.post(reverse("center:room-end"), {"slot": slot}).status_code == 404
    assert not Session.objects.filter(ended_at__isnull=False).exists()


def refuse_events_of(session: Session) -> None:
    """Makes the database refuse every further event of this session."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(
                f"CREATE TRIGGER refuses_some BEFORE INSERT ON play_event WHEN NEW.session_id = {session.pk}"
                " BEGIN SELECT RAISE(ABORT, 'refused by a test'); END"
            )
        else:
            rule = f"CHECK (session_id <> {session.pk}) NOT VALID"
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute(f"ALTER TABLE play_event ADD CONSTRAINT refuses_some {rule}")


@pytest.mark.services
@pytest.mark.parametrize(
    ("control", "fields"),
    [
        ("pause", {}),
        ("announce", {"minutes": "5"}),
        ("grant", {"minutes": "5", "to": "session"}),
        ("end", {}),
    ],
)
def test_one_that_fails_is_named_and_the_others_change(
    proctor: Client, control: str, fields: dict[str, str]
) -> None:
    sessions = room(3, playing=3)
    refuse_events_of(sessions[1])
    before = Event.objects.count()
    said = use(proctor, control, **fields)
    assert f"Failed: station 2 ({sessions[1].participant.label})." in said
    assert Event.objects.count() > before
    sessions[1].refresh_from_db()
    assert (sessions[1].paused_at, sessions[1].ended_at) == (None, None)


@pytest.mark.services
@pytest.mark.parametrize(
    ("control", "fields"),
    [("pause", {}), ("announce", {"minutes": "5"}), ("grant", {"minutes": "5", "to": "both"})],
)
def test_many_are_changed_with_as_few_statements_as_few(
    proctor: Client, django_assert_max_num_queries: Any, control: str, fields: dict[str, str]
) -> None:
    numbers = []
    for many in (2, 4):
        room(many, playing=many)
        Session.objects.update(paused_at=None)
        with django_assert_max_num_queries(60) as captured:
            use(proctor, control, **fields)
        numbers.append(len(captured))
    assert numbers[0] == numbers[1]


def test_what_is_over_is_ended_before_the_others_change(proctor: Client) -> None:
    sessions = room(3, playing=2)
    long_ago = now() - timedelta(days=1)
    Session.objects.filter(pk=sessions[0].pk).update(checked_in_at=long_ago)
    assert "2 paused." in use(proctor, "pause")
    sessions[0].refresh_from_db()
    assert (sessions[0].end_reason, sessions[0].paused_at) == (SessionEnd.TIME_OVER, None)
    assert [event.session for event in events(EventKind.PAUSED)] == sessions[1:]


def test_pages_of_many_sessions_read_no_more_than_those_of_few(
    proctor: Client, django_assert_max_num_queries: Any
) -> None:
    """Counts the reads of the list and of the controls for all with few sessions and with many."""
    numbers = []
    for many in (2, 4):
        room(many, playing=many // 2)
        with django_assert_max_num_queries(60) as captured:
            proctor.get("/staff/sessions/")
            proctor.get(reverse("center:room-controls"))
        numbers.append(len(captured))
    assert numbers[0] == numbers[1]
