"""Packs an environment that is written as several modules into the one source of the official layout.

`games/<id>/source/game.py` imports its own modules and those of `games/_shared/` by `from games... import`.
The packed `games/<id>/<id>.py` holds the text of all of them, each after those that it imports, and imports
only packages. It is the version: what is imported, given out, and played by the official toolkit.
"""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from engine.errors import SourceError
from engine.play.source import METADATA, metadata_of
from engine.source_lines import TITLE

PACKAGE = "games"
SOURCE = "source"
SHARED = "_shared"
ENTRY = "game"
DIGITS = 8  # of the digest, in the game_id of metadata.json
LINE = 110  # letters of the longest line


@dataclass(frozen=True)
class _Module:
    """One module: its name and text, the own modules and packages it imports, and the names it defines."""

    name: str
    docstring: str
    body: str
    own: tuple[str, ...]
    packages: tuple[ast.Import | ast.ImportFrom, ...]
    defines: frozenset[str]


def is_packed(folder: Path) -> bool:
    """Whether this environment is written as several modules."""
    return (folder / SOURCE / f"{ENTRY}.py").is_file()


def modules_of(folder: Path, name: str = "", library: Path | None = None) -> dict[str, str]:
    """The texts of an environment's modules and of its library's, by path from `games`.

    `name`, `library`: by default the folder's, and the one beside it. Raises SourceError source_unreadable.
    """
    own = f"{name or folder.name}/{SOURCE}"
    texts = {}
    for inner, place in ((own, folder / SOURCE), (SHARED, library or folder.parent / SHARED)):
        for path in sorted(place.rglob("*.py")):
            try:
                text = path.read_text(encoding="utf-8-sig")
            except (OSError, ValueError) as error:
                message = f"this is not text in UTF-8: {error}."
                raise SourceError("source_unreadable", message, file=str(path)) from error
            texts[f"{PACKAGE}/{inner}/{path.relative_to(place).as_posix()}"] = text
    return texts


def pack(name: str, modules: Mapping[str, str]) -> str:
    """The one source of the environment with this id, from its modules as `modules_of` gives them.

    Raises SourceError source_missing, source_unreadable, import_unsupported, import_circular, name_taken.
    """
    read = list(_in_order(modules, f"{PACKAGE}.{name}.{SOURCE}.{ENTRY}", {}, ()))
    _check_names(read)
    last = read[-1]
    packages = [statement for module in read for statement in module.packages]
    edited = f"{PACKAGE}/{name}/{SOURCE}/"
    origin = f"# Packed by `manage.py pack_environments`. To change it, edit {edited}."
    head = f'"""{last.docstring}"""\n\n{origin}\n\n{_imports(packages)}'
    sections = [*map(_section, read[:-1]), f"{_title(last)}\n\n{last.body}"]
    return f"{head}\n\n" + "\n\n\n".join(sections) + "\n"


def write(folder: Path) -> bool:
    """Packs an environment and writes the result as `place`, whose answer it returns. Raises as both."""
    return place(folder, folder.name, pack(folder.name, modules_of(folder)))


def place(folder: Path, name: str, text: str) -> bool:
    """Writes a packed source and its version in metadata.json; returns whether anything changed.

    Raises SourceError metadata_missing, metadata_invalid.
    """
    target, metadata = folder / f"{name}.py", metadata_of(folder)
    game_id = f"{name}-{sha256(text.encode()).hexdigest()[:DIGITS]}"
    if target.is_file() and target.read_bytes() == text.encode() and metadata.get("game_id") == game_id:
        return False
    target.write_text(text, encoding="utf-8")
    described = json.dumps({**metadata, "game_id": game_id}, indent=2) + "\n"
    (folder / METADATA).write_text(described, encoding="utf-8")
    return True


def _in_order(
    modules: Mapping[str, str], name: str, done: dict[str, None], above: tuple[str, ...]
) -> Iterator[_Module]:
    """A module after all that it imports, each once."""
    if name in above:
        raise SourceError("import_circular", f"it imports itself by way of {above[-1]}.", file=name)
    if name in done:
        return
    module = _read(modules, name)
    for imported in module.own:
        yield from _in_order(modules, imported, done, (*above, name))
    done[name] = None
    yield module


def _read(modules: Mapping[str, str], name: str) -> _Module:
    path = f"{name.replace('.', '/')}.py"
    text = modules.get(path)
    if text is None:
        raise SourceError("source_missing", "this module is imported and does not exist.", file=path)
    try:
        tree = ast.parse(text, filename=path)
    except (ValueError, SyntaxError, RecursionError, MemoryError) as error:
        raise SourceError("source_unreadable", f"this is not Python: {error}.", file=path) from error
    imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    own = [node for node in imports if _is_own(node)]
    _check_imports(tree, own, path)
    return _Module(
        name=name,
        docstring=ast.get_docstring(tree, clean=False) or "",
        body=_without(text, tree, imports),
        own=tuple(dict.fromkeys(node.module or "" for node in own if isinstance(node, ast.ImportFrom))),
        packages=tuple(node for node in imports if node not in own),
        defines=frozenset(_defined(tree)),
    )


def _is_own(node: ast.stmt | ast.AST) -> bool:
    if isinstance(node, ast.ImportFrom):
        return node.level > 0 or (node.module or "").partition(".")[0] == PACKAGE
    return isinstance(node, ast.Import) and any(one.name.partition(".")[0] == PACKAGE for one in node.names)


