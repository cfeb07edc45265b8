"""The order of rooms, and the uses of other rooms in Python, JavaScript, templates and SQL."""

import ast
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
ORDER = [
    {"tools"},
    {"playtest.rehearsal", "playtest.operation"},
    {"playtest.arena"},
    {"playtest.insight"},
    {"playtest.review"},
    {"playtest.center"},
    {"playtest.play"},
    {"playtest.studio"},
    {"playtest.people"},
    {"playtest.jobs"},
    {"playtest.rules", "engine"},
]
ROOMS = set.union(*ORDER)
STAGE = {name: number for number, names in enumerate(ORDER) for name in names}
FRAME = {
    f"playtest.{name}"
    for name in "asgi celery management serve settings urls rehearsal.serve rehearsal.settings".split()
}
HELPERS = {
    f"playtest.serve.{name}"
    for name in ("connection_limits", "create_models", "deployment", "draining", "logs")
}
"""Modules of the frame that rooms may use."""
DJANGO_FREE = {"playtest.rules", "engine"}

SHARED = "shared"
"""Folders of `static/` that every room may use, and that know no room."""
FREE_FOLDERS = {SHARED, "vendor"}
FOLDERS = {room.removeprefix("playtest."): room for room in ROOMS} | {"staff": "playtest.people"}
"""The room of each folder of `templates/` and `static/`."""
BASE_TEMPLATES = {"participant.html": "playtest.play"}
"""The room of a template outside the folders; the others are people's."""

_JS_IMPORT = re.compile(r"""(?:\bfrom|\bimport)\s*\(?\s*(["'])(\.[^"']+|/static/[^"']+)\1""")
_NAME = re.compile(r"\b\w+(?:\.\w+)?\b")
"""A table with or without a column, or a model as `ForeignKey` names it."""
_TEMPLATE_TAG = re.compile(r"""\{%-?\s*(extends|include|static)\s+(["'])([^"']+)\2""")
_TEMPLATE_LOAD = re.compile(r"\{%-?\s*load\s+([^%]+?)\s*-?%\}")


def lies_in(places: set[str], module: str) -> str | None:
    """Which of these packages a dotted name lies in, or None."""
    return next((place for place in places if f"{module}.".startswith(f"{place}.")), None)


def may_know(room: str, other: str) -> bool:
    """Whether one room may use another: itself, or one of a later stage of ORDER."""
    return room == other or STAGE[room] < STAGE[other]


def imported(tree: ast.AST, module: str, *, is_package: bool) -> Iterator[str]:
    """Returns every dotted name that a module imports, absolute and inside functions too."""
    package = module.split(".") if is_package else module.split(".")[:-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield from (f"{base}.{name.name}" for name in node.names)


def of_python(tree: ast.AST, module: str, *, is_package: bool = False) -> list[str]:
    """What a module imports against the order, as sentences."""
    room = lies_in(ROOMS, module)
    if room is None or lies_in(FRAME, module):
        return []
    found = []
    for name in imported(tree, module, is_package=is_package):
        other = lies_in(ROOMS, name)
        if other is not None and not may_know(room, other):
            found.append(f"{module} imports {name}: {room} must not know {other}")
        if (frame := lies_in(FRAME, name)) and not lies_in(HELPERS, name):
            found.append(f"{module} imports {name}: {frame} puts the rooms together, no room knows it")
        if room in DJANGO_FREE and name.split(".")[0] in {"django", "channels", "celery"}:
            found.append(f"{module} imports {name}: {room} knows no Django")
        if room == "engine" and name.split(".")[0] == "playtest":
            found.append(f"{module} imports {name}: the engine stands alone")
    return found


def of_tables(tree: ast.AST, module: str, names: dict[str, str]) -> list[str]:
    """Returns tables and models of higher rooms in a module's texts; `names` gives their rooms."""
    room = lies_in(ROOMS, module)
    if room is None:
        return []
    named = {
        name
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        for found in _NAME.findall(node.value)
        for name in (found, found.partition(".")[0])
    }
    return [
        f"{module} names {name}: {room} must not know {other}"
        for name, other in names.items()
        if name in named and not may_know(room, other)
    ]


def of_script(source: str, path: str) -> list[str]:
    """What a script of `static/` imports against the order; `path` begins below `static/`."""
    found = []
    for _, name in _JS_IMPORT.findall(source):
        address = posixpath.join("/static", posixpath.dirname(path), name)
        found += _of_static(path, posixpath.relpath(address, "/static"))
    return found


def of_template(source: str, path: str, libraries: dict[str, str]) -> list[str]:
    """Returns a template's uses against the order; `libraries` gives the rooms of its tags."""
    room, found = _room_of_template(path), []
    for tag, _, name in _TEMPLATE_TAG.findall(source):
        if tag == "static":
            found += _of_static(path, name, room)
        elif not may_know(room, other := _room_of_template(name)):
            found.append(f"{path} uses {name}: {room} must not know {other}")
    for names in _TEMPLATE_LOAD.findall(source):
        for name in names.split():
            if name in libraries and not may_know(room, libraries[name]):
                found.append(f"{path} loads {name}: {room} must not know {libraries[name]}")
    return found


def _of_static(path: str, name: str, room: str | None = None) -> list[str]:
    """Returns why a template or static file of `room` cannot use a static file, or nothing."""
    folder, other_folder = path.split("/")[0], name.split("/")[0]
    if other_folder in FREE_FOLDERS:
        return []
    if room is None and folder in FREE_FOLDERS:
        return [f"{path} imports {name}: what is shared knows no room"]
    room, other = room or FOLDERS[folder], FOLDERS[other_folder]
    return [] if may_know(room, other) else [f"{path} uses {name}: {room} must not know {other}"]


def _room_of_template(path: str) -> str:
    folder, _, below = path.partition("/")
    return FOLDERS[folder] if below else BASE_TEMPLATES.get(path, "playtest.people")
