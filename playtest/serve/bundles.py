"""Bundles of modules and of style sheets: at most a few files for each page, and each module evaluated once.

An entry is a module that a template names, or that is imported inside a function. Its bundle holds the
modules that it alone needs. What several entries need is in one bundle for each folder, `<folder>/common.js`,
which all of them import; so a module has one state on a page, however many bundles the page has.

Of ES modules only what `static/` uses is understood: named imports, imports for effect, imports of a literal
path inside a function, and exports of functions, classes and constants. Everything else raises BundleError.
"""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

_IMPORT = re.compile(r'^import (?:\{([^}]*)\} from )?"(\.[^"]+)";[^\S\n]*$', re.MULTILINE)
_LATER = re.compile(r'\bawait import\("(\.[^"]+)"\)')
_EXPORT = re.compile(
    r"^export (?=(?:async )?(?:function|class|const)\b)"
    r"(?:(?:async )?(?:function|class|const)) (\w+|\{[^}=]*\})",
    re.MULTILINE,
)
_LEFT = re.compile(r"^\s*(?:import\b(?!\()|export\b).*|^await\b.*|\bimport\.meta\b.*", re.MULTILINE)
_NAMED = re.compile(r"\w+(?: as \w+)?")
VENDOR = "vendor"
"""Rarely changes, so it has a bundle of its own even if one entry alone needs it."""

_STYLE_IMPORT = re.compile(r'^@import "([^"]+)";[^\S\n]*$', re.MULTILINE)
_NAMED_BY_TEMPLATE = re.compile(r"""\{%\s*static\s+["']([^"']+)["']""")


class BundleError(Exception):
    """A module or style sheet that cannot be bundled, and why."""


@dataclass(frozen=True)
class Module:
    """A module of `static/` by its path there; `names` are what it exports."""

    path: str
    text: str
    imports: tuple[tuple[str, str], ...]
    later: tuple[str, ...]
    names: tuple[str, ...]

    @property
    def needs(self) -> tuple[str, ...]:
        """The modules that have to be evaluated before it."""
        return tuple(dict.fromkeys(path for path, _ in self.imports))

    def as_part(self) -> str:
        """A statement that evaluates the module in its own scope; those that it needs are constants."""
        body = _EXPORT.sub(lambda found: found[0].removeprefix("export "), _IMPORT.sub("", self.text))
        taken = "".join(f"const {{ {names} }} = {constant(path)};\n" for path, names in self.imports if names)
        given = ", ".join(self.names)
        return (
            f"// {self.path}\nconst {constant(self.path)} = (() => {{\n"
            f"{taken}{body.strip()}\nreturn {{ {given} }};\n}})();\n"
        )


def read_module(path: str, text: str) -> Module:
    """The module at this path of `static/`. Raises BundleError for what no bundle could hold."""
    imports = [(resolved(path, found[2]), _destructured(found[1] or "")) for found in _IMPORT.finditer(text)]
    names = [name for found in _EXPORT.finditer(text) for name in re.findall(r"\w+", found[1])]
    if left := _LEFT.search(_EXPORT.sub("", _IMPORT.sub("", text))):
        raise BundleError(f"{path}: a bundle cannot hold {left[0].strip()!r}.")
    later = tuple(resolved(path, found[1]) for found in _LATER.finditer(text))
    return Module(path, text, tuple(imports), later, tuple(names))


def with_paths_from(text: str, path: str, bundle: str) -> str:
    """The text of the module at `path`, whose later imports are relative to the bundle's path instead."""
    return _LATER.sub(lambda found: f'await import("{relative(resolved(path, found[1]), bundle)}")', text)


def constant(path: str) -> str:
    """The constant that holds the exports of the module at this path."""
    return "$" + re.sub(r"\W", "_", path.removesuffix(".js"))


def relative(path: str, bundle: str) -> str:
    """A path as the file at the path `bundle` imports it."""
    found = posixpath.relpath(path, posixpath.dirname(bundle) or ".")
    return found if found.startswith(".") else f"./{found}"


