"""Controls for everybody, for one room and for one slot."""

import re
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
from playtest.play.sessions.adjustments import adjustments_of
from playtest.play.sessions.clocks import change, pausing
from playtest.play.sessions.ends import end_session, end_session_if_over
from playtest.play.sessions.reads import Stage, deadline_of, deadline_of_session, stage, stages
from playtest.play.sessions.services import create_session
from playtest.rules.attempt import Outcome
from tests import make
from tests.staff import signed_in, staff

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
    change(sessions[0], staff(Role.PROCTOR), pausing(""))
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


def test_time_is_granted_to_everybody(proctor: Client) -> None:
    room(3, playing=2)
    said = use(proctor, "grant", minutes="5", to="both", reason="power cut")
    assert "3 given 5 minutes." in said
    assert [event.details["environment"] for event in events(EventKind.TIME_GRANTED)] == [True, True, False]
    assert all(event.details["all"] for event in events(EventKind.TIME_GRANTED))
    said = use(proctor, "grant", minutes="10", to="environment")
    assert "2 given 10 minutes. 1 was between environments." in said


def test_of_two_who_grant_at_once_the_second_is_asked_and_may_take_it_back(proctor: Client) -> None:
    sessions = room(3, playing=2)
    lead = signed_in(Role.LEAD)
    wanted = {"minutes": "5", "to": "both"}
    assert "3 given 5 minutes." in use(lead, "grant", **wanted)
    asked = use(proctor, "grant", **wanted)
    assert re.search(r"lead granted 5 minutes \d s ago: grant 5 minutes more\?", asked)
    assert len(events(EventKind.TIME_GRANTED)) == 3
    fields = dict(
        re.findall(
            r'name="(\w+)" value="([^"]*)"',
            asked[asked.index("granted_just_now") : asked.index("Grant 5 minutes more")],
        )
    )
    assert {name: fields[name] for name in wanted} == wanted
    assert "3 given 5 minutes." in use(proctor, "grant", **wanted, despite=fields["despite"])
    assert "Take the last 5 minutes back" in use(proctor, "end-soon", minutes="85")
    assert "3 given back 5 minutes." in use(lead, "take-back")
    grants = [adjustments_of(session).grants for session in sessions]
    assert [len(of_session) for of_session in grants] == [1, 1, 1]
    assert "nothing_to_take_back" in use(lead, "take-back")


def test_the_session_ends_in_five_minutes_of_its_clock(proctor: Client) -> None:
    first, second = room(2, playing=1)
    begun = now()
    assert "2 to end in 5 minutes." in use(proctor, "end-soon", minutes="5")
    assert "0 to end in 120 minutes. 2 were to end before that anyway." in use(
        proctor, "end-soon", minutes="120"
    )
    for session in (first, second):
        deadline = deadline_of_session(session, adjustments_of(session))
        assert deadline is not None
        assert timedelta(0) <= deadline - begun - timedelta(minutes=5) < timedelta(seconds=20)
    attempt = first.attempts.get()
    due = deadline_of(attempt, adjustments_of(first))
    assert due is not None
    assert due.cause == Outcome.SESSION_OVER
    assert "2 to go on to their limit." in use(proctor, "go-on")
    assert adjustments_of(first).planned_end is None
    assert "0 to go on to their limit. 2 were without a planned end." in use(proctor, "go-on")
    use(proctor, "end-soon", minutes="5")
    for seconds, at in ((295, Stage.PLAYING), (320, Stage.OVER)):
        moment = begun + timedelta(seconds=seconds)
        assert stages([first], moment)[first.pk] == stage(first, moment) == at
        assert end_session_if_over(first, moment) == (at == Stage.OVER)
    assert first.attempts.get().outcome == Outcome.SESSION_OVER


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


def test_rehearsals_are_among_everybody_only_where_they_are_shown(proctor: Client) -> None:
    room(1)
    rehearsed = make.session(make.study(rehearsal=True))
    assert "1 paused." in use(proctor, "pause")
    assert "1 paused. 1 was paused before." in use(proctor, "pause", rehearsals="1")
    assert events(EventKind.PAUSED)[-1].session == rehearsed


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
    [("grant", {"minutes": "5", "to": "session"}), ("end", {})],
)
def test_one_that_fails_is_named_and_the_others_change(
    proctor: Client, control: str, fields: dict[str, str]
) -> None:
    sessions = room(3)
    refuse_events_of(sessions[1])
    before = Event.objects.count()
    said = use(proctor, control, **fields)
    assert f"Failed: station 2 ({sessions[1].participant.label})." in said
    assert Event.objects.count() > before
    sessions[1].refresh_from_db()
    assert (sessions[1].paused_at, sessions[1].ended_at) == (None, None)


@pytest.mark.services
def test_many_are_changed_and_shown_with_as_few_statements_as_few(
    proctor: Client, django_assert_max_num_queries: Any
) -> None:
    controls = {"grant": {"minutes": "5", "to": "both"}, "end-soon": {"minutes": "5"}, "pause": {}}
    numbers: list[list[int]] = [[], []]
    for found in numbers:
        room(2, playing=2)
        Session.objects.update(paused_at=None)
        proctor.get("/staff/sessions/")  # what the process reads once
        with django_assert_max_num_queries(60) as captured:
            proctor.get("/staff/sessions/")
            proctor.get(reverse("center:room-controls"))
        found.append(len(captured))
        for control, fields in controls.items():
            with django_assert_max_num_queries(60) as captured:
                use(proctor, control, **fields)
            found.append(len(captured))
    assert numbers[0] == numbers[1]


def test_what_is_over_is_ended_before_the_others_change(proctor: Client) -> None:
    sessions = room(3, playing=2)
    long_ago = now() - timedelta(days=1)
    Session.objects.filter(pk=sessions[0].pk).update(checked_in_at=long_ago)
    assert "2 paused." in use(proctor, "pause")
    sessions[0].refresh_from_db()
    assert (sessions[0].end_reason, sessions[0].paused_at) == (SessionEnd.TIME_OVER, None)
    assert [event.session for event in events(EventKind.PAUSED)] == sessions[1:]
