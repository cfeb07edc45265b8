"""A rehearsal's time: it stands while somebody is busy, and goes from one awaited moment to the next."""

import asyncio
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.play.clock import Hand, Timer, now, rehearsal
from playtest.rehearsal.time import OwnTime, ticket

BEGIN = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


@pytest.fixture
def hand(tmp_path: Path) -> Hand:
    return Hand.make(tmp_path / "hand", BEGIN)


@given(st.lists(st.integers(-10_000, 10_000), max_size=20))
def test_a_hand_never_goes_back_and_all_its_readers_see_it(
    tmp_path_factory: pytest.TempPathFactory, moves: list[int]
) -> None:
    path = tmp_path_factory.mktemp("hand") / "hand"
    one, highest = Hand.make(path, BEGIN), 0
    other = Hand(path)
    for seconds in moves:
        one.move(BEGIN + timedelta(seconds=seconds))
        highest = max(highest, seconds)
        assert one.read() == other.read() == BEGIN + timedelta(seconds=highest)


def test_a_process_has_the_hands_time_while_it_rehearses(hand: Hand) -> None:
    with rehearsal(hand):
        hand.move(BEGIN + timedelta(minutes=90))
        assert now() == BEGIN + timedelta(minutes=90)
    assert now() - datetime.now(UTC) < timedelta(minutes=1)


async def test_a_timer_goes_off_when_the_hand_is_there(hand: Hand) -> None:
    with rehearsal(hand):
        rung, stopped = asyncio.Event(), asyncio.Event()
        Timer(BEGIN + timedelta(minutes=20), rung.set)
        Timer(BEGIN + timedelta(minutes=10), stopped.set).cancel()
        hand.move(BEGIN + timedelta(minutes=19))
        await asyncio.sleep(0.05)
        assert not rung.is_set()
        hand.move(BEGIN + timedelta(minutes=20))
        async with asyncio.timeout(10):
            await rung.wait()
        assert not stopped.is_set()


async def test_everyone_wakes_in_order_and_exactly_when_they_wanted(hand: Hand) -> None:
    own, woken = OwnTime(hand), []
    began = own.now()

    async def person(pauses: list[float]) -> None:
        moment = own.now()
        with ticket(own) as mine:
            for pause in pauses:
                moment += pause
                await mine.sleep_until(moment)
                assert own.now() == pytest.approx(moment, abs=1e-5)
                woken.append(moment - began)

    await asyncio.gather(person([3600, 1, 1]), person([0.5, 3600, 0.7]), person([0.25] * 8))
    assert woken == sorted(woken)
    assert len(woken) == 14


async def test_while_someone_waits_for_an_answer_the_time_runs_no_further_than_they_allow(hand: Hand) -> None:
    own = OwnTime(hand)
    began, answered = own.now(), asyncio.Event()
    seen: list[float] = []

    async def asks() -> None:
        with ticket(own) as mine:
            mine.busy(2.0)
            await answered.wait()

    async def plays() -> None:
        with ticket(own) as mine:
            for moment in (1.0, 2.0, 3.0):
                await mine.sleep_until(began + moment)
                seen.append(own.now() - began)

    asking, playing = asyncio.create_task(asks()), asyncio.create_task(plays())
    await asyncio.sleep(0.05)
    assert seen == pytest.approx([1.0, 2.0], abs=1e-5)
    answered.set()
    await asyncio.gather(asking, playing)
    assert seen == pytest.approx([1.0, 2.0, 3.0], abs=1e-5)


async def test_whoever_gives_up_waiting_does_not_keep_the_time(hand: Hand) -> None:
    own = OwnTime(hand)

    async def sleeps(seconds: float) -> None:
        moment = own.now() + seconds
        with ticket(own) as mine:
            await mine.sleep_until(moment)

    stays = own.join()
    gives_up = asyncio.create_task(sleeps(5))
    await asyncio.sleep(0)
    gives_up.cancel()
    stays.leave()
    await sleeps(10)
    assert own.now() == pytest.approx(BEGIN.timestamp() + 10, abs=1e-5)


async def test_the_speed_is_a_limit(hand: Hand) -> None:
    own = OwnTime(hand, speed=100)
    began = time.monotonic()
    with ticket(own) as mine:
        await mine.sleep_until(own.now() + 20)
    assert time.monotonic() - began >= 0.2
