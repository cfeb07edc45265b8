"""Imports run one way: tools -> rehearsal, operation -> arena -> insight -> review -> center -> play ->
studio -> people -> jobs -> rules, engine. So do JavaScript's imports, what templates use, and tables.

What puts the rooms together (`playtest.urls`, settings, commands) may import them all; none may import it.
"""

import ast
from collections.abc import Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from django.apps import apps

from tests.setup.rooms import (
    FRAME,
    ROOMS,
    ROOT,
    imported,
    lies_in,
    of_python,
    of_script,
    of_tables,
    of_template,
)


def modules() -> list[tuple[str, Path]]:
    files = [*(ROOT / "engine").rglob("*.py"), *(ROOT / "playtest").rglob("*.py")]
    return [(".".join(file.relative_to(ROOT).with_suffix("").parts), file) for file in sorted(files)]


def tables() -> dict[str, str]:
    """The room of each table, and of each model as `ForeignKey` and migrations name it."""
    rooms = {}
    for model in apps.get_models(include_auto_created=True):
        if room := lies_in(ROOMS, model.__module__):
            rooms[model._meta.db_table] = rooms[model._meta.label] = rooms[model._meta.label_lower] = room
    return rooms


def libraries() -> dict[str, str]:
    """The room of each library of template tags."""
    files = (ROOT / "playtest").glob("*/templatetags/*.py")
    return {file.stem: f"playtest.{file.parts[-3]}" for file in files if file.stem != "__init__"}


def test_no_module_imports_against_the_order_or_names_a_table_of_a_higher_room() -> None:
    against, known = [], tables()
    for name, file in modules():
        tree, module = ast.parse(file.read_text()), name.removesuffix(".__init__")
        against += of_python(tree, module, is_package=module != name)
        against += of_tables(tree, module, known)
    assert against == []


def graph_of(sources: Mapping[str, str]) -> dict[str, set[str]]:
    """Which of these modules each of them imports, also inside functions and for types alone."""
    files = {name.removesuffix(".__init__"): name for name in sources}
    graph = dict[str, set[str]]()
    for module, name in files.items():
        found = imported(ast.parse(sources[name]), module, is_package=module != name)
        named = {one if one in files else one.rpartition(".")[0] for one in found}
        graph[module] = named & files.keys() - {module}
    return graph


def test_no_module_imports_itself_by_way_of_others() -> None:
    TopologicalSorter(graph_of({name: file.read_text() for name, file in modules()})).prepare()


@pytest.mark.parametrize("late", ["from a.one import One", "if TYPE_CHECKING:\n    from a import one"])
def test_a_circle_of_imports_is_found(late: str) -> None:
    sources = {"a.one": "from a.two import Two", "a.two": f"def two():\n    pass\n{late}"}
    with pytest.raises(CycleError):
        TopologicalSorter(graph_of(sources)).prepare()


def test_no_script_imports_against_the_order() -> None:
    folder = ROOT / "static"
    paths = [path for path in folder.rglob("*.js") if path.relative_to(folder).parts[0] != "vendor"]
    against = set[str]()
    for path in paths:
        against.update(of_script(path.read_text(), path.relative_to(folder).as_posix()))
    assert against == set()


def test_no_template_uses_what_is_against_the_order() -> None:
    folder, known = ROOT / "templates", libraries()
    against = set[str]()
    for path in folder.rglob("*.html"):
        against.update(of_template(path.read_text(), path.relative_to(folder).as_posix(), known))
    assert against == set()


def test_every_folder_of_the_product_is_in_the_order() -> None:
    folders = {f"playtest.{file.parent.name}" for file in (ROOT / "playtest").glob("*/__init__.py")}
    assert folders - FRAME <= ROOMS


