"""Boards: of people who play, as their game encoded them, and of others from the journal."""

from dataclasses import dataclass
from datetime import datetime

from engine.errors import PayloadError
from engine.play.frames import Frame, counted, decode_last, inflated, keyframe
from playtest.play.journal.entries import recorded_turn
from playtest.play.models import Entry

_MOST_BYTES = 8192
_KEYFRAME = b"\xff\xff"


class EncodedBoard:
    """A board as encoded frames, which are decoded only when somebody needs the whole board.

    Most boards are in nobody's view, so what comes in is kept as it is, and now and then made one frame.
    Viewers who know the board are told what `take_untold` returns.
    """

    __slots__ = ("_frame", "_later", "_size", "_untold", "_untold_size")

    def __init__(self, frames: bytes) -> None:
        """Of frames that begin with a keyframe; PayloadError for any other."""
        if not frames.startswith(_KEYFRAME):
            raise PayloadError("payload_malformed", "These frames do not begin with a keyframe.")
        self._frame: Frame | None = None
        self._later: list[bytes] = []
        self._untold: list[bytes] = []
        self._size = self._untold_size = 0
        self.add(frames)

    def add(self, frames: bytes) -> None:
        """Apply frames, each cell of which has its absolute colour. PayloadError if they are damaged."""
        counted(frames)
        self._later.append(frames)
        self._untold.append(frames)
        self._size += len(frames)
        self._untold_size += len(frames)
        if self._size > _MOST_BYTES:
            self._decode()
        if self._untold_size > _MOST_BYTES:
            self._untold, self._untold_size = [self.keyframe()], 0

    def take_untold(self) -> bytes:
        """The frames since the last call."""
        frames = b"".join(self._untold)
        self._untold.clear()
        self._untold_size = 0
        return frames

    def keyframe(self) -> bytes:
        """The whole board, encoded."""
        return keyframe(self._decode())

    def _decode(self) -> Frame:
        frame = self._frame
        if self._later or frame is None:
            frame = self._frame = decode_last(b"".join(self._later), frame)
            self._later.clear()
            self._size = 0
        assert frame is not None  # the first frames begin with a keyframe
        return frame


@dataclass(frozen=True, slots=True)
class RecordedBoard:
    """The last recorded turn of an attempt. `acted_at` is None before the first action."""

    seq: int
    level: int
    levels_completed: int
    acted_at: datetime | None
    frame: Frame | None


def recorded_board(attempt_id: int) -> RecordedBoard | None:
    """What the last recorded turn shows; None before the opening frame.

    Decodes the attempt's frames from its start: some milliseconds for 300 actions, half a second for the
    heaviest attempts. The frame is None if the stored frames are damaged.
    """
    last = Entry.objects.filter(attempt=attempt_id).order_by("-seq").first()
    if last is None:
        return None
    return RecordedBoard(
        seq=last.seq,
        level=recorded_turn(last, 0).level,
        levels_completed=last.levels_completed,
        acted_at=last.server_time if last.seq else None,
        frame=_frame(attempt_id, last.seq),
    )


def _frame(attempt_id: int, seq: int) -> Frame | None:
    stored = Entry.objects.filter(attempt=attempt_id, seq__lte=seq).order_by("seq")
    frame: Frame | None = None
    try:
        for frames in stored.values_list("frames", flat=True).iterator():
            frame = decode_last(inflated(bytes(frames)), frame)
    except PayloadError:
        return None
    return frame
