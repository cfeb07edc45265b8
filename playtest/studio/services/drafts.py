"""Drafts: what an author is working on, imported and played again whenever its files change."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from django.db import transaction

from engine.errors import EngineError
from engine.play.packing import is_packed, write
from engine.play.recording import RecordedTurn
from engine.play.source import Source, load
from engine.play.turns import GAME_OVER, WIN
from playtest.studio.models import Environment, RecordingKind, Version
from playtest.studio.services.loading import inspected_facts, store_version
from playtest.studio.services.recordings import FOLDER, outcome_of, turns_in

FIRST_FRAMES = "first_frames"
_KINDS = {WIN: RecordingKind.WIN, GAME_OVER: RecordingKind.LOSS}
_ENDS = {
    RecordingKind.WIN: "a win",
    RecordingKind.LOSS: "a loss",
    RecordingKind.UNFINISHED: "neither a win nor a loss",
}


@dataclass(frozen=True)
class PlayedRecording:
    """One file of `recordings/`: how it plays now, in words, and whether that is how it was recorded."""

    name: str
    plays: bool
    sentence: str


def read_source(folder: Path) -> Source:
    """The source in an environment's folder, packed first if it is written as several modules.

    Raises SourceError as `engine.play.packing.write` and `engine.play.source.load`.
    """
    if is_packed(folder):
        write(folder)
    return load(folder)


def keep_draft(source: Source) -> Version:
    """The version of this source, stored as a draft if it is new.

    A draft takes the place of the one before, unless that was played, explored or qualified.
    Raises EngineError if the source does not start or cannot be stored.
    """
    known = Version.objects.filter(environment__code=source.environment_id, digest=source.digest).first()
    if known is not None:
        return known
    facts = inspected_facts(source)
    with transaction.atomic():
        title = {"title": source.title[:100]}
        Environment.objects.get_or_create(code=source.environment_id, defaults=title)
        environment = Environment.objects.select_for_update().get(code=source.environment_id)
        if known := environment.versions.filter(digest=source.digest).first():
            return known
        for draft in environment.versions.filter(is_draft=True):
            if not is_used(draft):
                draft.delete()
        return store_version(environment, source, facts, is_draft=True)


def play_recordings(source: Source, folder: Path) -> list[PlayedRecording]:
    """Plays every file of `folder/recordings/` on this source, in the order of their names."""
    return [_play(source, path) for path in sorted((folder / FOLDER).glob("*.jsonl"))]


def is_used(version: Version, apart_from: Collection[str] = ()) -> bool:
    """Whether anything refers to a version, but for these of its related names and its first frames."""
    return any(
        link.related_model._default_manager.filter(**{link.field.name: version}).exists()
        for link in Version._meta.related_objects
        if link.name not in (FIRST_FRAMES, *apart_from)
    )


def _play(source: Source, path: Path) -> PlayedRecording:
    name = f"{FOLDER}/{path.name}"
    try:
        turns = turns_in(path)
        outcome = outcome_of(source, turns)
    except EngineError as error:
        return PlayedRecording(name, plays=False, sentence=f"{error.code}: {error.message}")
    except (OSError, ValueError, RecursionError) as error:
        return PlayedRecording(name, plays=False, sentence=f"recording_malformed: {error}")
    before, now = _recorded_end(turns), outcome.kind
    ends = f"It ends in {_ENDS[now]}" + (f", and was {_ENDS[before]}" if before != now else ", as recorded")
    if outcome.wrong:
        return PlayedRecording(name, plays=False, sentence=f"{outcome.wrong} {ends}.")
    count = len(outcome.carried_out)
    sentence = f"It plays as recorded: {_ENDS[now]} after {count:,} action{'' if count == 1 else 's'}."
    return PlayedRecording(name, plays=True, sentence=sentence)


def _recorded_end(turns: tuple[RecordedTurn, ...]) -> RecordingKind:
    return _KINDS.get(turns[-1].state, RecordingKind.UNFINISHED)
