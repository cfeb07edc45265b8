"""The recordings of runs, a line of JSON for each action."""

import asyncio
from collections.abc import AsyncIterator
from itertools import islice

from channels.db import database_sync_to_async

from playtest.arena.api.errors import NOT_AVAILABLE, invalid, not_found
from playtest.arena.api.http import Reply, Request
from playtest.arena.models import ApiKey, Run
from playtest.arena.queries.custody import run_may_disclose
from playtest.arena.queries.environments import game_id_of
from playtest.arena.queries.recordings import RecordedRun, frames_of_run, recorded_run
from playtest.arena.queries.runs import run_with_guid
from playtest.rules.custody import Fact

MOST_FRAMES = 10_000
"""Of one recording: 90 MB of JSON, which wait in memory for a slow client."""
_LINES_AT_ONCE = 20


async def read_recording(request: Request, key: ApiKey, game_id: str, guid: str) -> Reply:
    """Answers the recording of a run of a public set, to the key that has played it."""
    run = await database_sync_to_async(run_with_guid)(guid)
    of_key = run is not None and run.card.key_id == key.pk
    if run is None or not of_key or game_id not in (run.environment.code, game_id_of(run.version)):
        raise not_found(f"game {game_id} with guid {guid} not found")
    found = await database_sync_to_async(_recorded)(run)
    return Reply(b"", content_type="application/x-ndjson", parts=_parts(found))


def _recorded(run: Run) -> RecordedRun:
    if not run_may_disclose(run, Fact.RECORDING):
        raise not_found("Recordings are given of public environments only.", NOT_AVAILABLE)
    if (frames := frames_of_run(run)) > MOST_FRAMES:
        message = f"This run has {frames:,} frames, and at most {MOST_FRAMES:,} are sent: ask for an export."
        raise invalid(message)
    return recorded_run(run)


async def _parts(found: RecordedRun) -> AsyncIterator[bytes]:
    """A few lines at a time, made beside the event loop."""
    lines = found.lines()
    while part := await asyncio.to_thread(lambda: "".join(islice(lines, _LINES_AT_ONCE))):
        yield part.encode()
