"""Recordings that staff drop on a page to watch: runs from elsewhere, which are nobody's attempt.

Each is one file of DATA_DIR/dropped and no row of the database, so nothing counts it. Only who dropped it
opens it. It is erased when they remove it, DAYS after it came, or when MOST_FILES newer ones are theirs.
"""

import gzip
import json
import time
from base64 import b64decode
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from operator import itemgetter
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings

from engine.errors import RecordingError
from engine.play.recording import Recording, read_plays
from engine.prove.masks import find, nothing
from playtest.arena.scores.baselines import baseline_of
from playtest.arena.scores.run_analyses import CardAnalysis, PlayAnalysis, moves_of
from playtest.insight.outside.importing import candidates
from playtest.insight.outside.replaying import Replayed, as_recorded, code_in, replay
from playtest.insight.services.masks import stretches
from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.review.journal_document import UNTIMED_MILLISECONDS, entry_document, fewest_by_level
from playtest.rules.results import WIN, ResultEntry
from playtest.rules.run_analysis import analyse
from playtest.studio.models import Environment, Version
from playtest.studio.queries.masks import masks_of

DAYS = 7
MOST_FILES = 20
LARGEST_MEGABYTES = 64
MOST_ACTIONS = 5_000
UNKNOWN = -1
"""The action of an entry of which only the frames are known."""
_FRAMES_PER_SECOND = 20


def folder() -> Path:
    """The folder of the files, created when first needed, for the server's own user only."""
    path: Path = settings.DATA_DIR / "dropped"
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def drop(lines: Iterable[bytes], size: int, name: str, code: str, staff: Staff) -> UUID:
    """Reads a recording of any dialect and stores what its page shows; returns what opens it.

    It is played again on the version that is here, else shown as it was recorded; `code` names the
    environment where the file does not.
    Refusal (400): as `read_plays`, recording_too_long, environment_missing; 413: file_too_large.
    """
    if size > LARGEST_MEGABYTES * 1024 * 1024:
        message = f"A recording to watch has at most {LARGEST_MEGABYTES} MB: cut it, or import it as a study."
        raise Refusal("file_too_large", message, status=413)
    try:
        plays = read_plays(lines, to_watch=True)
    except RecordingError as error:
        raise Refusal(error.code, error.message, status=400) from error
    except (ValueError, TypeError, RecursionError) as error:
        raise Refusal("recording_malformed", f"This file cannot be read: {error}.", status=400) from error
    if sum(len(one.turns) for one in plays) > MOST_ACTIONS:
        message = (
            f"A recording to watch has at most {MOST_ACTIONS:,} actions: cut it, or import it as a study."
        )
        raise Refusal("recording_too_long", message, status=400)
    made = {
        "name": name[:100],
        "at": now().isoformat(),
        "plays": [_play(one, name, code.strip()) for one in plays],
    }
    token = uuid4()
    path = _path(staff, token)
    waiting = path.with_suffix(".part")
    waiting.write_bytes(gzip.compress(json.dumps(made).encode(), 5))
    waiting.rename(path)
    for old in _files(staff)[MOST_FILES:]:
        old.unlink(missing_ok=True)
    return token


def dropped(staff: Staff, token: UUID) -> dict[str, Any] | None:
    """What was stored of a recording that this person dropped: its `name`, when (`at`), and its `plays`."""
    try:
        stored: dict[str, Any] = json.loads(gzip.decompress(_path(staff, token).read_bytes()))
    except FileNotFoundError:
        return None
    return stored | {"token": token, "at": datetime.fromisoformat(stored["at"])}


def all_dropped(staff: Staff) -> Iterator[dict[str, Any]]:
    """Everything that this person dropped and that is not erased, the newest first."""
    for path in _files(staff):
        if found := dropped(staff, UUID(path.name.partition(".")[0].partition("-")[2])):
            yield found


def remove(staff: Staff, token: UUID) -> None:
    _path(staff, token).unlink(missing_ok=True)


def erase_old() -> None:
    """Erases what came more than DAYS ago, whose-ever it is."""
    before = time.time() - timedelta(days=DAYS).total_seconds()
    for path in folder().iterdir():
        if path.stat().st_mtime < before:
            path.unlink(missing_ok=True)


def _path(staff: Staff, token: UUID) -> Path:
    return folder() / f"{staff.pk}-{token.hex}.json.gz"