def _check_imports(tree: ast.Module, own: list[ast.Import | ast.ImportFrom], file: str) -> None:
    """In one text a name means one thing: own modules are imported at the top, by name, and not renamed."""
    for node in ast.walk(tree):
        if not _is_own(node):
            continue
        sound = isinstance(node, ast.ImportFrom) and node in own and node.level == 0
        if not sound or any(one.asname or one.name == "*" for one in getattr(node, "names", ())):
            line = getattr(node, "lineno", 0)
            message = f"line {line}: import own modules at the top, as `from {PACKAGE}.… import name`."
            raise SourceError("import_unsupported", message, file=file)


def _without(text: str, tree: ast.Module, imports: list[ast.Import | ast.ImportFrom]) -> str:
    """The text without its docstring and imports."""
    left_out: list[ast.stmt] = list(imports)
    if ast.get_docstring(tree) is not None:
        left_out.append(tree.body[0])
    numbers = {line for node in left_out for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    lines = text.splitlines()
    return "\n".join(line for number, line in enumerate(lines, 1) if number not in numbers).strip("\n")


def _defined(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        else:
            yield from (
                one.id
                for one in ast.walk(node)
                if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
            )


def _check_names(modules: list[_Module]) -> None:
    owner: dict[str, str] = {}
    for module in modules:
        for name in sorted(module.defines):
            if name in owner:
                message = f"{name} is defined in {owner[name]} too: in one text a name means one thing."
                raise SourceError("name_taken", message, file=module.name)
            owner[name] = module.name


def modules_in(text: str) -> dict[str, str]:
    """The modules of a packed source by their paths, as `pack` writes them; "" is what is before the first.

    A source of one module has only that.
    """
    first, *rest = TITLE.split(text)
    modules = {"": first}
    for name, part in zip(rest[::2], rest[1::2], strict=True):
        modules[name] = modules.get(name, "") + part  # nothing is lost of a source that has a name twice
    return modules


def unpack(text: str) -> dict[str, str]:
    """The modules of a packed source by path, as `modules_of` gives them, with the imports that each needs.

    Of a module's docstring only the first line is left, but for the entry's. Packed again, they are the same
    source. Empty for a source of one module. Raises SourceError source_unreadable.
    """
    parts = modules_in(text)
    try:
        head, trees = ast.parse(parts.pop("")), {path: ast.parse(part) for path, part in parts.items()}
    except (ValueError, SyntaxError, RecursionError, MemoryError) as error:
        raise SourceError("source_unreadable", f"this is not Python: {error}.", file=SOURCE) from error
    offered: dict[str, ast.Import | ast.ImportFrom] = {}
    for node in head.body:
        for alias in getattr(node, "names", ()) if isinstance(node, ast.Import | ast.ImportFrom) else ():
            name = (alias.asname or alias.name).partition(".")[0]
            module = node.module if isinstance(node, ast.ImportFrom) else None
            offered[name] = ast.ImportFrom(module, [alias], 0) if module else ast.Import([alias])
    modules = {}
    for path, tree in trees.items():
        docstring, body = ast.get_docstring(head, clean=False) or "", parts[path].strip("\n")
        if path != next(reversed(trees)):
            docstring, _, body = body.removeprefix("# ").partition("\n")
        used = {one.id for one in ast.walk(tree) if isinstance(one, ast.Name)}
        needed = _imports([one for name, one in offered.items() if name in used or name == "annotations"])
        modules[path] = f'"""{docstring}"""\n\n{needed}\n\n' + body.strip("\n") + "\n"
        own = path.removesuffix(".py").replace("/", ".")
        offered |= {name: ast.ImportFrom(own, [ast.alias(name)], 0) for name in _defined(tree)}
    return modules


def is_library(module: str) -> bool:
    """Whether a module of `modules_in` says that several environments share it."""
    return module.startswith(f"{PACKAGE}/{SHARED}/")


def own_lines(text: str) -> set[str]:
    """The different lines of a source that are no library's, without the space around them."""
    modules = [part for name, part in modules_in(text).items() if not is_library(name)]
    return {line.strip() for part in modules for line in part.splitlines()} - {""}


def _title(module: _Module) -> str:
    return f"# --- {module.name.replace('.', '/')}.py"


def _section(module: _Module) -> str:
    """A module's text below its path and the first line of its docstring."""
    first_line = module.docstring.partition("\n")[0]
    gap = "\n\n\n" if module.body.startswith(("def ", "class ", "@")) else "\n\n"  # as the formatter has it
    return f"{_title(module)}\n# {first_line}{gap}{module.body}"


def _imports(statements: list[ast.Import | ast.ImportFrom]) -> str:
    """The imports of packages as one block: the future, the standard library, the others."""
    groups: list[dict[str, set[str]]] = [{}, {}, {}]
    for statement in statements:
        for alias in statement.names:
            name = alias.name + (f" as {alias.asname}" if alias.asname else "")
            module = statement.module or "" if isinstance(statement, ast.ImportFrom) else ""
            top = (module or alias.name).partition(".")[0]
            group = 0 if top == "__future__" else 1 if top in sys.stdlib_module_names else 2
            names = groups[group].setdefault(f"from {module} import" if module else f"import {name}", set())
            names.update({name} if module else ())
    return "\n\n".join("\n".join(_lines(group)) for group in groups if group)


def _lines(group: dict[str, set[str]]) -> Iterator[str]:
    """A group's statements, sorted as by isort."""
    for start in sorted(group, key=lambda start: (start.startswith("from"), start)):
        names = sorted(group[start], key=lambda name: (not name.isupper(), not name[0].isupper(), name))
        line = f"{start} {', '.join(names)}".rstrip()
        if len(line) > LINE:
            line = f"{start} (\n" + "".join(f"    {name},\n" for name in names) + ")"
        yield line
