"""Stores the developer's recordings of a version, in every dialect of `engine.play.recording`.

What one is (a win, a loss, or unfinished) is found by playing it, whatever its file is called.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from datetime import datetime
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from threading import Event
from typing import Any

from django.utils import timezone

from engine.errors import EngineError
from engine.play.frames import state_hash
from engine.play.module_lines import in_modules
from engine.play.recording import RecordedTurn, read
from engine.play.source import Source
from engine.play.turns import GAME_OVER, NOT_FINISHED, WIN
from playtest.studio.models import DEVELOPERS, Recording, RecordingChange, Version
from playtest.studio.recording_outcome import Outcome, Script, find_outcome
from playtest.studio.services.qualifications import source_of

FOLDER = "recordings"
LARGEST_FILE = 256 * 1024 * 1024
SEED = 0
"""The seed with which developers record (`games/`)."""
_STATES = (NOT_FINISHED, WIN, GAME_OVER)
_SECONDS_BETWEEN_REPORTS = 0.5


def keep_recordings(version: Version, folder: Path, waiting: Callable[[], None] = lambda: None) -> list[str]:
    """Stores `folder/recordings/*.jsonl`; returns remarks, each with the file's name.

    A recording takes the place of the older one of its name. One whose file has not changed stays as staff
    left it: what they removed does not come back. None is deleted here, as another copy of this version may
    have come without it. `waiting` is called several times a second, and may raise.
    """
    said = []
    for path in sorted((folder / FOLDER).glob("*.jsonl")):
        try:
            remark = _keep(version, path, waiting)
        except EngineError as error:
            remark = f"is left out: {error.code}: {error.message}"
        except (OSError, ValueError, RecursionError) as error:
            remark = f"is left out: recording_malformed: {error}"
        if remark:
            said.append(f"{FOLDER}/{path.name} {remark}")
    source = replace(source_of(version), path=str(folder / f"{version.environment.code}.py"))
    return [in_modules(one, source) for one in said]


def _keep(version: Version, path: Path, waiting: Callable[[], None]) -> str:
    """The remark about a recording, or nothing."""
    turns = turns_in(path)
    name, digest = path.stem[:100], digest_of_file(turns)
    if removed := _removal(version, name, digest):
        when = f"it was removed on {removed.changed_at:%Y-%m-%d}: {removed.reason}"
        return f"is left out: recording_removed: {when}. To bring it back, give the file another name."
    known = developers_recording(version, name)
    if known is not None and known.digest == digest:
        return ""
    outcome = outcome_of(source_of(version), turns, waiting)
    fields = _fields(turns, outcome) | {"digest": digest}
    if known is not None:
        Recording.objects.filter(pk=known.pk).update(**fields)
    else:
        made_at = next(_moments(turns), timezone.now())
        made_at = made_at if timezone.is_aware(made_at) else timezone.now()
        Recording.objects.create(version=version, name=name, made_at=made_at, **fields)
    return f"({outcome.kind}): {outcome.remark}" if outcome.remark else ""


def turns_in(path: Path) -> tuple[RecordedTurn, ...]:
    """The turns of a file. Raises RecordingError, OSError, ValueError and RecursionError."""
    if not path.is_file():  # a pipe would keep the import waiting for ever
        raise ValueError("it is not a file")
    if path.stat().st_size > LARGEST_FILE:
        raise ValueError("it is too large")
    with path.open("rb") as lines:
        return read(lines).turns


def developers_recording(version: Version, name: str) -> Recording | None:
    """The recording of this name that came beside the source, whatever its type."""
    return version.recordings.filter(kind__in=DEVELOPERS, name=name).order_by("pk").first()


def content_digest(recording: Recording) -> str:
    """The digest of a file; for a recording stored without one, the digest of what is stored."""
    stored = (recording.actions, recording.state_hashes, recording.milliseconds, recording.levels_completed)
    return recording.digest or _digest(stored)


def digest_of_file(turns: Sequence[RecordedTurn]) -> str:
    """The digest of what a file says, whatever its dialect's spelling."""
    levels = [turn.levels_completed for turn in turns] if turns[-1].state else []
    return _digest((_actions(turns), _hashes(turns), _milliseconds(turns), levels))


def _digest(content: object) -> str:
    return blake2b(json.dumps(content).encode(), digest_size=16).hexdigest()


def _removal(version: Version, name: str, digest: str) -> RecordingChange | None:
    return version.recording_changes.filter(name=name, digest=digest, after="").order_by("-pk").first()


def outcome_of(
    source: Source, turns: Sequence[RecordedTurn], waiting: Callable[[], None] = lambda: None
) -> Outcome:
    """What playing a file's turns on a source shows. Raises EngineError when it does not start."""
    script = Script(
        actions=tuple(turn.action for turn in turns[1:]),
        hashes=tuple(found.hex() if (found := _hash(turn)) else None for turn in turns),
        stated=tuple(
            (turn.state, turn.levels_completed) if turn.state in _STATES else None for turn in turns
        ),
        pictures=tuple(
            turn.frames[-1].tobytes() if turn.frames and not _hash(turn) else None for turn in turns
        ),
    )
    stop = Event()
    with ThreadPoolExecutor(max_workers=1) as worker:
        future = worker.submit(find_outcome, source, script, SEED, stop)
        try:
            while not wait([future], _SECONDS_BETWEEN_REPORTS).done:
                waiting()
        finally:
            stop.set()
    return future.result()


def _fields(turns: Sequence[RecordedTurn], outcome: Outcome) -> dict[str, Any]:
    """The stored fields: the opening and the actions that were played."""
    played = [turns[0], *(turns[1 + index] for index in outcome.carried_out)]
    if outcome.wrong:  # all of it, so that it can be seen where it goes wrong
        played = list(turns)
    return {
        "kind": outcome.kind,
        "seed": SEED,
        "actions": _actions(played),
        "state_hashes": _hashes(played),
        "milliseconds": _milliseconds(played),
        "levels_completed": [] if outcome.wrong else list(outcome.levels_completed),
        "as_arcengine": outcome.as_arcengine,
        "remark": outcome.remark,
    }


def _actions(turns: Sequence[RecordedTurn]) -> list[list[int | None]]:
    return [[turn.action.id, turn.action.x, turn.action.y] for turn in turns[1:]]


def _hashes(turns: Sequence[RecordedTurn]) -> list[str]:
    """The state hashes; none unless every turn has a hash or its frames."""
    found = [_hash(turn) for turn in turns]
    return [named.hex() for named in found if named] if all(found) else []


def _hash(turn: RecordedTurn) -> bytes | None:
    if turn.state_hash is not None or not (turn.frames and turn.levels and turn.state in _STATES):
        return turn.state_hash
    level = min(turn.levels_completed + 1, turn.levels)
    return state_hash(turn.frames[-1], level, turn.levels_completed, turn.state)


def _milliseconds(turns: Sequence[RecordedTurn]) -> list[int]:
    moments = list(_moments(turns))
    return [round((moment - moments[0]).total_seconds() * 1000) for moment in moments]


def _moments(turns: Sequence[RecordedTurn]) -> Iterator[datetime]:
    """The times; none unless every turn has one."""
    try:
        moments = [datetime.fromisoformat(turn.timestamp) for turn in turns]
        if all(later >= earlier for earlier, later in pairwise(moments)):
            yield from moments
    except (TypeError, ValueError):
        return
