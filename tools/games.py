"""The shipped environments, and how each is won: what the tools play."""

from pathlib import Path

from engine.play.actions import Action
from engine.play.recording import Recording, read
from tests.live.server import ROOT

GAMES = ROOT / "games"


def shipped() -> list[Path]:
    """The folders of the environments, by id; static tasks are not among them."""
    return sorted(path for path in GAMES.iterdir() if (path / "metadata.json").exists())


def won_in(environment: Path) -> Recording:
    """The recorded win of an environment."""
    return read((environment / "recordings" / "win.jsonl").read_text().splitlines())


def winning_actions(environment: Path) -> list[Action]:
    """The actions of the recorded win, without the opening."""
    return [turn.action for turn in won_in(environment).turns[1:]]
