"""Imports run one way: tools -> rehearsal, operation -> arena -> insight -> review -> center -> play ->
studio -> people -> jobs -> rules, engine. So do JavaScript's imports, what templates use, and tables.

What puts the rooms together (`playtest.urls`, settings, commands) may import them all; none may import it.
"""

import ast
from collections.abc import Mapping
from functools import cache
from graphlib import TopologicalSorter

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


@cache
def modules() -> list[tuple[str, ast.Module]]:
    files = [*(ROOT / "engine").rglob("*.py"), *(ROOT / "playtest").rglob("*.py")]
    return [
        (".".join(file.relative_to(ROOT).with_suffix("").parts), read(file.read_text()))
        for file in sorted(files)
    ]


def read(text: str) -> ast.Module:
    """The imports and texts of a module, wherever they are in it: all that is asked of it here."""
    nodes = [*ast.walk(ast.parse(text))]
    imports = [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
    texts = [node for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return ast.Module([*imports, *map(ast.Expr, texts)], [])


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
    for name, tree in modules():
        module = name.removesuffix(".__init__")
        against += of_python(tree, module, is_package=module != name)
        against += of_tables(tree, module, known)
    assert against == []


def graph_of(trees: Mapping[str, ast.Module]) -> dict[str, set[str]]:
    """Which of these modules each of them imports, also inside functions and for types alone."""
    files = {name.removesuffix(".__init__"): name for name in trees}
    graph = dict[str, set[str]]()
    for module, name in files.items():
        found = imported(trees[name], module, is_package=module != name)
        named = {one if one in files else one.rpartition(".")[0] for one in found}
        graph[module] = named & files.keys() - {module}
    return graph


def test_no_module_imports_itself_by_way_of_others() -> None:
    TopologicalSorter(graph_of(dict(modules()))).prepare()


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
