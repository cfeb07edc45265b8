"""Measures how alike the current versions are, each pair once."""

from collections import defaultdict
from itertools import combinations

from engine.errors import EngineError
from engine.play.actions import Action
from engine.play.frames import Frame, decode, unpack
from engine.play.source import Source
from playtest.rules import likeness as rule
from playtest.studio.models import Environment, Likeness, Recording, RecordingKind, Version
from playtest.studio.processes.game import play_until_win
from playtest.studio.queries.redundancy import ASKED
from playtest.studio.services.first_frames import first_frames_of
from playtest.studio.services.qualifications import source_of

MOST_AT_ONCE = 2_000
"""Pairs of one run, about a minute: the rest follows with the next."""


def measure_pairs() -> int:
    """Measures pairs that have not been, and forgets those of other versions; returns how many."""
    current = Environment.objects.interactive().filter(current__isnull=False).values("current")
    versions = Version.objects.filter(pk__in=current).select_related("environment").in_bulk()
    Likeness.objects.exclude(first__in=versions, second__in=versions).delete()
    known = set(Likeness.objects.values_list("first", "second"))
    missing = [pair for pair in combinations(sorted(versions), 2) if pair not in known][:MOST_AT_ONCE]
    profiles = {pk: profile_of(versions[pk]) for pk in {pk for pair in missing for pk in pair}}
    Likeness.objects.bulk_create(_measured(pair, profiles) for pair in missing)
    for pair in Likeness.objects.order_by("-whole", "pk")[:ASKED]:
        if pair.solved is None:
            first, second = versions[pair.first_id], versions[pair.second_id]
            pair.solved = max(_solved(first, second), _solved(second, first))
            pair.save(update_fields=["solved"])
    return len(missing)


def _measured(pair: tuple[int, int], profiles: dict[int, rule.Profile]) -> Likeness:
    both = profiles[pair[0]], profiles[pair[1]]
    measures = rule.appearance_alike(*both), rule.effects_alike(*both), rule.one_program(*both)
    names = dict(zip(("appearance", "effects", "program"), measures, strict=True))
    return Likeness(first_id=pair[0], second_id=pair[1], whole=rule.likeness(*measures), **names)


def profile_of(version: Version) -> rule.Profile:
    """What can be seen and measured of a version: its levels, its shortest win, its own source."""
    stored = [unpack(bytes(one.frame)) for one in version.first_frames.all()]
    frames = stored or [*first_frames_of(version).values()]
    return rule.Profile(rule.appearance_of(frames), _effects(version), version.source.encode())


def _shortest_win(version: Version) -> Recording | None:
    wins = version.recordings.filter(kind=RecordingKind.WIN, level=1)
    return min(wins, key=lambda one: len(one.actions), default=None)


def _effects(version: Version) -> dict[int, tuple[float, float]]:
    recording = _shortest_win(version)
    if recording is None:
        return {}
    changed: defaultdict[int, list[float]] = defaultdict(list)
    shown: Frame | None = None
    for number, payload in enumerate(_played(source_of(version), recording)):
        frames = decode(payload, shown)
        if number and shown is not None:
            changed[recording.actions[number - 1][0]].append(float((frames[-1] != shown).mean()))
        shown = frames[-1]
    count = sum(map(len, changed.values())) or 1
    return {act: (len(found) / count, sum(found) / len(found)) for act, found in changed.items()}


def _played(source: Source, recording: Recording) -> list[bytes]:
    actions = [Action(*one) for one in recording.actions]
    try:
        turns, _ = play_until_win(source, recording.seed, actions, as_arcengine=recording.as_arcengine)
    except EngineError:
        return []
    return [turn.frames.payload for turn in turns]


def _solved(one: Version, other: Version) -> int:
    """The levels of the other that a win of the one completes; 0 if it has actions that the other lacks."""
    recording = _shortest_win(one)
    if recording is None or not {act for act, *_ in recording.actions} <= {0, *other.available_actions}:
        return 0
    try:
        turns, _ = play_until_win(
            source_of(other), recording.seed, [Action(*act) for act in recording.actions]
        )
    except EngineError:
        return 0
    return max(turn.levels_completed for turn in turns)
