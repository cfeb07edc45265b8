"""The developer's recordings of a version, kept with it: every dialect of `engine.recording`."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import pairwise
from pathlib import Path

from django.utils import timezone

from engine.errors import EngineError
from engine.frames import state_hash
from engine.game import WIN
from engine.recording import RecordedTurn, read
from playtest.studio.models import Recording, RecordingKind, Version

FOLDER = "recordings"
LARGEST_FILE = 256 * 1024 * 1024
SEED = 0
"""The seed with which developers record (`games/`)."""

_LOSSES = ("loss", "lose", "lost")


def keep_recordings(version: Version, folder: Path) -> list[str]:
    """Store what lies in `folder/recordings/*.jsonl`, by the names of the files; what cannot be read.

    A recording of the same kind and name takes the place of the older one. None is ever deleted: another
    copy of this version may have come without it.
    """
    problems = []
    for path in sorted((folder / FOLDER).glob("*.jsonl")):
        try:
            _keep(version, path)
        except EngineError as error:
            problems.append(f"{FOLDER}/{path.name} is left out: {error.code}: {error.message}")
        except (OSError, ValueError, RecursionError) as error:
            problems.append(f"{FOLDER}/{path.name} is left out: recording_malformed: {error}")
    return problems


def _keep(version: Version, path: Path) -> None:
    if not path.is_file():  # a pipe would keep the import waiting for ever
        raise ValueError("it is no file")
    if path.stat().st_size > LARGEST_FILE:
        raise ValueError("it is too large")
    with path.open(encoding="utf-8") as lines:
        turns = read(lines).turns
    moments = list(_moments(turns))
    fields = {
        "seed": SEED,
        "actions": [[turn.action.id, turn.action.x, turn.action.y] for turn in turns[1:]],
        "state_hashes": list(_hashes(turns)),
        "milliseconds": [round((moment - moments[0]).total_seconds() * 1000) for moment in moments],
        "levels_completed": [turn.levels_completed for turn in turns] if turns[-1].state else [],
    }
    name, kind = path.stem[:100], _kind(path.stem, turns[-1])
    kept = Recording.objects.filter(version=version, kind=kind, name=name).first()
    if kept is None:
        made_at = moments[0] if moments and timezone.is_aware(moments[0]) else timezone.now()
        Recording.objects.create(version=version, kind=kind, name=name, made_at=made_at, **fields)
    elif any(getattr(kept, field) != value for field, value in fields.items()):
        Recording.objects.filter(pk=kept.pk).update(**fields)


def _kind(name: str, last: RecordedTurn) -> RecordingKind:
    """As the file is named, so that one which does not keep its word is found; else as it ends."""
    if name.lower().startswith("win"):
        return RecordingKind.WIN
    if name.lower().startswith(_LOSSES):
        return RecordingKind.LOSS
    return RecordingKind.WIN if last.state == WIN else RecordingKind.LOSS


def _hashes(turns: Sequence[RecordedTurn]) -> Iterator[str]:
    """Nothing unless every turn has a hash, or shows its frames."""
    found = [_hash(turn) for turn in turns]
    if all(found):
        yield from (named.hex() for named in found if named)


def _hash(turn: RecordedTurn) -> bytes | None:
    if turn.state_hash is not None or not turn.frames or not turn.levels:
        return turn.state_hash
    level = min(turn.levels_completed + 1, turn.levels)
    return state_hash(turn.frames[-1], level, turn.levels_completed, turn.state)


def _moments(turns: Sequence[RecordedTurn]) -> Iterator[datetime]:
    """Nothing unless every turn says when it was."""
    try:
        moments = [datetime.fromisoformat(turn.timestamp) for turn in turns]
        if all(later >= earlier for earlier, later in pairwise(moments)):
            yield from moments
    except (TypeError, ValueError):
        return
