"""Words that a newcomer would have to have explained name no file, function, class or variable."""

import ast
import re
from collections.abc import Iterable, Iterator

from tests.setup.rooms import ROOT

NO_NAMES = re.compile(
    r"_*(ways?|kept|words|there|mends?|errands?|courses?|untrue|seldom|albums?|tells?|looks?|sittings?|deeds?)_*",
    re.IGNORECASE,
)
SOMEWHERE = re.compile(rf"\b{NO_NAMES.pattern}\b", re.IGNORECASE)
"""Few files have such a word at all; only those are parsed."""
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


def no_names(names: Iterable[str]) -> list[str]:
    return [name for name in names if NO_NAMES.fullmatch(name)]


def test_no_file_and_nothing_in_it_has_such_a_name() -> None:
    wrong, read = [], 0
    for folder in ("engine", "playtest", "static", "tests"):
        for path in sorted((ROOT / folder).rglob("*.[pj][ys]")):
            if {"vendor", "migrations"} & set(path.parts):
                continue
            text = path.read_text()
            names: Iterable[str] = ()
            if SOMEWHERE.search(text):
                names = names_in_python(text) if path.suffix == ".py" else names_in_script(text)
            place = path.relative_to(ROOT).as_posix()
            wrong += [f"{place}: {name}" for name in no_names([path.stem, *names])]
            read += 1
    assert read > 600
    assert wrong == []


PYTHON = """
def tell(there): ...
async def _look(): ...
class Album: ...
lambda *, way: 0
for words in (): ...
class A:
    kept: int
def f(self):
    self.errand = 1
import os as mends
_WAYS = ()
(seldom := 1)
try: ...
except OSError as course: ...
"tell" + lookup(there)
def lookup(keptness): ...
"""
SCRIPT = """
function tell() {}
export async function look() {}
export class Album {}
const WORDS = 1;
let way;
// const there = 1;
function f() {
  const kept = 2;
}
"""


def test_each_kind_of_name_is_noticed_and_nothing_else() -> None:
    found = "tell there _look Album way words kept errand mends _WAYS seldom course".split()
    assert sorted(no_names(names_in_python(PYTHON))) == sorted(found)
    assert no_names(names_in_script(SCRIPT)) == ["tell", "look", "Album", "WORDS", "way"]
