"""Everything outside of `engine.prove.state` uses only what that package exports."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import engine.prove.state
from engine.play.game import Game
from engine.prove.state import NotRestorable, SnapshotStore, identify, restore
from tests.engine.sources import environment, moves

ROOT = Path(__file__).parents[2]
PACKAGE = "engine.prove.state"


def used(source: str) -> Iterator[str]:
    """Returns the names and modules of the package that a module imports."""
    if PACKAGE not in source:
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name.startswith(f"{PACKAGE}."))
        elif isinstance(node, ast.ImportFrom) and node.module == PACKAGE:
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"{PACKAGE}."):
            yield str(node.module)


def test_only_exported_names_are_used_outside() -> None:
    files = [file for folder in ("engine", "playtest", "tests") for file in (ROOT / folder).rglob("*.py")]
    outside = [file for file in files if not file.is_relative_to(ROOT / "engine" / "prove" / "state")]
    found = {str(file): set(used(file.read_text())) - set(engine.prove.state.__all__) for file in outside}
    assert {file: names for file, names in found.items() if names} == {}
    assert any(set(used(file.read_text())) for file in outside)


@pytest.mark.parametrize(
    "source",
    [
        "import engine.prove.state.walk",
        "from engine.prove.state.walk import Walk",
        "from engine.prove.state import accessors",
    ],
)
def test_use_of_a_module_of_the_package_is_found(source: str) -> None:
    assert set(used(source)) - set(engine.prove.state.__all__)


def test_a_restored_game_has_the_identity_and_the_turn_of_its_snapshot() -> None:
    game, _ = Game.start(environment("wk01"), 0)
    store = SnapshotStore(game)
    game.act(moves("4")[0])
    before, turn, state = identify(game), game.turn, store.take()
    for action in moves("44"):
        game.act(action)
    assert identify(game).digest != before.digest
    restore(game, state)
    assert (identify(game).digest, game.turn, game.seq) == (before.digest, turn, 1)


def test_a_snapshot_of_another_game_is_refused() -> None:
    game, other = (Game.start(environment("wk01"), 0)[0] for _ in range(2))
    with pytest.raises(NotRestorable):
        restore(other, SnapshotStore(game).take())