def _files(staff: Staff) -> list[Path]:
    return sorted(folder().glob(f"{staff.pk}-*.gz"), key=lambda path: path.stat().st_mtime, reverse=True)


def _play(recorded: Recording, name: str, code: str) -> dict[str, Any]:
    codes = dict.fromkeys(Environment.objects.interactive().values_list("code", flat=True))
    of = code or code_in(recorded.game_id, name, codes) or ""
    said, played = "", None
    if of in codes and all(turn.action_known for turn in recorded.turns):
        known = replace(recorded, game_id=recorded.game_id if recorded.game_id.startswith(of) else of)
        found = replay(known, name, "", candidates(environment__code=of))
        if isinstance(found, Replayed) and found.differs_from != 0:
            played = found
        elif not isinstance(found, Replayed):
            said = found.reason
    if played is None:
        if not recorded.has_frames:
            message = (
                "It has actions and no frames, and no environment that plays them: choose the environment."
            )
            raise Refusal("environment_missing", said or message, status=400)
        if not recorded.turns[0].frames:  # the opening was not recorded
            recorded = replace(recorded, turns=recorded.turns[1:])
        played = as_recorded(recorded, name, of or recorded.game_id.partition("-")[0])
    version = Version.objects.filter(pk=played.version).first()
    first = played.turns[0].turn
    begun = played.times[0] if played.times else now()
    return {
        "code": played.code,
        "version": version and version.pk,
        "game_id": recorded.game_id,
        "dialect": recorded.dialect,
        "actions": len(played.turns) - 1,
        "document": {
            "environment": played.code,
            "played_by": "recording",
            "version": version.digest if version else "",
            "levels": first.levels,
            "fewest": fewest_by_level(version) if version else [None] * first.levels,
            "frames_per_second": version.default_fps if version else _FRAMES_PER_SECOND,
            "started_at": begun.isoformat(),
            "pauses": [],
            "outcome": "",
            "record": None,
            "entries": list(_entries(played, recorded)),
            "events": [],
            "otherwise": " ".join(filter(None, [_origin(played, version), *played.notes, said])),
        },
    }


def _origin(played: Replayed, version: Version | None) -> str:
    times = "" if played.times else " It has no times: one second stands for one action."
    if version is None:
        return f"No version here plays it: these are the frames that were recorded.{times}"
    if played.differs_from is not None:
        at = f"From action {played.differs_from} on these are the frames that were recorded"
        return f"{at}: no version here plays it so.{times}"
    proof = (
        "It has no frames, so nothing proves that it was played on" if played.unproven else "It plays as on"
    )
    return f"{proof} version {version.digest[:8]}, which is here.{times}"


def _entries(played: Replayed, recorded: Recording) -> Iterator[dict[str, Any]]:
    for one in played.turns:
        since = (
            (played.times[one.index] - played.times[0]).total_seconds() * 1000
            if played.times
            else one.turn.seq * UNTIMED_MILLISECONDS
        )
        entry = entry_document(one.action, one.level, one.turn, float(since))
        yield entry if recorded.turns[one.index].action_known else entry | {"action": UNKNOWN}


def analysed(play: dict[str, Any]) -> CardAnalysis:
    """Why a play got no further, by the mask of its version; without one by what its own frames show."""
    document, version = play["document"], Version.objects.filter(pk=play["version"]).first()
    begun, facts = datetime.fromisoformat(document["started_at"]), itemgetter(*ResultEntry._fields[:6])
    rows = [
        (
            ResultEntry._make((*facts(entry), b"", begun + timedelta(milliseconds=entry["time"]))),
            *(entry["x"], entry["y"], entry["level"]),
            b64decode(entry["frames"]),
        )
        for entry in document["entries"]
    ]
    if version is not None:
        mask = masks_of([version.pk]).get(version.pk)
    else:
        moves = (
            ((entry.action, x, y), entry.levels_completed, entry.state, payload)
            for entry, x, y, _, payload in rows
        )
        mask = find(stretches(moves)).mask
    baseline = baseline_of(version).actions if version else ()
    found = analyse(list(moves_of(rows, nothing() if mask is None else mask)), baseline, restarts=True)
    won = document["entries"][-1]["state"] == WIN
    return CardAnalysis((PlayAnalysis(play["code"] or "?", document["levels"], won, found, ""),))
