"""A process whose attempt was played on elsewhere plays what is new, and checks it."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from channels.db import database_sync_to_async

from engine.play.actions import Action
from playtest.play.attempt import loaded
from playtest.play.attempt.loaded import AttemptFailed, AttemptGame
from playtest.play.attempt.runner import AttemptRunner
from playtest.play.errors import Refusal
from playtest.play.hosts.pool import HostPool
from playtest.play.models import Attempt, Entry
from playtest.play.sessions.reads import last_seq
from playtest.rules.adjustments import NO_ADJUSTMENTS
from tests import make
from tests.make import play, record, study

# On PostgreSQL the threads of the live path do not share the transaction of a test.
pytestmark = [pytest.mark.django_db, pytest.mark.once]

ACTS, MORE = [4, 4, 2, 1], [2, 3, 1]


class PoolThatCounts(HostPool):
    """`played` has what was carried out in games other than by people: how many actions, each time.

    `meanwhile` happens once, while a game is made.
    """

    meanwhile: Callable[[], Awaitable[None]] | None = None

    def __init__(self) -> None:
        super().__init__(1, deadline_seconds=10)
        self.played: list[int] = []

    async def start(self, source: Any, seed: int, actions: Sequence[Action] = (), **options: Any) -> Any:
        self.played.append(len(actions))
        if self.meanwhile is not None:
            happen, self.meanwhile = self.meanwhile, None
            await happen()
        return await super().start(source, seed, actions, **options)

    async def play_on(self, game: AttemptGame, actions: Sequence[Any], hashes: Sequence[bytes]) -> Any:
        self.played.append(len(actions))
        return await super().play_on(game, actions, hashes)


class WriterThatComesTooLate:
    async def append(self, *_given: Any) -> bool:
        return False


@pytest.fixture
def attempt() -> Attempt:
    return play(make.session(study()), ACTS, None)


def on_a_pool(test: Callable[[PoolThatCounts, AttemptRunner], Awaitable[None]]) -> None:
    async def run() -> None:
        pool = PoolThatCounts()
        try:
            async with asyncio.timeout(60):
                await test(pool, AttemptRunner(pool, pool, most_games=10))
        finally:
            await pool.close()

    async_to_sync(run)()


def play_elsewhere(attempt: Attempt) -> None:
    assert attempt.first_frame_at is not None
    record(attempt, [*ACTS, *MORE], None, attempt.first_frame_at, 2)


def test_only_what_is_new_is_played(attempt: Attempt) -> None:
    async def play_on(pool: PoolThatCounts, player: AttemptRunner) -> None:
        live = player.join(attempt, NO_ADJUSTMENTS)
        assert (await player.current_turn(live)).seq == len(ACTS)
        assert (await player.current_turn(live)).seq == len(ACTS)
        await database_sync_to_async(play_elsewhere)(attempt)
        turn = await player.current_turn(live)
        assert pool.played == [len(ACTS), len(MORE)]
        newest = await Entry.objects.filter(attempt=attempt).order_by("-seq").afirst()
        assert newest is not None
        assert (live.seq, turn.seq) == (newest.seq, newest.seq) == (7, 7)
        assert turn.state_hash == bytes(newest.state_hash)
        assert live.chain == bytes(newest.chain)
        another = AttemptRunner(pool, pool, most_games=10)
        other = await another.current_turn(another.join(attempt, NO_ADJUSTMENTS))
        assert (turn.state_hash, turn.frames) == (other.state_hash, other.frames)

    on_a_pool(play_on)


def test_who_was_overtaken_plays_also_what_was_recorded_during_the_rebuild(
    attempt: Attempt, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that takes longer than the others' next action would else be too late again, without end."""
    monkeypatch.setattr(loaded, "writer", WriterThatComesTooLate())
    read = Attempt.objects.select_related("version", "session__study", "session__protocol").get(pk=attempt.pk)

    async def play_on(pool: PoolThatCounts, player: AttemptRunner) -> None:
        live = player.join(read, NO_ADJUSTMENTS)
        await player.current_turn(live)
        with pytest.raises(Refusal, match="Another window was faster"):
            await player.act(live, len(ACTS) + 1, Action(2))
        pool.meanwhile = partial(database_sync_to_async(play_elsewhere), attempt)
        assert (await player.current_turn(live)).seq == 7
        assert pool.played == [len(ACTS), len(ACTS), len(MORE)]

    on_a_pool(play_on)


def test_all_is_played_again_where_the_journal_is_not_what_was_played(attempt: Attempt) -> None:
    async def play_on(pool: PoolThatCounts, player: AttemptRunner) -> None:
        live = player.join(attempt, NO_ADJUSTMENTS)
        await player.current_turn(live)
        live.chain = bytes(32)
        await database_sync_to_async(play_elsewhere)(attempt)
        assert (await player.current_turn(live)).seq == 7
        assert pool.played == [len(ACTS), len(ACTS) + len(MORE)]

    on_a_pool(play_on)


def test_a_state_that_differs_is_found(attempt: Attempt) -> None:
    """Once by playing on, then by a rebuild, which has the last word: it ends the attempt as a fault."""

    async def play_on(pool: PoolThatCounts, player: AttemptRunner) -> None:
        live = player.join(attempt, NO_ADJUSTMENTS)
        await player.current_turn(live)
        await database_sync_to_async(wrong)(attempt)
        with pytest.raises(AttemptFailed) as failure:
            await player.current_turn(live)
        assert failure.value.code == "diverged"
        assert pool.played == [len(ACTS), 1, len(ACTS) + 1]

    on_a_pool(play_on)


def wrong(attempt: Attempt) -> None:
    """Another process recorded an action with a state that the environment does not have after it."""
    newest = Entry.objects.get(attempt=attempt, seq=last_seq(attempt.pk))
    newest.pk, newest.seq, newest.state_hash = None, newest.seq + 1, b"another."
    newest.save(force_insert=True)