def resolved(path: str, target: str) -> str:
    """The path of what the file at `path` names `target`."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), target))


def _destructured(names: str) -> str:
    found: list[str] = _NAMED.findall(names)
    return ", ".join(name.replace(" as ", ": ") for name in found)


def named_by(templates: Iterable[str]) -> set[str]:
    """The files of `static/` that the texts of these templates name."""
    return {name for text in templates for name in _NAMED_BY_TEMPLATE.findall(text)}


def bundled_modules(texts: Mapping[str, str], named: set[str]) -> dict[str, str]:
    """The bundles by path, of modules by path. Raises BundleError.

    `named`: the modules that templates name.
    """
    modules = {path: read_module(path, text) for path, text in texts.items()}
    entries = named | {path for module in modules.values() for path in module.later}
    if missing := entries - modules.keys():
        raise BundleError(f"{sorted(missing)[0]} is named, but there is no such module.")
    places = _places(modules, entries)
    members: dict[str, list[Module]] = defaultdict(list)
    for path in _in_order(modules, sorted(entries)):
        members[places[path]].append(modules[path])
    _refuse_cycles(members, places)
    return {bundle: _bundle(bundle, members, places) for bundle in members}


def bundled_style(path: str, texts: Mapping[str, str]) -> str:
    """A style sheet with those that it imports in their place. Raises BundleError."""
    if path not in texts:
        raise BundleError(f"{path} is imported, but there is no such style sheet.")

    def inlined(found: re.Match[str]) -> str:
        return bundled_style(resolved(path, found[1]), texts)

    return _STYLE_IMPORT.sub(inlined, texts[path])


def _places(modules: Mapping[str, Module], entries: set[str]) -> dict[str, str]:
    """The bundle of each module that an entry needs."""
    needed_by: dict[str, set[str]] = defaultdict(set)
    for entry in entries:
        for path in _in_order(modules, [entry]):
            needed_by[path].add(entry)
    return {
        path: path
        if path in entries
        else f"{path.partition('/')[0]}/common.js"
        if len(users) > 1 or path.startswith(f"{VENDOR}/")
        else next(iter(users))
        for path, users in needed_by.items()
    }


def _in_order(modules: Mapping[str, Module], roots: list[str]) -> list[str]:
    """The modules that these need and they themselves, each after those that it needs."""
    found: dict[str, None] = {}

    def visit(path: str, above: tuple[str, ...]) -> None:
        if path in above:
            raise BundleError(f"{path} imports itself by way of {above[-1]}.")
        if path not in modules:
            raise BundleError(f"{above[-1]} imports {path}, which is not there.")
        if path not in found:
            for needed in modules[path].needs:
                visit(needed, (*above, path))
            found[path] = None

    for root in roots:
        visit(root, ())
    return list(found)


def _bundle(bundle: str, members: Mapping[str, list[Module]], places: Mapping[str, str]) -> str:
    """The text of a bundle: what it imports, its modules, and what other bundles need of it."""
    parts = members[bundle]
    imported = {needed for part in parts for needed in part.needs if places[needed] != bundle}
    others = (part for other in members if other != bundle for part in members[other])
    elsewhere = {needed for part in others for needed in part.needs}
    lines = [
        f'import {{ {constant(needed)} }} from "{relative(places[needed], bundle)}";\n'
        for needed in sorted(imported)
    ]
    lines += [with_paths_from(part.as_part(), part.path, bundle) for part in parts]
    if exported := [constant(part.path) for part in parts if part.path in elsewhere]:
        lines.append(f"export {{ {', '.join(exported)} }};\n")
    return "".join([*lines, *_own_exports(bundle, parts)])


def _own_exports(bundle: str, parts: list[Module]) -> Iterator[str]:
    """What an entry exports by its own names: an import inside a function finds them there."""
    for part in parts:
        if part.path == bundle and part.names:
            yield f"export const {{ {', '.join(part.names)} }} = {constant(part.path)};\n"


def _refuse_cycles(members: Mapping[str, list[Module]], places: Mapping[str, str]) -> None:
    """Raises BundleError if bundles import each other: their order would be undefined."""
    needs = {
        bundle: {places[needed] for part in parts for needed in part.needs} - {bundle}
        for bundle, parts in members.items()
    }
    while free := {bundle for bundle, others in needs.items() if not others & needs.keys()}:
        needs = {bundle: others for bundle, others in needs.items() if bundle not in free}
    if needs:
        raise BundleError(f"{', '.join(sorted(needs))} import each other.")
