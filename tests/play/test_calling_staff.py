"""A participant's call for a member of staff is recorded once until it is answered."""

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.errors import Refusal
from playtest.play.models import Event, EventKind, Session, SessionEnd
from playtest.play.sessions.ends import end_session
from playtest.play.sessions.events import answer_call, call_proctor
from playtest.play.sessions.reads import calling_since, calls_since
from playtest.play.sessions.seats import COOKIE
from playtest.play.sessions.services import check_in, create_session
from playtest.play.views.participant import CALLS
from tests import make
from tests.staff import staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

CALLED, ANSWERED = EventKind.PROCTOR_CALLED, EventKind.CALL_ANSWERED


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    cache.clear()


@pytest.fixture
def session() -> Session:
    return make.session(make.study())


@pytest.fixture
def seated(client: Client) -> Client:
    """A browser on the consent page."""
    session, code = create_session(make.study(), new_participant(), None)
    session, token = check_in(code, station=1)
    client.cookies[COOKIE] = f"{session.pk}.{token}"
    return client


def calls() -> list[tuple[Any, ...]]:
    return list(
        Event.objects.filter(kind__in=[CALLED, ANSWERED])
        .order_by("pk")
        .values_list("kind", "attempt__number", "staff__username")
    )


def ask(client: Client, method: str = "post") -> Any:
    return getattr(client, method)("/session/call/", headers={"accept": "application/json"})


def test_a_second_call_before_the_answer_records_nothing(session: Session) -> None:
    assert [call_proctor(session), call_proctor(session)] == [True, False]
    assert calls() == [(CALLED, None, None)]
    assert calling_since(session) == Event.objects.get(kind=CALLED).server_time


def test_an_answered_call_can_be_made_again(session: Session) -> None:
    proctor = staff(Role.PROCTOR)
    assert answer_call(session, proctor) is False
    call_proctor(session)
    assert [answer_call(session, proctor), answer_call(session, proctor)] == [True, False]
    assert calling_since(session) is None
    assert call_proctor(session)
    assert calls() == [(CALLED, None, None), (ANSWERED, None, "proctor"), (CALLED, None, None)]


def test_calls_belong_to_the_open_attempt(session: Session) -> None:
    make.play(session, [4], outcome=None)
    call_proctor(session)
    answer_call(session, staff(Role.PROCTOR))
    assert calls() == [(CALLED, 1, None), (ANSWERED, 1, "proctor")]


@pytest.mark.services
def test_waiting_calls_of_many_sessions_are_read_at_once(
    session: Session, django_assert_num_queries: Any
) -> None:
    others = [make.session(session.study) for _ in range(2)]
    for caller in (session, others[0]):
        call_proctor(caller)
    answer_call(session, staff(Role.PROCTOR))
    with django_assert_num_queries(1):
        assert list(calls_since([session.pk, *(one.pk for one in others)])) == [others[0].pk]


def test_nobody_is_called_after_the_session(session: Session) -> None:
    end_session(session, SessionEnd.ENDED_BY_STAFF)
    with pytest.raises(Refusal) as refused:
        call_proctor(session)
    assert refused.value.code == "not_now"
    assert calls() == []


def test_the_page_learns_whether_its_call_waits(seated: Client) -> None:
    assert ask(seated, "get").json() == {"called": False}
    assert calls() == [], "a GET request calls nobody"
    assert [ask(seated).json(), ask(seated, "get").json()] == [{"called": True}] * 2
    answer_call(Session.objects.get(), staff(Role.PROCTOR))
    assert ask(seated, "get").json() == {"called": False}


def test_a_page_without_javascript_is_sent_back_and_shows_its_call(seated: Client) -> None:
    assert "Call a member of staff" in seated.get("/session/consent/").content.decode()
    assert seated.post("/session/call/").headers["Location"] == "/session/"
    assert "A member of staff has been called." in seated.get("/session/consent/").content.decode()


@pytest.mark.parametrize("seat", ["", "1.nonsense"])
def test_only_a_seat_can_call(client: Client, seat: str) -> None:
    client.cookies[COOKIE] = seat
    answer = ask(client)
    assert (answer.status_code, answer.json()["code"]) == (403, "no_seat")
    assert client.post("/session/call/").headers["Location"] == "/session/"


def test_calling_again_and_again_is_slowed_down(seated: Client) -> None:
    session, proctor = Session.objects.get(), staff(Role.PROCTOR)
    for _ in range(CALLS):
        assert ask(seated).status_code == 200
        answer_call(session, proctor)
    answer = ask(seated)
    assert (answer.status_code, answer.json()["code"]) == (429, "too_many_calls")
    assert calling_since(session) is None
