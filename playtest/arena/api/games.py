"""The environments that a key may play."""

from typing import Any

from channels.db import database_sync_to_async

from playtest.arena.api.errors import NOT_AVAILABLE, NOT_FOUND, not_found
from playtest.arena.api.http import Reply, Request, json_reply
from playtest.arena.models import ApiKey
from playtest.arena.queries.baselines import Baseline, baselines_of
from playtest.arena.queries.environments import game_id_of, offered, offered_by_id
from playtest.rules.custody import Fact, may_disclose
from playtest.studio.models import SightingKind, Version
from playtest.studio.services.sightings import note_sightings


async def list_games(request: Request, key: ApiKey) -> Reply:
    """Lists the environments of the key's sets."""
    return json_reply(await database_sync_to_async(_described_all)(key))


async def read_game(request: Request, key: ApiKey, game_id: str) -> Reply:
    """Answers one environment, by its id with or without the version."""
    if game_id == "anonkey":
        message = "Keys are given out by the operator of this server; there is no anonymous key."
        raise not_found(message, NOT_FOUND)
    described = await database_sync_to_async(_described)(key, game_id)
    if described is None:
        raise not_found(f"game {game_id} not found")
    return json_reply(described)


async def read_source(request: Request, key: ApiKey, game_id: str) -> Reply:
    """Answers the source of an environment of a public set."""
    version = await database_sync_to_async(offered_by_id)(key.sets, game_id)
    if version is None or game_id != game_id_of(version):
        raise not_found(f"game {game_id} not found")
    if not may_disclose(version.environment.release_set, Fact.SOURCE):
        raise not_found("Sources are given of public environments only.", NOT_AVAILABLE)
    await database_sync_to_async(note_sightings)(
        [version.environment_id], SightingKind.SOURCE, None, f"API key {key}"
    )
    return Reply(version.source.encode(), content_type="text/plain; charset=utf-8")


def _described_all(key: ApiKey) -> list[dict[str, Any]]:
    versions = offered(key.sets)
    baselines = baselines_of(versions)
    return [_info(version, baselines[version.pk]) for version in versions]


def _described(key: ApiKey, game_id: str) -> dict[str, Any] | None:
    version = offered_by_id(key.sets, game_id)
    return None if version is None else _info(version, baselines_of([version])[version.pk])


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
