"""The stored winning recording of a version, played again, in the shape of an attempt's journal."""

from base64 import b64encode
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.cache import cache

from engine import recording
from engine import source as sources
from engine.errors import EngineError
from engine.recording import RecordedTurn, Recording
from engine.source import Source
from playtest.play.errors import Refusal
from playtest.studio.inspection import play
from playtest.studio.models import Version

FILE = Path("recordings") / "win.jsonl"
SEED = 0
"""The seed with which developers record (`games/`)."""

_KEPT_SECONDS = 24 * 60 * 60
_PACE = timedelta(seconds=1)


def winning_file(version: Version) -> Path | None:
    """The recording beside this version's source; None when the games folder has none, or another version."""
    if not settings.GAMES_DIR.is_dir():
        return None
    for found in sources.find(settings.GAMES_DIR):
        if isinstance(found, Source) and found.digest == version.digest:
            path = Path(found.path).parent / FILE
            return path if path.is_file() else None
    return None


def winning_document(version: Version) -> dict[str, Any]:
    """As `journal_document`, of the recording. Refusal: no_winning_recording, recording_unplayable."""
    path = winning_file(version)
    if path is None:
        message = "No winning recording of this version is stored: choose something else to compare with."
        raise Refusal("no_winning_recording", message, status=404)
    key = f"winning:{version.digest}:{path.stat().st_mtime_ns}"
    document: dict[str, Any] | None = cache.get(key)
    if document is None:
        document = _document(version, path)
        cache.set(key, document, _KEPT_SECONDS)
    return document


def _document(version: Version, path: Path) -> dict[str, Any]:
    source = sources.from_parts(version.metadata, version.source, version.environment.code)
    try:
        recorded = recording.read(path.read_text(encoding="utf-8").splitlines())
        turns = play(source, SEED, (turn.action for turn in recorded.turns[1:]))
    except EngineError as error:
        message = f"The winning recording cannot be played: {error.message}"
        raise Refusal("recording_unplayable", message) from error
    return {
        "environment": version.environment.code,
        "version": version.digest,
        "levels": version.levels,
        "frames_per_second": version.default_fps,
        "started_at": recorded.turns[0].timestamp,
        "outcome": "completed",
        "entries": _entries(recorded, turns),
        "events": [],
    }


def _entries(recorded: Recording, turns: list[dict[str, Any]]) -> list[dict[str, Any]]:
    level, entries = turns[0]["level"], []
    for seq, (line, turn) in enumerate(zip(recorded.turns, turns, strict=True)):
        if line.state_hash not in (None, turn["state_hash"]):
            message = f"The winning recording does not play as recorded: action {seq} came out otherwise."
            raise Refusal("recording_unplayable", message)
        entries.append(_entry(seq, line, turn, level, _seconds(recorded, seq)))
        level = turn["level"]
    return entries


def _entry(seq: int, line: RecordedTurn, turn: dict[str, Any], level: int, seconds: float) -> dict[str, Any]:
    return {
        "seq": seq,
        "action": line.action.id,
        "x": line.action.x,
        "y": line.action.y,
        "level": level,
        "level_completed": turn["level_completed"],
        "levels_completed": turn["levels_completed"],
        "state": turn["state"],
        "changed": turn["changed"],
        "input": "unknown",
        "time": round(seconds * 1000, 1),
        "client_time": None,
        "previous_paint": None,
        "frame_count": turn["frame_count"],
        "frames": b64encode(turn["frames"]).decode("ascii"),
    }


def _seconds(recorded: Recording, seq: int) -> float:
    """Since the opening, by the file's times; a second an action where it has none."""
    begin, moment = recorded.turns[0].timestamp, recorded.turns[seq].timestamp
    if not (begin and moment):
        return seq * _PACE.total_seconds()
    return (datetime.fromisoformat(moment) - datetime.fromisoformat(begin)).total_seconds()
