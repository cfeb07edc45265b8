"""`python -m tools.published FOLDER ZIP`: people's recordings as the official human data set was published.

Made of the environments of a folder, at any size, with what was met in the published files: no times of
their own in `full_reset`, ids as text without a leading RESET, two plays on one card, a last line whose
`actions_by_level` is cumulative, null or empty, shadow files of macOS, and ratings beside the zip.
"""

import argparse
import csv
import json
import os
import random
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from itertools import accumulate, batched, groupby
from multiprocessing import get_context
from operator import attrgetter
from pathlib import Path
from typing import Any
from uuid import UUID
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np

from engine.errors import ActionError
from engine.play import source as sources
from engine.play.actions import ACTION_NAMES, RESET, UNDO, Action
from engine.play.frames import Frame
from engine.play.game import Game
from engine.play.recording import read
from engine.play.source import Source
from engine.play.turns import WIN, Turn

BEGAN = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
FOLDER = "public_games-dataset"


@dataclass(frozen=True)
class Form:
    """How one file is written; as most of the published ones are by default.

    `game_id` is named in place of the source's own. `last_grid`: of each turn only the last grid. `by_level`:
    what the last line has for `actions_by_level`; None for the true counts.
    """

    text_ids: bool = False
    leading_reset: bool = True
    last_line: bool = True
    last_grid: bool = False
    frames: bool = True
    times: bool = True
    facts: bool = True
    game_id: str = ""
    by_level: Any = field(default=None)


def recording(
    source: Source, actions: Iterable[Action], guid: str, form: Form = Form(), began: datetime = BEGAN
) -> Iterator[str]:
    """The lines of one play, each with its line end; actions that the environment refuses are left out."""
    game, turn = Game.start(source, 0, as_arcengine=True)
    name, at = form.game_id or source.game_id, began
    counts = _Counts()
    if form.leading_reset:
        yield _line(Action(RESET), turn, name, guid, form, at)
    for number, action in enumerate(actions):
        try:
            turn = game.act(action)
        except ActionError:
            continue
        at += timedelta(seconds=1 + number % 3)
        counts.add(action, turn)
        yield _line(action, turn, name, guid, form, at)
        if turn.state == WIN:
            break
    if form.last_line:
        yield json.dumps(counts.last_line(source.game_id, guid, turn, form.by_level)) + "\n"


class _Counts:
    """What a card counts: without undo, as most of the published ones."""

    def __init__(self) -> None:
        self.actions = self.resets = self.full_resets = self.completed = 0
        self.by_level: list[list[int]] = []

    def add(self, action: Action, turn: Turn) -> None:
        self.actions += action.id != UNDO
        self.resets += action.id == RESET
        self.full_resets += action.id == RESET and turn.full_reset
        if turn.levels_completed > self.completed:
            self.completed = turn.levels_completed
            self.by_level.append([self.completed, self.actions])

    def last_line(self, game_id: str, guid: str, turn: Turn, by_level: Any) -> dict[str, Any]:
        plays = 1 + self.full_resets
        card = {
            "guids": [guid] * plays,
            "states": [turn.state] * plays,
            "actions": [self.actions],
            "levels_completed": [self.completed],
            "resets": [self.resets],
            "actions_by_level": [self.by_level] if by_level is None else by_level,
            "total_plays": plays,
        }
        return {
            "won": int(turn.state == WIN),
            "played": 1,
            "total_actions": self.actions,
            "levels_completed": self.completed,
            "cards": {game_id: card},
        }


def _line(action: Action, turn: Turn, game_id: str, guid: str, form: Form, at: datetime) -> str:
    data: dict[str, Any] = {
        "game_id": game_id,
        "guid": guid,
        "full_reset": False,
        "action_input": {
            "id": ACTION_NAMES[action.id] if form.text_ids else action.id,
            "data": action.data,
            "reasoning": None,
        },
    }
    if form.facts:
        data |= {
            "state": turn.state,
            "levels_completed": turn.levels_completed,
            "win_levels": turn.levels,
            "available_actions": list(turn.available_actions),
        }
    head = json.dumps({"timestamp": at.isoformat()} if form.times else {})[:-1]
    shown = turn.frames[-1:] if form.last_grid else turn.frames
    frames = f', "frame": [{", ".join(_grid(one.tobytes()) for one in shown)}]' if form.frames else ""
    return f'{head}{", " if form.times else ""}"data": {json.dumps(data)[:-1]}{frames}}}}}\n'


@lru_cache(maxsize=4096)
def _grid(cells: bytes) -> str:
    frame: Frame = np.frombuffer(cells, dtype=np.uint8).reshape(64, 64)
    return json.dumps(frame.tolist())


