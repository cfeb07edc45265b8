"""Bundles of modules and of style sheets: at most a few files for each page, and each module evaluated once.

An entry is a module that a template names, or that is imported inside a function. Its bundle holds the
modules that it alone needs. What several entries need is in one bundle for each folder, `<folder>/common.js`,
which all of them import; so a module has one state on a page, however many bundles the page has.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from playtest.assets.modules import (
    BundleError,
    Module,
    constant,
    read_module,
    relative,
    resolved,
    with_paths_from,
)

VENDOR = "vendor"
"""Rarely changes, so it has a bundle of its own even if one entry alone needs it."""

_STYLE_IMPORT = re.compile(r'^@import "([^"]+)";[^\S\n]*$', re.MULTILINE)
_NAMED_BY_TEMPLATE = re.compile(r"""\{%\s*static\s+["']([^"']+)["']""")


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
