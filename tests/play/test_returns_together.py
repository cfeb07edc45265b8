"""After a restart many pages connect at once: what is asked of the database for them is asked together."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta

import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext

from playtest.play.attempt.rebuild import recorded_plays
from playtest.play.clock import now
from playtest.play.journal.heartbeat import Signs
from playtest.play.models import Event, EventKind, Session, SessionEnd
from playtest.play.sessions import absences
from playtest.play.sessions.absences import Return, all_came_back
from playtest.play.sessions.ends import end_session
from playtest.play.sessions.seats import COOKIE, hashed, sessions_of_cookies
from playtest.play.sessions.status import statuses_in_play
from playtest.play.together import MOST, Together
from tests import make
from tests.make import play


@pytest.fixture(autouse=True)
def no_signs_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(absences, "signs", Signs())


async def test_what_is_asked_meanwhile_is_asked_together_and_each_gets_its_answer() -> None:
    calls: list[int] = []

    def squares(numbers: Sequence[int]) -> list[int]:
        calls.append(len(numbers))
        return [number * number for number in numbers]

    ask = Together(squares)
    found = await asyncio.gather(*map(ask, range(100)))
    assert found == [number * number for number in range(100)]
    assert max(calls) == MOST
    assert len(calls) <= 5


async def test_a_failure_is_told_to_those_in_it_and_the_next_are_answered() -> None:
    def halves(numbers: Sequence[int]) -> list[float]:
        return [1 / number for number in numbers]

    ask = Together(halves)
    with pytest.raises(ZeroDivisionError):
        await ask(0)
    assert await ask(2) == 0.5


async def test_of_many_only_those_who_cannot_be_answered_are_told_and_some_may_have_gone() -> None:
    def halves(numbers: Sequence[int]) -> list[float]:
        return [1 / number for number in numbers]

    ask = Together(halves)
    asking = [asyncio.create_task(ask(number)) for number in (1, 2, 0, 4, 5)]
    await asyncio.sleep(0)
    asking[3].cancel()
    found = await asyncio.gather(*asking, return_exceptions=True)
    assert [type(one).__name__ for one in found] == [
        *("float", "float", "ZeroDivisionError", "CancelledError", "float")
    ]


async def test_while_the_database_is_away_it_is_asked_once_for_all_who_wait() -> None:
    calls: list[int] = []

    def fails(numbers: Sequence[int]) -> list[int]:
        calls.append(len(numbers))
        raise OperationalError

    ask = Together(fails)
    found = await asyncio.gather(*map(ask, range(20)), return_exceptions=True)
    assert [type(one) for one in found] == [OperationalError] * 20
    assert sum(calls) == 20


@pytest.mark.django_db
@pytest.mark.once
def test_who_has_ended_meanwhile_is_not_excused_and_who_cannot_be_recorded_is_still_away() -> None:
    ended, here, broken = (play(make.session(make.study()), [4], None).session_pk for _ in range(3))
    gone, back = now(), now() + timedelta(seconds=20)
    all_came_back([Return(number, gone) for number in (ended, here, broken)])
    end_session(Session.objects.get(pk=ended), SessionEnd.ENDED_BY_STAFF)
    Event.objects.create(
        session_id=broken, kind=EventKind.RESUMED, server_time=gone, details={"outage": True}
    )
    with pytest.raises(IndexError):
        all_came_back([Return(number, back) for number in (here, broken)])
    found = all_came_back([Return(number, back) for number in (ended, here)])
    assert [one is not None and one.excused > 10 for one in found] == [False, True]
    assert not Event.objects.filter(session=ended, kind=EventKind.PAUSED).exists()


@pytest.mark.django_db
@pytest.mark.once
def test_five_returns_need_as_many_queries_as_one() -> None:
    sessions = [play(make.session(make.study()), [4], None).session_pk for _ in range(6)]
    gone, back = now(), now() + timedelta(seconds=20)

    def queries(numbers: Sequence[int]) -> int:
        all_came_back([Return(number, gone) for number in numbers])
        with CaptureQueriesContext(connection) as seen:
            absences = all_came_back([Return(number, back) for number in numbers])
        assert all(one is not None and one.excused > 10 for one in absences)
        return len(seen)

    assert queries(sessions[:1]) == queries(sessions[1:])


@pytest.mark.django_db
@pytest.mark.once
def test_five_seats_and_statuses_need_as_many_queries_as_one() -> None:
    sessions = [play(make.session(make.study()), [4], None).session_pk for _ in range(6)]
    Session.objects.update(seat_hash=hashed("token"))

    def queries(numbers: Sequence[int]) -> int:
        with CaptureQueriesContext(connection) as seen:
            seated = sessions_of_cookies([{COOKIE: f"{number}.token"} for number in numbers])
            statuses = statuses_in_play(numbers, now())
        assert [one and one.pk for one in seated] == numbers
        assert {number: status.session.pk for number, status in statuses.items()} == dict(
            zip(numbers, numbers, strict=True)
        )
        return len(seen)

    assert queries(sessions[:1]) == queries(sessions[1:])
    wrong = [{COOKIE: f"{sessions[0]}.another"}, {}, {COOKIE: f"{sessions[1]}.token"}, {COOKIE: "0.token"}]
    assert [one and one.pk for one in sessions_of_cookies(wrong)] == [None, None, sessions[1], None]


@pytest.mark.django_db
@pytest.mark.once
def test_five_journals_need_as_many_queries_as_one_and_each_is_read_from_where_it_is_asked() -> None:
    plays = [play(make.session(make.study()), [4] * length, None) for length in range(1, 7)]
    attempts = [one.pk for one in plays]

    def queries(numbers: Sequence[int]) -> int:
        with CaptureQueriesContext(connection) as seen:
            recorded_plays(numbers)
        return len(seen)

    assert queries(attempts[:1]) == queries(attempts[1:])
    for one, found in zip(plays, recorded_plays(attempts), strict=True):
        entries = list(one.entries.order_by("seq"))
        assert found is not None
        assert [action.id for action in found.actions] == [entry.action for entry in entries[1:]]
        assert found.hashes == [bytes(entry.state_hash) for entry in entries]
        assert (found.seq, found.began, found.last_time) == (
            *(entries[-1].seq, entries[0].server_time, entries[-1].server_time),
        )
        assert (found.first_chain, found.chain) == (bytes(entries[0].chain), bytes(entries[-1].chain))
    last = plays[-1]
    [later, none] = recorded_plays([last.pk, 0], first=2)
    assert none is None
    assert later is not None
    assert (len(later.actions), len(later.hashes), later.seq) == (4, 5, 6)
    assert later.first_chain == bytes(last.entries.get(seq=2).chain)
