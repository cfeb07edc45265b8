"""Environments are found in the official layout and packed into it; an error names its file and reason."""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from engine.errors import SourceError, describe_exception
from engine.play.game import Game
from engine.play.module_lines import in_modules
from engine.play.packing import is_library, modules_in, modules_of, pack, write
from engine.play.source import Source, find, fresh_module, load, plain_text
from tests.engine.sources import ENVIRONMENTS

GOOD = (ENVIRONMENTS / "wk01" / "wk01.py").read_text()


def put(folder: Path, metadata: Any, files: dict[str, str]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    if metadata is not None:
        (folder / "metadata.json").write_text(metadata if isinstance(metadata, str) else json.dumps(metadata))
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder


def test_metadata_has_the_toolkits_defaults(tmp_path: Path) -> None:
    source = load(put(tmp_path / "wk01", {"game_id": "wk01-9607627b"}, {"wk01.py": GOOD}))
    assert (source.environment_id, source.game_id, source.class_name) == ("wk01", "wk01-9607627b", "Wk01")
    assert (source.title, source.default_fps, source.baseline_actions) == ("wk01", 5, ())
    assert source.digest == sha256(GOOD.encode()).hexdigest()


def test_metadata_keeps_all_fields() -> None:
    source = load(ENVIRONMENTS / "wk01")
    assert (source.title, source.default_fps) == ("Walk", 10)
    assert source.baseline_actions == (3,) * 6
    assert source.metadata["game_id"] == "wk01"


def test_the_version_depends_on_the_text_and_not_on_its_folder(tmp_path: Path) -> None:
    put(tmp_path / "wk01" / "9607627b", {"game_id": "wk01-9607627b"}, {"wk01.py": GOOD})
    put(tmp_path / "wk01" / "00000002", {"game_id": "wk01-00000002"}, {"wk01.py": GOOD + "\n"})
    found = [source for source in find(tmp_path) if isinstance(source, Source)]
    assert [source.game_id for source in found] == ["wk01-00000002", "wk01-9607627b"]
    assert found[1].digest == load(ENVIRONMENTS / "wk01").digest != found[0].digest


@pytest.mark.parametrize("name", ["named.py", "Named.py", "wk01.py"])
def test_the_file_may_be_named_after_the_class_or_the_environment(tmp_path: Path, name: str) -> None:
    source = load(put(tmp_path, {"game_id": "wk01", "class_name": "Named"}, {name: GOOD}))
    assert Path(source.path).name == name


def test_the_folder_of_one_environment_can_be_loaded(tmp_path: Path) -> None:
    put(tmp_path, {"game_id": "wk01"}, {"wk01.py": GOOD})
    (tmp_path / "recordings").mkdir()
    assert [source.environment_id for source in find(tmp_path) if isinstance(source, Source)] == ["wk01"]


def test_a_byte_order_mark_is_not_part_of_the_source(tmp_path: Path) -> None:
    folder = put(tmp_path, '\ufeff{"game_id": "wk01"}', {"wk01.py": "\ufeff" + GOOD})
    assert Game.start(load(folder), 0)[1].levels == 6


def test_the_plain_text_keeps_only_what_a_program_reads() -> None:
    text = 'A = """x  \n y"""\nB = 1\n'
    changed = "\ufeff" + text.replace("B = 1\n", "B = 1 \t").replace("\n", "\r\n")
    assert plain_text(changed) == plain_text(text) == text
    assert plain_text(text.replace("x  ", "x")) != text, "blanks in a text of the program are part of it"
    assert plain_text("A = ( \nB\n") == "A = ( \nB\n", "what is no Python stays"


def test_dataclasses_accept_annotations_written_as_strings(tmp_path: Path) -> None:
    data = "from dataclasses import dataclass\n@dataclass\nclass Data:\n    trail: list[int]\n"
    text = "from __future__ import annotations\n" + data + GOOD.partition('"""\n')[2]
    assert Game.start(load(put(tmp_path, {"game_id": "wk01"}, {"wk01.py": text})), 0)[1].levels == 6
    assert not [name for name in sys.modules if name.startswith("arc_agi_3")]


def test_other_environments_load_beside_a_broken_one(tmp_path: Path) -> None:
    put(tmp_path / "aa01", None, {"aa01.py": GOOD})
    put(tmp_path / "bb01", "{", {"bb01.py": GOOD})
    put(tmp_path / "wk01", {"game_id": "wk01"}, {"wk01.py": GOOD})
    put(tmp_path / "zz01", {"game_id": "zz01"}, {})
    put(tmp_path / ".git", None, {})
    put(tmp_path / "zz02" / "deep" / "wk02", {"game_id": "wk02"}, {"wk02.py": GOOD})
    put(tmp_path / "zz02" / "empty" / "more", None, {})
    found = [item.environment_id if isinstance(item, Source) else item.code for item in find(tmp_path)]
    assert found == [
        "metadata_missing",
        "metadata_invalid",
        "wk01",
        "source_missing",
        "wk02",
        "metadata_missing",
    ]


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError) as raised:
        list(find(tmp_path / "nowhere"))
    assert raised.value.code == "folder_missing"


