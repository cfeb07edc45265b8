"""Stored recordings, replayed, as JSON for the replay page."""

from hashlib import blake2b
from itertools import zip_longest
from typing import Any

from django.core.cache import cache

from engine.errors import EngineError
from engine.play import source as sources
from engine.play.actions import Action
from engine.play.turns import WIN, EncodedTurn
from playtest.people.release import computed
from playtest.play.errors import Refusal
from playtest.review.journal_document import UNTIMED_MILLISECONDS, entry_document, fewest_by_level
from playtest.studio.models import Recording, RecordingKind, Version
from playtest.studio.processes.game import play_until_win

_CACHE_SECONDS = 24 * 60 * 60
_DIFFERS = "The replay differs from the recording from its {} on. The replay is shown."
_OUTCOMES = {RecordingKind.WIN.value: "completed", RecordingKind.OPTIMAL.value: "completed"}


def winning_recording(version: Version) -> Recording | None:
    """The developer's recording that wins the version: the one named "win", else the first by name."""
    won = version.recordings.filter(kind=RecordingKind.WIN, level=1)
    return won.filter(name="win").first() or won.order_by("name").first()


def winning_document(version: Version) -> dict[str, Any]:
    """As `journal_document`, of the recording. Refusal: no_winning_recording, recording_unplayable."""
    found = winning_recording(version)
    if found is None:  # nor does a static task have any
        message = "This version has no winning recording: compare with something else."
        raise Refusal("no_winning_recording", message, status=404)
    return recording_document(found)


def recording_document(recording: Recording) -> dict[str, Any]:
    """As `journal_document`, of any stored recording. Refusal: recording_unplayable.

    A finding is shown as it replays now; `otherwise` says where that differs from the recording.
    """
    content = repr(
        (
            *(recording.seed, recording.level, recording.as_arcengine),
            *(recording.actions, recording.state_hashes),
        )
    )
    digest = blake2b(content.encode(), digest_size=16).hexdigest()
    key = computed(f"recording:{recording.version.digest}:{digest}")
    document: dict[str, Any] | None = cache.get(key)
    if document is None:
        document = _document(recording)
        if "otherwise" not in document:  # the next replay may differ again
            cache.set(key, document, _CACHE_SECONDS)
    fewest = fewest_by_level(recording.version)  # not cached: there may be new recordings
    return document | {"played_by": "recording", "fewest": fewest}


def _document(recording: Recording) -> dict[str, Any]:
    version = recording.version
    source = sources.from_parts(version.metadata, version.source, version.environment.code)
    actions = [Action(*action) for action in recording.actions]
    found = recording.kind == RecordingKind.FINDING
    try:
        turns, fault = play_until_win(
            source, recording.seed, actions, recording.level, as_arcengine=recording.as_arcengine
        )
        if fault and not found:
            raise fault
    except EngineError as error:
        message = f"The {_name(recording)} cannot be played: {error.message}"
        raise Refusal("recording_unplayable", message) from error
    at = _differs_at(recording, turns)
    if at is not None and not found:
        message = f"The {_name(recording)} does not play as recorded: action {at} differs."
        raise Refusal("recording_unplayable", message)
    return {
        "environment": version.environment.code,
        "version": version.digest,
        "levels": version.levels,
        "frames_per_second": version.default_fps,
        "started_at": recording.made_at.isoformat(),
        "pauses": [],
        "outcome": _OUTCOMES.get(recording.kind, ""),
        "record": None,
        "entries": _entries(recording, [Action(0), *actions], turns),
        "events": [],
        **({} if at is None else {"otherwise": _DIFFERS.format(f"action {at}" if at else "start")}),
    }


def _differs_at(recording: Recording, turns: list[EncodedTurn]) -> int | None:
    """The first turn that differs, is missing or is one too many; 0 is the opening; None if all agree.

    Actions recorded after the win are not replayed.
    """
    hashes = recording.state_hashes or [turn.state_hash.hex() for turn in turns]
    if turns[-1].state == WIN:
        hashes = hashes[: len(turns)]
    pairs = zip_longest(hashes, (turn.state_hash.hex() for turn in turns))
    return next((seq for seq, (was, now) in enumerate(pairs) if was != now), None)


def _entries(recording: Recording, actions: list[Action], turns: list[EncodedTurn]) -> list[dict[str, Any]]:
    """An entry for each turn; of a finding that ends in a fault, for each turn before it."""
    level, entries = turns[0].level, []
    times = recording.milliseconds or [seq * UNTIMED_MILLISECONDS for seq in range(len(turns))]
    for action, turn, time in zip(actions, turns, times, strict=False):
        entries.append(entry_document(action, level, turn, float(time)))
        level = turn.level
    return entries


def _name(recording: Recording) -> str:
    return "winning recording" if recording.kind == RecordingKind.WIN else f"recording “{recording.name}”"
