"""A separate games folder that contains wk01."""

import shutil
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from engine.play import recording
from engine.play import source as sources
from engine.play.actions import Action
from engine.play.game import Game
from engine.play.recording import RecordedTurn, Recording
from tests import make

_BEGAN = datetime(2026, 1, 5, 10, tzinfo=UTC)


def with_walk(folder: Path) -> Path:
    """Copies wk01 into the folder and returns the copy."""
    return Path(shutil.copytree(make.ENVIRONMENTS / "wk01", folder / "wk01"))


def record(environment: Path, name: str, acts: Sequence[int]) -> None:
    """Writes the turns of these actions to `recordings/<name>.jsonl`, without frames."""
    game, opening = Game.start(sources.load(environment), 0)
    played = [(Action(0), opening), *((Action(act), game.act(Action(act))) for act in acts)]
    turns = tuple(
        RecordedTurn.of(action, turn, turn.frames, (_BEGAN + timedelta(seconds=seq)).isoformat())
        for seq, (action, turn) in enumerate(played)
    )
    (environment / "recordings").mkdir(exist_ok=True)
    text = "".join(recording.write(Recording(turns, game_id="wk01"), frames=False))
    (environment / "recordings" / f"{name}.jsonl").write_text(text)