@pytest.mark.parametrize(
    ("metadata", "reason"),
    [
        ("[]", "metadata must be a JSON object"),
        ({}, '"game_id" must be'),
        ({"game_id": "abc"}, '"game_id" must be'),
        ({"game_id": "../x"}, '"game_id" must be'),
        ({"game_id": "wk01", "default_fps": 0}, '"default_fps" must be'),
        ({"game_id": "wk01", "default_fps": True}, '"default_fps" must be'),
        ({"game_id": "wk01", "class_name": "not a name"}, '"class_name" must be'),
        ({"game_id": "wk01", "title": 7}, '"title" must be'),
        ({"game_id": "wk01", "tags": "keyboard"}, '"tags" must be'),
        ({"game_id": "wk01", "baseline_actions": [1.5]}, '"baseline_actions" must be'),
    ],
)
def test_invalid_metadata_is_refused(tmp_path: Path, metadata: Any, reason: str) -> None:
    put(tmp_path, metadata, {"wk01.py": GOOD})
    with pytest.raises(SourceError) as raised:
        load(tmp_path)
    assert raised.value.code == "metadata_invalid"
    assert reason in raised.value.message
    assert raised.value.details["file"] == str(tmp_path / "metadata.json")


@pytest.mark.parametrize(
    ("text", "code", "reason"),
    [
        ("class Wk01(:", "import_failed", "SyntaxError"),
        ("raise ValueError('no luck')", "import_failed", "no luck"),
        ("import sys; sys.exit(3)", "import_failed", "SystemExit"),
        ("Wk01 = 7", "no_game_class", "no class Wk01 derived from ARCBaseGame"),
        ("class Wk01: pass", "no_game_class", "no class Wk01 derived from ARCBaseGame"),
        (
            "from arcengine import ARCBaseGame\nclass Wk01(ARCBaseGame):\n    def __init__(self): [][0]",
            "construction_failed",
            "IndexError",
        ),
    ],
)
def test_a_source_that_does_not_start_names_its_file(
    tmp_path: Path, text: str, code: str, reason: str
) -> None:
    source = load(put(tmp_path, {"game_id": "wk01"}, {"wk01.py": text}))
    with pytest.raises(SourceError) as raised:
        Game.start(source, 0)
    assert raised.value.code == code
    assert reason in raised.value.message
    assert raised.value.details["file"] == str(tmp_path / "wk01.py")


def test_a_source_that_is_not_text_is_an_error(tmp_path: Path) -> None:
    put(tmp_path, {"game_id": "wk01"}, {})
    (tmp_path / "wk01.py").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SourceError) as raised:
        load(tmp_path)
    assert raised.value.code == "source_unreadable"


def test_a_folder_of_static_tasks_is_no_environment(tmp_path: Path) -> None:
    put(tmp_path / "wk01", {"game_id": "wk01"}, {"wk01.py": GOOD})
    put(tmp_path / "tasks", None, {"00000001.json": "{}"})
    assert [source.environment_id for source in find(tmp_path) if isinstance(source, Source)] == ["wk01"]
    assert len(list(find(tmp_path))) == 1


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
def written_folder(tmp_path: Path) -> Path:
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


def packed(folder: Path) -> str:
    return pack(folder.name, modules_of(folder))


def test_the_modules_of_a_packed_source_are_told_apart(written_folder: Path) -> None:
    text = packed(written_folder)
    modules = modules_in(text)
    assert [*modules] == [
        "",
        "games/_shared/numbers.py",
        "games/pk01/source/levels.py",
        "games/pk01/source/game.py",
    ]
    assert "FIRST = half" in modules["games/pk01/source/levels.py"]
    assert [is_library(name) for name in modules] == [False, True, False, False]
    again = modules_in(text + "# --- games/_shared/numbers.py\nHIDDEN = 1\n")
    assert again["games/_shared/numbers.py"].endswith("HIDDEN = 1\n"), "nothing hides behind a name"


def code_of(written_folder: Path) -> str:
    with pytest.raises(SourceError) as refusal:
        packed(written_folder)
    return refusal.value.code


def test_modules_are_in_one_text_each_after_what_it_imports(written_folder: Path) -> None:
    text = packed(written_folder)
    assert text.startswith('"""A game."""\n')
    assert "from games" not in text
    assert text.count("def half") == 1
    imports = [line for line in text.splitlines() if line.startswith(("import", "from"))]
    assert imports == ["from __future__ import annotations", "import math", "from math import floor"]
    assert "# What the level comes to." in text


def test_the_version_names_the_text_and_writing_it_again_changes_nothing(written_folder: Path) -> None:
    assert write(written_folder)
    source = load(written_folder)
    assert source.game_id == f"pk01-{source.digest[:8]}"
    assert fresh_module(source).RESULT == 3
    assert not write(written_folder)
    assert json.loads((written_folder / "metadata.json").read_text())["title"] == "Numbers"


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
def test_what_cannot_be_one_text_is_refused(written_folder: Path, name: str, text: str, code: str) -> None:
    (written_folder / "source" / name).write_text(text)
    assert code_of(written_folder) == code


def test_a_failure_names_its_module_and_the_line_of_its_function(written_folder: Path) -> None:
    levels = written_folder / "source" / "levels.py"
    levels.write_text(LEVELS + "\n\ndef fail() -> None:\n    raise ValueError('three')\n")
    write(written_folder)
    source = load(written_folder)
    line = 1 + source.text.splitlines().index("    raise ValueError('three')")
    with pytest.raises(ValueError, match="three") as raised:
        fresh_module(source).fail()
    place = f"games/pk01/source/levels.py, line 2 of fail, line {line} of the packed source"
    said = describe_exception(raised.value)
    assert said == f"ValueError: three ({place})"
    assert in_modules(said, source) == "ValueError: three (games/pk01/source/levels.py, line 11)"


def test_metadata_that_cannot_be_read_is_refused(written_folder: Path) -> None:
    (written_folder / "metadata.json").write_text("{")
    with pytest.raises(SourceError) as refusal:
        write(written_folder)
    assert refusal.value.code == "metadata_invalid"
