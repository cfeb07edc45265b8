"""Writes `tests/vectors/clocks.json`, to which films (Python) and the player (the browser) are both held.

python -m tests.review.clock_vectors                          what the films' clock says now
python -m tests.review.clock_vectors name journal.json ...    with the attempts of these journals

Each vector: `name`; `frames_per_second`; `entries`, each [time in ms, frames, ms by the station's clock or
null, ms from press to paint of the entry before or null]; `paces`, each with clock, speed, idle (seconds or
null) and `shown`: [entry, frame, ms of the film] of every frame.
"""

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from playtest.review.video.clock import Clock, Pace, Shown, moments

VECTORS = Path(__file__).parents[1] / "vectors" / "clocks.json"
PACES = (
    Pace(),
    Pace(idle=2.0),
    Pace(speed=16.0, idle=1.0),
    Pace(speed=0.25, idle=3.0),
    Pace(Clock.ACTION),
    Pace(Clock.ACTION, speed=4.0, idle=2.0),
)


def stored() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(VECTORS.read_text())
    return found


def shown(vector: dict[str, Any], pace: Pace) -> list[list[float]]:
    """What a film shows of a vector's attempt."""
    seen = [_shown(*entry) for entry in vector["entries"]]
    found = moments(seen, vector["frames_per_second"], pace)
    return [[moment.entry, moment.frame, round(moment.seconds * 1000, 3)] for moment in found]


def text(vectors: Sequence[dict[str, Any]]) -> str:
    """The file: a line for each attempt's entries and for each pace."""
    return "[\n" + ",\n".join(_text(vector) for vector in vectors) + "\n]\n"


def of_journal(name: str, journal: dict[str, Any]) -> dict[str, Any]:
    """A vector from an attempt's `journal.json`; the station's clock counts from its first press."""
    pressed = [entry["client_time"] for entry in journal["entries"]]
    zero = next((at for at in pressed if at is not None), 0.0)
    entries = [
        [
            entry["time"],
            entry["frame_count"],
            None if at is None else round(at - zero, 3),
            entry["previous_paint"],
        ]
        for entry, at in zip(journal["entries"], pressed, strict=True)
    ]
    return {"name": name, "frames_per_second": journal["frames_per_second"], "entries": entries}


def _shown(time: float, frames: int, pressed: float | None, paint: float | None) -> Shown:
    return Shown(time / 1000, frames, *(at if at is None else at / 1000 for at in (pressed, paint)))


def _text(vector: dict[str, Any]) -> str:
    paces = [json.dumps({**asdict(pace), "shown": shown(vector, pace)}) for pace in PACES]
    head = {name: vector[name] for name in ("name", "frames_per_second", "entries")}
    return json.dumps(head)[:-1] + ',\n "paces": [\n  ' + ",\n  ".join(paces) + "]}"


def main(arguments: list[str]) -> None:
    given = zip(arguments[::2], arguments[1::2], strict=True)
    added = [of_journal(name, json.loads(Path(path).read_text())) for name, path in given]
    VECTORS.write_text(text(added or stored()))


if __name__ == "__main__":
    main(sys.argv[1:])
