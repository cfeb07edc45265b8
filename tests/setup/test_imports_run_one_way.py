"""Imports run one way: rehearsal -> arena -> insight -> review -> center -> play -> studio -> people ->
jobs -> rules, engine.

What puts the rooms together (`playtest.urls`, settings, commands) may import them all; none may import it.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ORDER = [
    {"playtest.rehearsal"},
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
FRAME = {
    f"playtest.{name}"
    for name in "asgi celery health management serve server settings supervisor up urls".split()
} | {"playtest.rehearsal.serve", "playtest.rehearsal.settings"}
DJANGO_FREE = {"playtest.rules", "engine"}


def lies_in(places: set[str], module: str) -> str | None:
    """Which of these packages a dotted name lies in, or None."""
    return next((place for place in places if f"{module}.".startswith(f"{place}.")), None)


def may_import(room: str, other: str) -> bool:
    """Whether a module of one room may import one of another: only of a later stage of ORDER."""
    stage = {name: number for number, names in enumerate(ORDER) for name in names}
    return room == other or stage[room] < stage[other]


def imported(source: str, module: str, *, is_package: bool) -> Iterator[str]:
    """Every dotted name that a module imports, those inside functions too; relative ones made absolute."""
    package = module.split(".") if is_package else module.split(".")[:-1]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield from (f"{base}.{name.name}" for name in node.names)


def violations(source: str, module: str, *, is_package: bool = False) -> list[str]:
    """What a module imports against the order, as sentences."""
    room = lies_in(ROOMS, module)
    if room is None or lies_in(FRAME, module):
        return []
    found = []
    for name in imported(source, module, is_package=is_package):
        other = lies_in(ROOMS, name)
        if other is not None and not may_import(room, other):
            found.append(f"{module} imports {name}: {room} must not know {other}")
        if frame := lies_in(FRAME, name):
            found.append(f"{module} imports {name}: {frame} puts the rooms together, no room knows it")
        if room in DJANGO_FREE and name.split(".")[0] in {"django", "channels", "celery"}:
            found.append(f"{module} imports {name}: {room} knows no Django")
        if room == "engine" and name.split(".")[0] == "playtest":
            found.append(f"{module} imports {name}: the engine stands alone")
    return found


def modules() -> list[tuple[str, Path]]:
    files = [*(ROOT / "engine").rglob("*.py"), *(ROOT / "playtest").rglob("*.py")]
    return [(".".join(file.relative_to(ROOT).with_suffix("").parts), file) for file in sorted(files)]


def test_no_module_imports_against_the_order() -> None:
    against = []
    for name, file in modules():
        is_package = file.name == "__init__.py"
        module = name.removesuffix(".__init__")
        against += violations(file.read_text(), module, is_package=is_package)
    assert against == []


def test_every_folder_of_the_product_has_its_place_in_the_order() -> None:
    folders = {f"playtest.{file.parent.name}" for file in (ROOT / "playtest").glob("*/__init__.py")}
    assert folders - FRAME <= ROOMS


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("playtest.play.live", "from playtest.review import queries"),
        ("playtest.play.live", "import playtest.center.models"),
        ("playtest.play.live", "from ..insight.figures import funnel"),
        ("playtest.play.live", "def late():\n    from playtest import arena"),
        ("playtest.people.models", "from playtest.studio.models import Version"),
        ("playtest.play.tasks", "from playtest.celery import app"),
        ("playtest.rules.limits", "from engine.frames import Frame"),
        ("playtest.rules.limits", "from django.utils import timezone"),
        ("engine.host", "import django"),
        ("engine.host", "from playtest.rules import limits"),
        ("engine.host", "from playtest import settings"),
    ],
)
def test_import_against_the_order_is_found(module: str, source: str) -> None:
    assert len(violations(source, module)) >= 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("playtest.play.live", "from playtest.studio.models import Version\nfrom . import journal"),
        ("playtest.arena.views", "from playtest.play import live\nimport engine.frames\nimport django"),
        ("playtest.urls", "from playtest.arena import urls"),
        ("playtest.rules.pay", "from decimal import Decimal\nfrom .limits import Limits"),
        ("engine.game", "import arcengine"),
    ],
)
def test_import_along_the_order_is_allowed(module: str, source: str) -> None:
    assert violations(source, module) == []