def write_zip(
    path: Path,
    folders: Sequence[Path],
    recordings: int,
    gigabytes: float = 0.0,
    seed: int = 1,
    processes: int = 1,
) -> int:
    """Writes the zip with the ratings beside it; returns the bytes of the recordings before compression.

    Each play repeats the environment's winning recording, level by level, with as many resets as make
    `gigabytes` in all; where that is less than the recording has, it ends early. Without `gigabytes` no play
    has resets. With more than one of `processes` they are played beside one another.
    """
    draw, most = random.Random(seed), gigabytes * 1e9 / recordings
    plays = [
        (number, folders[number % len(folders)], str(UUID(int=draw.getrandbits(128), version=4)), most)
        for number in range(recordings)
    ]
    written, rated = 0, list[tuple[str, str]]()
    with ZipFile(path, "w", ZIP_DEFLATED, compresslevel=1) as archive:
        for (number, _, guid, _), (game_id, content) in zip(plays, _played(plays, processes), strict=True):
            code = game_id[:4]
            with archive.open(f"{FOLDER}/{code}/{guid}.recording.jsonl", "w", force_zip64=True) as file:
                written += file.write(content)
            archive.writestr(f"__MACOSX/{FOLDER}/{code}/._{guid}.recording.jsonl", b"\0\5\x16\7shadow")
            if number % 2:
                rated.append((guid, game_id))
    with (path.parent / "testing_feedback_ratings.csv").open("w", newline="") as table:
        rows = csv.writer(table)
        rows.writerow(["session_id", "game_id", "fun", "hard"])
        rows.writerows((guid, game, 1 + at % 5, 1 + at % 4) for at, (guid, game) in enumerate(rated))
    return written


type _Play = tuple[int, Path, str, float]
"""The number of a play, the folder of its environment, its guid, and its bytes at most."""


def _played(plays: Sequence[_Play], processes: int) -> Iterator[tuple[str, bytes]]:
    """The game id and the content of each file, in order; of few at once, since each may be large."""
    if processes == 1:
        yield from map(_file, plays)
        return
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        for some in batched(plays, 4 * processes):
            yield from pool.map(_file, some)


def _file(play: _Play) -> tuple[str, bytes]:
    number, folder, guid, most = play
    source, opening, wins = _environment(folder)
    text = number % 15 == 7
    form = Form(text_ids=text, leading_reset=not text, by_level=[None, [[]], None][number % 3])
    actions, began = _paced(opening, wins, number, most), BEGAN + timedelta(hours=number)
    return source.game_id, "".join(recording(source, actions, guid, form, began)).encode()


@dataclass(frozen=True, slots=True)
class _Step:
    """A winning action: the bytes of its line, and the levels completed before it."""

    action: Action
    size: int
    completed: int


@cache
def _environment(folder: Path) -> tuple[Source, int, list[_Step]]:
    """The source, the bytes of its opening line, and the actions that win it."""
    source, wins = sources.load(folder), _wins(folder)
    lines = list(recording(source, wins, "", Form(last_line=False)))
    completed = [json.loads(line)["data"]["levels_completed"] for line in lines]
    steps = map(_Step, wins, map(len, lines[1:]), completed)
    return source, len(lines[0]), list(steps)


def _paced(opening: int, wins: Sequence[_Step], number: int, most: float) -> Iterator[Action]:
    """The winning actions, of which some plays leave out the end, each level tried again and again first.

    All of it has about `most` bytes; without `most` no level is tried again.
    """
    kept = wins if number % 12 < 5 else wins[: len(wins) * (1 + number % 7) // 8]
    if most:
        ends = accumulate(one.size for one in kept)
        kept = [one for one, end in zip(kept, ends, strict=True) if end <= most]
    rest = most - sum(one.size for one in kept)
    levels = [list(steps) for _, steps in groupby(kept, attrgetter("completed"))]
    for number_left, level in zip(range(len(levels), 0, -1), levels, strict=True):
        tried, size = level[:-1], opening + sum(one.size for one in level[:-1])
        again = max(round(rest / number_left / size), 0)
        rest -= again * size
        for _ in range(again):
            yield from (one.action for one in tried)
            yield Action(RESET)
        yield from (one.action for one in level)


def _wins(folder: Path) -> list[Action]:
    found = [folder / "official-win.jsonl", *sorted((folder / "recordings").glob("win*.jsonl"))]
    lines = next(one for one in found if one.exists()).read_text().splitlines()
    return [turn.action for turn in read(lines).turns[1:]]


def main() -> None:
    """Writes a data set and says how large it is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="with a folder for each environment")
    parser.add_argument("zip", type=Path)
    parser.add_argument("--recordings", type=int, default=340)
    parser.add_argument("--gigabytes", type=float, default=0.0, help="before compression; 0: without resets")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    folders = [one.parent for one in sorted(given.folder.glob("*/metadata.json"))]
    size = write_zip(given.zip, folders, given.recordings, given.gigabytes, processes=given.processes)
    print(f"{given.recordings} recordings, {size / 1e9:.2f} GB")  # noqa: T201 - a program for the terminal


if __name__ == "__main__":
    main()
