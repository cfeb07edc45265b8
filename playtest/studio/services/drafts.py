"""Drafts: what an author is working on, imported and played again whenever its files change."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path

from django.db import transaction
from django.db.models import F, QuerySet

from engine.errors import EngineError
from engine.play.module_lines import in_modules
from engine.play.packing import is_packed, write
from engine.play.recording import RecordedTurn
from engine.play.source import Source, load
from engine.play.turns import GAME_OVER, WIN
from playtest.studio.models import DEVELOPERS, Environment, Recording, RecordingKind, Version
from playtest.studio.recording_outcome import Outcome
from playtest.studio.services.first_frames import first_frames_of, store_first_frames
from playtest.studio.services.loading import inspected_facts, store_version
from playtest.studio.services.recordings import FOLDER, digest_of_file, outcome_of, turns_in

FIRST_FRAMES = "first_frames"
_KINDS = {WIN: RecordingKind.WIN, GAME_OVER: RecordingKind.LOSS}
_NAMED = (("win", RecordingKind.WIN), ("shortest", RecordingKind.WIN), ("loss", RecordingKind.LOSS))
"""How a recording should end by the beginning of its file's name."""
_ENDS = {
    RecordingKind.WIN: "a win",
    RecordingKind.LOSS: "a loss",
    RecordingKind.UNFINISHED: "neither a win nor a loss",
}


@dataclass(frozen=True)
class Past:
    """How a file last played: the levels completed after the opening and after each action, and its end."""

    digest: str
    kind: RecordingKind
    levels_completed: tuple[int, ...]


@dataclass(frozen=True)
class PlayedRecording:
    """One file of `recordings/`: how it plays now, in words, and whether that is how it was recorded.

    `past` is what the next time is compared with, where it plays.
    """

    name: str
    plays: bool
    sentence: str
    past: Past | None = None


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


def draw_drafts(code: str) -> None:
    """Draws the levels of an environment's drafts that have no pictures yet."""
    for draft in Version.objects.filter(environment__code=code, is_draft=True, first_frames=None):
        store_first_frames(draft, first_frames_of(draft))


def play_recordings(source: Source, folder: Path, before: dict[str, Past]) -> list[PlayedRecording]:
    """Plays every file of `folder/recordings/` on this source, in the order of their names.

    `before` has how files played last, by their names, and takes how they play now. What it lacks is how they
    played on the current version, where that has the same file.
    """
    stored = {f"{FOLDER}/{one.name}.jsonl": one for one in _stored(source)}
    played = []
    for path in sorted((folder / FOLDER).glob("*.jsonl")):
        name = f"{FOLDER}/{path.name}"
        if name not in before and (known := stored.get(name)):
            before[name] = Past(known.digest, RecordingKind(known.kind), tuple(known.levels_completed))
        one = _play(source, path, before.get(name))
        played.append(replace(one, sentence=in_modules(one.sentence, source)))
        if past := played[-1].past:
            before[name] = past
    return played


def _stored(source: Source) -> QuerySet[Recording]:
    """The developer's recordings of the current version that play."""
    found = Recording.objects.filter(version__environment__code=source.environment_id, kind__in=DEVELOPERS)
    return found.filter(version=F("version__environment__current")).exclude(levels_completed=[])


def is_used(version: Version, apart_from: Collection[str] = ()) -> bool:
    """Whether anything refers to a version, but for these of its related names and its first frames."""
    return any(
        link.related_model._default_manager.filter(**{link.field.name: version}).exists()
        for link in Version._meta.related_objects
        if link.name not in (FIRST_FRAMES, *apart_from)
    )


def _play(source: Source, path: Path, before: Past | None) -> PlayedRecording:
    name = f"{FOLDER}/{path.name}"
    try:
        turns = turns_in(path)
        outcome = outcome_of(source, turns)
    except EngineError as error:
        return PlayedRecording(name, plays=False, sentence=f"{error.code}: {error.message}")
    except (OSError, ValueError, RecursionError) as error:
        return PlayedRecording(name, plays=False, sentence=f"recording_malformed: {error}")
    found = Past(digest_of_file(turns), outcome.kind, outcome.levels_completed)
    if before is not None and before.digest != found.digest:  # the file has changed since
        before = None
    wrong = outcome.wrong or (_otherwise(before, outcome) if before else "")
    expected, why = _expected(turns, path, before)
    ends = f"It ends in {_ENDS[outcome.kind]}"
    if expected and not _is_as(outcome.kind, expected):
        return PlayedRecording(name, plays=False, sentence=f"{wrong} {ends}, and {why}.".strip())
    if wrong:
        return PlayedRecording(name, plays=False, sentence=f"{wrong} {ends}{', as before' * bool(expected)}.")
    count = len(outcome.carried_out)
    end = f"{_ENDS[outcome.kind]} after {count:,} action{'' if count == 1 else 's'}"
    said = f"plays as recorded: {end}" if expected else f"ends in {end}; nothing says how it should end"
    return PlayedRecording(name, plays=True, sentence=f"It {said}.", past=found)


def _expected(
    turns: tuple[RecordedTurn, ...], path: Path, before: Past | None
) -> tuple[RecordingKind | None, str]:
    """How a recording should end, and what says so: its last line, how it ended before, its file's name."""
    if turns[-1].state:
        kind = _KINDS.get(turns[-1].state, RecordingKind.UNFINISHED)
        return kind, f"was {_ENDS[kind]}"
    if before is not None:
        return before.kind, f"was {_ENDS[before.kind]} before"
    named = next((kind for beginning, kind in _NAMED if path.stem.startswith(beginning)), None)
    return named, f"should be {_ENDS[named]} by its name" if named else ""


def _is_as(kind: RecordingKind, expected: RecordingKind) -> bool:
    """Whether it ends as expected. A loss may give up, where nothing can be lost."""
    return kind == expected or {kind, expected} == {RecordingKind.LOSS, RecordingKind.UNFINISHED}


def _otherwise(before: Past, outcome: Outcome) -> str:
    """The first action that went otherwise than before, if one did: by the levels completed after it."""
    pairs = zip_longest(before.levels_completed, outcome.levels_completed)
    for number, (then, now) in enumerate(pairs):
        if then != now:
            if None in (then, now):
                return f"Action {number} is {'not played any more' if now is None else 'played now'}."
            return f"Action {number} went otherwise: {now} levels are completed after it, and were {then}."
    return ""
