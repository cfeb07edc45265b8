"""The checks without random play: of structure, and of the developer's recordings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.errors import EngineError
from engine.play.actions import Action
from engine.play.turns import WIN, Turn
from engine.prove.player import Player, RandomPolicy
from engine.prove.qualification.episodes import Episode
from engine.prove.qualification.findings import COSTLY, Finding
from engine.prove.qualification.plan import FEWEST_LEVELS, LEVELS, LOAD, METADATA, RECORDINGS, Progress

LEVEL_STEPS = 50
"""Steps on each level."""


def check_structure(player: Player, seed: int, progress: Progress) -> list[Finding]:
    """Checks that the environment loads, has enough levels, and each can be started and played."""
    episode = Episode(player, seed, 1)
    try:
        turn = episode.open()
    except EngineError as error:
        return [Finding(LOAD, error.code, error.message, recording=episode.trajectory().as_json())]
    findings = _metadata(player, turn)
    if turn.levels < FEWEST_LEVELS:
        message = f"An environment has at least {FEWEST_LEVELS} levels; this one has {turn.levels}."
        findings.append(Finding(LEVELS, "too_few_levels", message))
    for level in range(1, turn.levels + 1):
        progress(level)
        found = _level(player, seed, level)
        findings.extend(found)
        if any(finding.code in COSTLY for finding in found):
            break
    return findings


def _metadata(player: Player, turn: Turn) -> list[Finding]:
    baseline = player.source.baseline_actions
    if not baseline or len(baseline) == turn.levels:
        return []
    message = f'"baseline_actions" has {len(baseline)} numbers for {turn.levels} levels.'
    return [Finding(METADATA, "metadata_invalid", message)]


def _level(player: Player, seed: int, level: int) -> list[Finding]:
    episode = Episode(player, seed, level)
    policy = RandomPolicy(seed, "both")
    try:
        turn = episode.open()
        if not turn.available_actions:
            message = f"At the start of level {level} no action is available."
            return [Finding(LEVELS, "no_actions", message, level, recording=episode.trajectory().as_json())]
        for _ in range(LEVEL_STEPS):
            if turn.state == WIN:
                break
            turn = episode.act(player.choose(policy, episode.game))
    except EngineError as error:
        message = f"On level {level}: {error.message}"
        return [Finding(LEVELS, error.code, message, level, recording=episode.trajectory().as_json())]
    return []


def check_recordings(
    player: Player, recordings: Sequence[Mapping[str, Any]], progress: Progress
) -> list[Finding]:
    """Checks that every recording replays exactly, up to its win, and ends as its type says."""
    findings = []
    for number, recording in enumerate(recordings, start=1):
        progress(number)
        if (finding := _recording(player, recording)) is not None:
            findings.append(finding)
    kinds = {recording["kind"] for recording in recordings}
    if "unfinished" in kinds:  # all that there can be of an environment without losses
        kinds.add("loss")
    missing = {"win", "loss"} - kinds
    if missing:
        message = f"There is no recording of a {' or a '.join(sorted(missing, reverse=True))} to replay."
        findings.append(Finding(RECORDINGS, "no_recordings", message))
    return findings


def _recording(player: Player, recording: Mapping[str, Any]) -> Finding | None:
    name, kind = recording["name"], recording["kind"]
    as_arcengine = recording.get("as_arcengine", False)
    episode = Episode(player, recording["seed"], recording["level"], as_arcengine=as_arcengine)
    expected = recording["state_hashes"]
    seq = 0
    try:
        turn = episode.open()
        for seq, action in enumerate([None, *recording["actions"]]):
            turn = turn if action is None else episode.act(Action(*action))
            if expected and (seq >= len(expected) or turn.state_hash.hex() != expected[seq]):
                message = f'The recording "{name}" leads to another state at action {seq}.'
                return _diverging(message, episode)
            if turn.state == WIN:
                break
        player.samples[name] = episode.trajectory()
    except EngineError as error:
        return _diverging(
            f'The recording "{name}" cannot be played beyond action {seq}: {error.message}', episode
        )
    if kind == "win" and turn.state != WIN:
        message = (
            f'The recording "{name}" should win, but completes {turn.levels_completed} of {turn.levels}.'
        )
        return Finding(
            RECORDINGS, "recording_does_not_win", message, recording=episode.trajectory().as_json()
        )
    if kind == "loss" and turn.state == WIN:
        message = f'The recording "{name}" should lose, but completes all levels.'
        return Finding(
            RECORDINGS, "recording_does_not_lose", message, recording=episode.trajectory().as_json()
        )
    return None


def _diverging(message: str, episode: Episode) -> Finding:
    return Finding(RECORDINGS, "recording_diverges", message, recording=episode.trajectory().as_json())
