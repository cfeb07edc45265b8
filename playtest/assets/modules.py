"""ES modules as `static/` writes them, and the same as parts of a bundle.

Only what `static/` uses is understood: named imports, imports for effect, imports of a literal path inside a
function, and exports of functions, classes and constants. Everything else raises BundleError.
"""

from __future__ import annotations

import posixpath
import re
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
