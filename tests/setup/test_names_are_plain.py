"""Words that a newcomer would have to have explained name no file, function, class or variable."""

import ast
import re
from collections.abc import Iterator

import pytest

from tests.setup.rooms import ROOT

NO_NAMES = re.compile(
    r"_*(ways?|kept|words|there|mends?|errands?|courses?|untrue|seldom|albums?|tells?|looks?)_*",
    re.IGNORECASE,
)
TOP_LEVEL = re.compile(
    r"^(?:export )?(?:default )?(?:async )?(?:function\*?|class|const|let) (\w+)", re.MULTILINE
)


def names_in_python(text: str) -> Iterator[str]:
    """What a module defines: functions, classes, arguments, and names and attributes assigned to."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.arg(arg=name) | ast.alias(asname=str(name)) | ast.ExceptHandler(name=str(name)):
                yield name
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name


def names_in_script(text: str) -> list[str]:
    """What a script defines at its top level."""
    return TOP_LEVEL.findall(text)


def no_names(names: Iterator[str] | list[str]) -> list[str]:
    return [name for name in names if NO_NAMES.fullmatch(name)]


def test_no_file_and_nothing_in_it_has_such_a_name() -> None:
    wrong, read = [], 0
    for folder in ("engine", "playtest", "static", "tests"):
        for path in sorted((ROOT / folder).rglob("*.[pj][ys]")):
            if {"vendor", "migrations"} & set(path.parts):
                continue
            text = path.read_text()
            names = names_in_python(text) if path.suffix == ".py" else names_in_script(text)
            place = path.relative_to(ROOT).as_posix()
            wrong += [f"{place}: {name}" for name in no_names([path.stem, *names])]
            read += 1
    assert read > 600
    assert wrong == []


@pytest.mark.parametrize(
    "text",
    [
        "def tell(): ...",
        "async def _look(): ...",
        "class Album: ...",
        "def f(there): ...",
        "lambda *, way: 0",
        "for words in (): ...",
        "class A:\n    kept: int",
        "def f(self):\n    self.errand = 1",
        "import os as mends",
        "_WAYS = ()",
        "(seldom := 1)",
        "try: ...\nexcept OSError as course: ...",
    ],
)
def test_each_kind_of_name_in_python_is_noticed(text: str) -> None:
    assert len(no_names(names_in_python(text))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "function tell() {}",
        "export async function look() {}",
        "export class Album {}",
        "\nconst WORDS = 1;",
        "let way;",
    ],
)
def test_each_kind_of_name_in_a_script_is_noticed(text: str) -> None:
    assert len(no_names(names_in_script(text))) == 1


def test_longer_names_and_other_text_are_no_matter() -> None:
    assert no_names(names_in_python('"tell" + lookup(there)\ndef lookup(keptness): ...')) == []
    assert no_names(names_in_script("// const way = 1;\n  const words = 2;")) == []
