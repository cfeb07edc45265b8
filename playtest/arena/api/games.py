"""The environments that a key may play, and the official recordings of its runs."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator
from itertools import islice
from typing import Any

from channels.db import database_sync_to_async
from django.db.models import Sum

from engine.play.recording import Recording, write
from playtest.arena.api.http import NOT_AVAILABLE, NOT_FOUND, Reply, Request, invalid, json_reply, not_found
from playtest.arena.models import ApiKey, Run
from playtest.arena.runs.cards import game_id_of, not_offered, offered, offered_by_id
from playtest.arena.runs.custody import run_may_disclose
from playtest.arena.runs.keys import LOCAL
from playtest.arena.runs.sums import run_with_guid
from playtest.arena.scores.baselines import Baseline, baselines_of
from playtest.play.models import Entry
from playtest.review.official_recording import recorded_reasoning, recorded_turns
from playtest.rules.custody import Fact, may_disclose
from playtest.studio.models import SightingKind, Version
from playtest.studio.services.sightings import note_sightings

MOST_FRAMES = 10_000
"""Of one recording: 90 MB of JSON, which wait in memory for a slow client."""
_LINES_AT_ONCE = 20
type RecordedPlay = tuple[list[Entry], dict[int, Any]]
"""Its entries, and the reasoning sent with them, by seq."""


async def list_games(request: Request, key: ApiKey) -> Reply:
    """Lists the environments of the key's sets."""
    return json_reply(await database_sync_to_async(_described)(key))


async def read_game(request: Request, key: ApiKey, game_id: str) -> Reply:
    """Answers one environment, by its id with or without the version.

    The official toolkit asks for `anonkey` where it has no key, and ends if it gets none.
    """
    if game_id == "anonkey":
        if key.name == LOCAL:
            return json_reply({"api_key": LOCAL})
        message = "Keys are given out by the operator of this server; there is no anonymous key."
        raise not_found(message, NOT_FOUND)
    for described in await database_sync_to_async(_described)(key, game_id):
        return json_reply(described)
    raise not_found(await database_sync_to_async(not_offered)(key.sets, game_id))


async def read_source(request: Request, key: ApiKey, game_id: str) -> Reply:
    """Answers the source of an environment of a public set."""
    version = await database_sync_to_async(offered_by_id)(key.sets, game_id)
    if version is None or game_id != game_id_of(version):
        raise not_found(await database_sync_to_async(not_offered)(key.sets, game_id))
    if not may_disclose(version.environment.release_set, Fact.SOURCE):
        raise not_found("Sources are given of public environments only.", NOT_AVAILABLE)
    await database_sync_to_async(note_sightings)(
        [version.environment_id], SightingKind.SOURCE, None, f"API key {key}"
    )
    return Reply(version.source.encode(), content_type="text/plain; charset=utf-8")


def _described(key: ApiKey, game_id: str = "") -> list[dict[str, Any]]:
    """The environments that a key may play, or the one with this id."""
    chosen = [offered_by_id(key.sets, game_id)] if game_id else offered(key.sets)
    versions = [version for version in chosen if version is not None]
    baselines = baselines_of(versions)
    return [_info(version, baselines[version.pk]) for version in versions]


def _info(version: Version, baseline: Baseline) -> dict[str, Any]:
    """arc_agi's `EnvironmentInfo`, as far as it may be told."""
    release_set = version.environment.release_set
    data: dict[str, Any] = {
        "game_id": game_id_of(version),
        "default_fps": version.default_fps,
        "date_downloaded": version.imported_at.isoformat(),
    }
    if may_disclose(release_set, Fact.TITLE):
        data |= {"title": version.metadata.get("title"), "class_name": version.class_name}
    if may_disclose(release_set, Fact.TAGS):
        data["tags"] = version.metadata.get("tags")
    if baseline.actions and may_disclose(release_set, Fact.BASELINE_ACTIONS):
        data["baseline_actions"] = list(baseline.actions)
    return data


async def read_recording(request: Request, key: ApiKey, game_id: str, guid: str) -> Reply:
    """Answers the recording of a run of a public set, to the key that has played it."""
    run = await database_sync_to_async(run_with_guid)(guid)
    of_key = run is not None and run.card.key_id == key.pk
    if run is None or not of_key or game_id not in (run.environment.code, game_id_of(run.version)):
        raise not_found(f"game {game_id} with guid {guid} not found")
    plays = await database_sync_to_async(_recorded)(run)
    return Reply(b"", content_type="application/x-ndjson", parts=_parts(_lines(run, plays)))


def _recorded(run: Run) -> list[RecordedPlay]:
    """What is recorded so far of a run whose recording may leave. ApiError 400, 404."""
    if not run_may_disclose(run, Fact.RECORDING):
        raise not_found("Recordings are given of public environments only.", NOT_AVAILABLE)
    found = Entry.objects.filter(attempt__play__run=run).aggregate(frames=Sum("frame_count"))
    if (frames := found["frames"] or 0) > MOST_FRAMES:
        message = f"This run has {frames:,} frames, and at most {MOST_FRAMES:,} are sent: ask for an export."
        raise invalid(message)
    attempts = [play.attempt for play in run.plays.select_related("attempt").order_by("number")]
    return [(list(one.entries.order_by("seq")), recorded_reasoning(one)) for one in attempts]


def _lines(run: Run, plays: Iterable[RecordedPlay]) -> Iterator[str]:
    """The lines of the file, made one by one, without the database. Refusal: record_damaged."""
    for entries, reasoning in plays:
        for turn in recorded_turns(entries, run.version.levels, reasoning):
            yield from write(Recording((turn,), run.version.game_id, str(run.guid)))


async def _parts(lines: Iterator[str]) -> AsyncIterator[bytes]:
    """A few lines at a time, made beside the event loop."""
    while part := await asyncio.to_thread(lambda: "".join(islice(lines, _LINES_AT_ONCE))):
        yield part.encode()
