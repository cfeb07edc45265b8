"""Verifies attempts: replays them from their journal and compares everything that is stored.

`review.record_check` does what needs no replay: the chain, the end, the times, the signed days. Damage ends
neither the check of an attempt nor that of the next one. Environments run in engine hosts of their own, so
that no player waits for a check; static tasks need none.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence

from asgiref.sync import sync_to_async
from django.conf import settings

from playtest.play.hosts.pool import HostLost, HostPool
from playtest.play.journal.entries import entry_value
from playtest.play.models import Attempt, Entry
from playtest.play.sessions.adjustments import adjustments_of
from playtest.review.attempt_replay import AttemptReplay, unreadable
from playtest.review.queries.signed_days import check_days, listed_heads
from playtest.review.record_check import Listed, record_differences
from playtest.review.verification_result import Difference, Verification
from playtest.rules.adjustments import NO_ADJUSTMENTS, Adjustments

logger = logging.getLogger(__name__)

_TRIES = 3


async def verify(
    attempt_ids: Sequence[int], report: Callable[[Verification], None], hosts: int | None = None
) -> None:
    """Verifies attempts and reports each; on `hosts` processes, by default one a core.

    Refusal: record_key_invalid, before any is checked.
    """
    count = min(hosts or settings.ENGINE_HOSTS, max(len(attempt_ids), 1))
    listed = await sync_to_async(lambda: listed_heads(check_days()))()
    pool = HostPool(
        count,
        most=count,
        deadline_seconds=settings.ENGINE_DEADLINE_SECONDS,
        memory_megabytes=settings.ENGINE_MEMORY_MEGABYTES,
    )
    waiting = iter(attempt_ids)

    async def work() -> None:
        for attempt_id in waiting:
            report(await _verify_one(pool, attempt_id, listed.get(attempt_id, ())))

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(count):
                group.create_task(work())
    finally:
        await pool.close()


async def verify_one(attempt_id: int) -> Verification:
    """Verifies one attempt, on one host."""
    found: list[Verification] = []
    await verify([attempt_id], found.append, hosts=1)
    return found[0]


def check_record(attempt_ids: Iterable[int]) -> Iterator[Verification]:
    """Verifies attempts without a replay: only what `review.record_check` finds. Refusal: as `verify`."""
    listed = listed_heads(check_days())
    for attempt_id in attempt_ids:
        try:
            attempt, entries, adjustments = _load(attempt_id)
            found = [*record_differences(attempt, entries, listed.get(attempt_id, ()), adjustments)]
        except Exception as error:  # a damaged row may raise anything
            logger.warning("attempt %s cannot be checked", attempt_id, exc_info=True)
            seq = _first_unreadable(attempt_id)
            yield Verification(attempt_id, seq, (unreadable(seq, error),))
        else:
            yield Verification(attempt_id, len(entries), tuple(sorted(found, key=lambda one: one.seq)))


async def _verify_one(pool: HostPool, attempt_id: int, listed: Listed) -> Verification:
    try:
        attempt, entries, adjustments = await sync_to_async(_load)(attempt_id)
        in_record = [*record_differences(attempt, entries, listed, adjustments)]
        played = await _play(pool, attempt, entries)
    except Exception as error:  # a damaged row may raise anything
        logger.warning("attempt %s cannot be checked", attempt_id, exc_info=True)
        seq = await sync_to_async(_first_unreadable)(attempt_id)
        return Verification(attempt_id, seq, (unreadable(seq, error),))
    known = {(found.seq, found.code) for found in played}
    found = [*played, *(one for one in in_record if (one.seq, one.code) not in known)]
    return Verification(attempt_id, len(entries), tuple(sorted(found, key=lambda one: one.seq)))


async def _play(pool: HostPool, attempt: Attempt, entries: Sequence[Entry]) -> list[Difference]:
    """The first difference that the replay finds, if any."""
    for _ in range(_TRIES):
        try:
            return await AttemptReplay(attempt, entries).run(pool)
        except HostLost:
            await asyncio.sleep(0)
    message = "The engine host ended several times during this check: try again."
    return [Difference(0, (), code="host_lost", message=message)]


def _load(attempt_id: int) -> tuple[Attempt, list[Entry], Adjustments]:
    attempts = Attempt.objects.select_related(
        "version", "session__study", "session__protocol", "session__participant"
    )
    attempt = attempts.get(pk=attempt_id)
    entries = list(Entry.objects.filter(attempt=attempt_id).order_by("seq"))
    changed = NO_ADJUSTMENTS if attempt.session_id is None else adjustments_of(attempt.session)
    return attempt, entries, changed


def _first_unreadable(attempt_id: int) -> int:
    """The first entry that cannot be read; 0 where all can, or where they cannot be listed."""
    try:
        seqs = list(Entry.objects.filter(attempt=attempt_id).order_by("seq").values_list("seq", flat=True))
    except Exception:  # see `_verify_one`
        return 0
    for seq in seqs:
        try:
            entry = Entry.objects.get(attempt=attempt_id, seq=seq)
            entry_value(b"", entry, b"")
            entry.server_time.isoformat()  # SQLite reads any other text as no time at all
        except Exception:  # see `_verify_one`
            return seq
    return 0
