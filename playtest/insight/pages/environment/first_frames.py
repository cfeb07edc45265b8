"""The first frame of each level: the stored one, or what a journal or a recording has of it."""

from base64 import b64decode
from threading import Lock

from django.core.cache import cache

from engine.play.frames import CELLS, Frame, keyframe_at_end, unpack
from playtest.insight.models import LevelResult
from playtest.people.release import computed
from playtest.play.errors import Refusal
from playtest.play.journal.writer import inflate
from playtest.play.models import Entry
from playtest.review.recording_document import winning_document
from playtest.studio.models import FirstFrame, Version
from playtest.studio.services.first_frames import first_frames_of, store_first_frames

_CACHE_SECONDS = 24 * 60 * 60
_RETRY_SECONDS = 10 * 60
_one_at_a_time = Lock()
"""A page asks for all its pictures at once, and each may start a process."""


def first_frame(version: Version, level: int) -> Frame | None:
    """The level's first frame: the stored one, or else one from a journal or the stored winning recording.

    None when it has none of these. The frame may depend on the seed; this is the frame of one seed.
    """
    if not 1 <= level <= version.levels:
        return None
    packed = _stored(version, level)
    if packed is None:
        key = computed(f"first-frame:{version.digest}:{level}")
        packed = cache.get(key)
        if packed is None and (packed := _from_journal(version, level) or _from_recording(version, level)):
            cache.set(key, packed, _CACHE_SECONDS)
    return None if packed is None else unpack(packed)


def first_frame_or_start(version: Version, level: int) -> Frame | None:
    """As `first_frame`; if nothing shows the level, starts the version's levels, and keeps what they show.

    None when it cannot be started, or there is no such level.
    """
    if not 1 <= level <= version.levels:
        return None
    if (known := first_frame(version, level)) is not None:
        return known
    with _one_at_a_time:
        if (packed := _stored(version, level)) is not None:  # another request has started it meanwhile
            return unpack(packed)
        key = f"level-cannot-start:{version.digest}:{level}"
        if cache.get(key):
            return None
        found = first_frames_of(version)
        store_first_frames(version, found)
        if level not in found:
            cache.set(key, True, _RETRY_SECONDS)
        return found.get(level)


def as_digits(frame: Frame) -> str:
    """A frame as 4,096 hexadecimal digits, row by row, for the data of a figure."""
    return "".join(f"{cell:x}" for cell in frame.reshape(CELLS).tolist())


def _stored(version: Version, level: int) -> bytes | None:
    found = FirstFrame.objects.filter(version=version, level=level).values_list("frame", flat=True).first()
    return None if found is None else bytes(found)


def _from_journal(version: Version, level: int) -> bytes | None:
    entered = LevelResult.objects.filter(attempt__version=version, attempt__staff=None, level=level)
    found = entered.order_by("pk").values_list("attempt", "entered_seq").first()
    if found is None:
        return None
    attempt, seq = found
    frames = Entry.objects.filter(attempt=attempt, seq=seq).values_list("frames", flat=True).first()
    return None if frames is None else keyframe_at_end(inflate(frames))


def _from_recording(version: Version, level: int) -> bytes | None:
    try:
        entries = winning_document(version)["entries"]
    except Refusal:
        return None
    for entry in entries:
        entered = entry["seq"] == 0 if level == 1 else entry["level_completed"]
        if entered and entry["levels_completed"] == level - 1:
            return keyframe_at_end(b64decode(entry["frames"]))
    return None
