"""Several modules become one source, or a refusal with a code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.errors import SourceError
from engine.play.packing import pack, write
from engine.play.source import fresh_module, load

LIBRARY = '''"""Numbers."""

from math import floor


def half(number: float) -> int:
    return floor(number / 2)
'''
GAME = '''"""A game."""

from __future__ import annotations

from games._shared.numbers import half
from games.pk01.source.levels import FIRST


# What the level comes to.
RESULT = half(FIRST)
'''
LEVELS = (
    '"""Levels."""\n\nimport math\n\nfrom games._shared.numbers import half\n\nFIRST = half(math.pi * 4)\n'
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An environment of two modules, with a library."""
    files = {
        "_shared/numbers.py": LIBRARY,
        "pk01/source/game.py": GAME,
        "pk01/source/levels.py": LEVELS,
        "pk01/metadata.json": '{"game_id": "pk01", "title": "Numbers"}',
    }
    for name, text in files.items():
        path = tmp_path / "games" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "games" / "pk01"


def code_of(folder: Path) -> str:
    with pytest.raises(SourceError) as refusal:
        pack(folder)
    return refusal.value.code


def test_modules_are_in_one_text_each_after_what_it_imports(folder: Path) -> None:
    text = pack(folder)
    assert text.startswith('"""A game."""\n')
    assert "from games" not in text
    assert text.count("def half") == 1
    imports = [line for line in text.splitlines() if line.startswith(("import", "from"))]
    assert imports == ["from __future__ import annotations", "import math", "from math import floor"]
    assert "# What the level comes to." in text


def test_the_version_names_the_text_and_writing_it_again_changes_nothing(folder: Path) -> None:
    assert write(folder)
    source = load(folder)
    assert source.game_id == f"pk01-{source.digest[:8]}"
    assert fresh_module(source).RESULT == 3
    assert not write(folder)
    assert json.loads((folder / "metadata.json").read_text())["title"] == "Numbers"


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("levels.py", "import games._shared.numbers\n", "import_unsupported"),
        (
            "levels.py",
            "from games._shared.numbers import half as part\nFIRST = part(4)\n",
            "import_unsupported",
        ),
        ("levels.py", "from games._shared.numbers import *\nFIRST = half(4)\n", "import_unsupported"),
        ("levels.py", "from .other import FIRST\n", "import_unsupported"),
        ("levels.py", "def later():\n    from games._shared.numbers import half\n", "import_unsupported"),
        ("levels.py", "from games._shared.nothing import half\n", "source_missing"),
        ("levels.py", "FIRST = (\n", "source_unreadable"),
        ("levels.py", "from games.pk01.source.game import RESULT\nFIRST = RESULT\n", "import_circular"),
        ("levels.py", "def half(number):\n    return number\n\n\nFIRST = 4\n", "name_taken"),
    ],
)
def test_what_cannot_be_one_text_is_refused(folder: Path, name: str, text: str, code: str) -> None:
    (folder / "source" / name).write_text(text)
    assert code_of(folder) == code


def test_metadata_that_cannot_be_read_is_refused(folder: Path) -> None:
    (folder / "metadata.json").write_text("{")
    with pytest.raises(SourceError) as refusal:
        write(folder)
    assert refusal.value.code == "metadata_invalid"
