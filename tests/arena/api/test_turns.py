"""Requests of agents are carried out a few at once, keys in rounds, and begun while no person waits."""

import asyncio
from collections.abc import Callable, Coroutine

import pytest
from asgiref.sync import async_to_sync
from pytest_django import Settings

from playtest.arena.api import turns as module
from playtest.arena.api.http import ApiError
from playtest.arena.api.turns import MORE_ALONE, Closing, Turns
from playtest.play.attempt.runner import PeopleFirst
from playtest.play.clock import now
from playtest.play.models import Session, SessionEnd
from tests import make


class Work:
    """Requests that go on until they are let go, and the order in which they began."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.going: list[asyncio.Event] = []

    def named(self, name: str) -> Callable[[], Coroutine[None, None, str]]:
        async def work() -> str:
            self.begun.append(name)
            self.going.append(asyncio.Event())
            await self.going[-1].wait()
            return name

        return work


def people_here() -> PeopleFirst:
    """Somebody has acted, and waits for nothing."""
    people = PeopleFirst()
    people.enter()
    people.leave()
    return people


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_two_run_at_once_and_each_key_has_its_turn() -> None:
    turns, work = Turns(2, people_here()), Work()
    wanted = [(1, "a1"), (1, "a2"), (1, "a3"), (1, "a4"), (2, "b1"), (3, "c1")]
    asked = [asyncio.create_task(turns.carry_out(key, work.named(name))) for key, name in wanted]
    await settle()
    assert work.begun == ["a1", "a2"]
    for ended in range(6):
        work.going[ended].set()
        await settle()
    assert work.begun == ["a1", "a2", "a3", "b1", "c1", "a4"]
    assert await asyncio.gather(*asked) == [name for _, name in wanted]


async def test_more_run_at_once_while_no_people_are_here() -> None:
    people = PeopleFirst()
    turns, work = Turns(1, people), Work()
    asked = [asyncio.create_task(turns.carry_out(1, work.named(str(number)))) for number in range(30)]
    await settle()
    assert len(work.begun) == MORE_ALONE
    people.enter()
    people.leave()
    for ended in range(30):
        assert len(work.begun) == max(MORE_ALONE, min(30, ended + 1))
        work.going[ended].set()
        await settle()
    await asyncio.gather(*asked)


async def test_what_has_begun_ends_though_its_caller_goes_and_what_waits_is_dropped() -> None:
    turns, work = Turns(1, people_here()), Work()
    asked = [asyncio.create_task(turns.carry_out(1, work.named(name))) for name in ("a", "b", "c")]
    await settle()
    asked[0].cancel()
    asked[1].cancel()
    await settle()
    assert work.begun == ["a"], "the place is taken until the work has ended"
    work.going[0].set()
    await settle()
    assert work.begun == ["a", "c"]
    work.going[1].set()
    assert await asked[2] == "c"


async def test_a_turn_that_does_not_come_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "HELD_SECONDS", 0.01)
    turns, work = Turns(1, people_here()), Work()
    first = asyncio.create_task(turns.carry_out(1, work.named("a")))
    await settle()
    with pytest.raises(ApiError, match="Too many agents") as refused:
        await turns.carry_out(1, work.named("b"))
    assert refused.value.status == 429
    work.going[0].set()
    assert await first == "a"
    assert work.begun == ["a"]


async def test_agents_begin_once_nobody_waits_and_after_a_while_in_any_case() -> None:
    people, begun = PeopleFirst(), list[str]()

    async def begin(name: str, seconds: float) -> None:
        await people.quiet(seconds)
        begun.append(name)

    people.enter()
    people.enter()
    behind = asyncio.create_task(begin("behind", 3600.0))
    await asyncio.create_task(begin("not stuck", 0.01))
    people.leave()
    await settle()
    assert begun == ["not stuck"]
    people.leave()
    await behind
    assert begun == ["not stuck", "behind"]


@pytest.mark.once  # it gives its connection back, which a test on PostgreSQL holds in a transaction
@pytest.mark.django_db
def test_a_center_may_close_the_arena_while_somebody_plays(settings: Settings) -> None:
    session = make.session(make.study())
    async_to_sync(Closing().refuse)()
    settings.ARENA_WHILE_PEOPLE_PLAY = "closed"
    with pytest.raises(ApiError, match="People play") as refused:
        async_to_sync(Closing().refuse)()
    assert (refused.value.code, refused.value.headers) == ("ARENA_CLOSED", {"Retry-After": "60"})
    Session.objects.filter(pk=session.pk).update(ended_at=now(), end_reason=SessionEnd.TIME_OVER)
    async_to_sync(Closing().refuse)()