AGAINST = [
    ("playtest.play.attempt.runner", "from playtest.review import queries"),
    ("playtest.play.attempt.runner", "import playtest.center.models"),
    ("playtest.play.attempt.runner", "from ...insight.figures import funnel"),
    ("playtest.play.attempt.runner", "def late():\n    from playtest import arena"),
    ("playtest.insight.scope", "from playtest.rehearsal.clock import VirtualClock"),
    ("playtest.rehearsal.server_process", "from playtest.serve.web import serve"),
    ("playtest.people.models", "from playtest.studio.models import Version"),
    ("playtest.play.tasks", "from playtest.celery import app"),
    ("playtest.operation.audit", "from playtest.rehearsal import program"),
    ("playtest.rehearsal.program", "from playtest.operation import audit"),
    ("playtest.rules.limits", "from engine.play.frames import Frame"),
    ("playtest.rules.limits", "from django.utils import timezone"),
    ("engine.confine.host", "import django"),
    ("engine.confine.host", "from playtest.rules import limits"),
    ("engine.confine.host", "from playtest import settings"),
]
ALONG = [
    ("playtest.play.attempt.runner", "from playtest.studio.models import Version\nfrom . import journal"),
    ("playtest.arena.pages", "from playtest.play import live\nimport engine.play.frames\nimport django"),
    ("playtest.urls", "from playtest.arena import urls"),
    ("playtest.rehearsal.serve", "from playtest.serve.web import serve"),
    ("playtest.rules.pay", "from decimal import Decimal\nfrom .limits import Limits"),
    ("engine.play.game", "import arcengine"),
]


def test_imports_against_the_order_are_found_and_no_others() -> None:
    def found(module: str, source: str) -> list[str]:
        return of_python(ast.parse(source), module)

    assert [case for case in AGAINST if not found(*case)] == []
    assert [case for case in ALONG if found(*case)] == []


@pytest.mark.parametrize(
    ("module", "source", "found"),
    [
        ("play.journal.writer", 'name = "id"\nf"SELECT {name} FROM insight_release WHERE id = 1"', 1),
        ("play.journal.writer", '"SELECT insight_release.id"', 1),
        ("play.journal.writer", 'key = "insight.Release"', 1),
        ("play.journal.writer", '"insight_releases is another word"', 0),
        ("rehearsal.services", '"SELECT id FROM insight_release"', 0),
    ],
)
def test_a_table_of_a_higher_room_is_found(module: str, source: str, found: int) -> None:
    assert len(of_tables(ast.parse(source), f"playtest.{module}", tables())) == found


@pytest.mark.parametrize(
    ("path", "source", "found"),
    [
        ("studio/graph.js", 'import { roving } from "../insight/roving.js";', 1),
        ("studio/deep/graph.js", "export * from '../../play/palette.js';", 1),
        ("play/board.js", 'const late = import("/static/review/clocks.js");', 1),
        ("play/board.js", "import {\n  one,\n  two,\n} from '../review/clocks.js';", 1),
        ("staff/moments.js", 'import "../studio/graph.js";', 1),
        ("shared/codec.js", 'import { frame } from "../people/frame.js";', 1),
        ("insight/heat.js", 'import { draw } from "../shared/drawing.js";\nimport "../studio/graph.js";', 0),
        ("insight/kinds/bars.js", 'import Plot from "../../vendor/plot/plot.js";\nimport "../axes.js";', 0),
        ("shared/codec.js", 'import "./palette.js";', 0),
    ],
)
def test_a_script_against_the_order_is_found(path: str, source: str, found: int) -> None:
    assert len(of_script(source, path)) == found


@pytest.mark.parametrize(
    ("path", "source", "found"),
    [
        ("center/list.html", '{% extends "review/case.html" %}', 1),
        ("center/list.html", "{% include 'insight/figure.html' with figure=one %}", 1),
        ("people/list.html", '{% extends "participant.html" %}', 1),
        ("studio/list.html", "<script src=\"{% static 'insight/figure.js' %}\"></script>", 1),
        ("staff.html", "{% load static review %}", 1),
        ("center/list.html", '{% extends "staff.html" %}{% load static staff %}', 0),
        ("center/welcome.html", '{% extends "participant.html" %}{% static "shared/drawing.js" %}', 0),
        ("insight/list.html", '{% include "studio/card.html" %}{% load effort %}', 0),
        ("insight/list.html", '{% static "studio/board.css" %}', 0),
        ("error.html", "{% static 'vendor/pico/pico.min.css' %}{% static 'staff/theme.css' %}", 0),
    ],
)
def test_a_template_against_the_order_is_found(path: str, source: str, found: int) -> None:
    assert len(of_template(source, path, libraries())) == found
