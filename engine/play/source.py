"""Finds and loads environments on disk, in the official layout.

`<directory>/<id>/<id>.py` or `<directory>/<id>/<version>/<id>.py` or deeper, each beside `metadata.json`.
Defaults and file names follow the official toolkit (arc_agi `models.EnvironmentInfo`, `local_wrapper`).

A process compiles each source once, or is given what another process has compiled. Marshalled code may do
anything to the process that reads it. So only what was compiled in a process that has run no source is ever
handed on, and only to the hosts of that source (`playtest.play.hosts.ahead`).
"""

from __future__ import annotations

import ast
import json
import linecache
import marshal
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from engine.errors import EnvironmentFault, SourceError, describe_exception
from engine.texts import TextError, text_of

MOST_BYTES = 2 * 1024 * 1024
"""Of marshalled code: what is larger is compiled where it is needed."""

_given: dict[tuple[str, str], CodeType] = {}


def code_of(text: str, name: str) -> CodeType:
    """The code of a source whose lines tracebacks show under `name`. Raises what `compile` raises."""
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    return _given.get((text, name)) or _compiled(text, name)


def marshalled(text: str, name: str) -> bytes:
    """The code as bytes for `give`; b"" if it cannot be compiled or is too large."""
    try:
        data = marshal.dumps(code_of(text, name))
    except Exception:  # whoever plays it compiles it again, and says what is wrong
        return b""
    return data if len(data) <= MOST_BYTES else b""


def give(text: str, name: str, data: bytes) -> None:
    """Uses what `marshalled` returned for the same text and name, instead of compiling it."""
    _given[text, name] = marshal.loads(data)


@lru_cache(maxsize=256)
def _compiled(text: str, name: str) -> CodeType:
    return compile(text.removeprefix("\ufeff"), name, "exec", dont_inherit=True)


METADATA = "metadata.json"
TASKS = "tasks"
"""The folder of static tasks beside the environments; `engine.tasks` reads its files."""
DEFAULT_FPS = 5
LARGEST_METADATA = 256 * 1024

_GAME_ID = re.compile(r"(?P<environment_id>[A-Za-z0-9]{4})(-[A-Za-z0-9._-]+)?")


@dataclass(frozen=True)
class Source:
    """One version of an environment, named by `digest`, the SHA-256 of `text` in hexadecimal.

    `path` is the file it was read from; `metadata` all that its metadata.json says.
    """

    environment_id: str
    game_id: str
    title: str
    class_name: str
    default_fps: int
    text: str = field(repr=False)
    digest: str
    path: str
    metadata: dict[str, Any] = field(repr=False, hash=False)

    @property
    def file_name(self) -> str:
        """What tracebacks call the file."""
        return f"<{self.game_id} {self.digest[:8]}>"

    @property
    def baseline_actions(self) -> tuple[int, ...]:
        """The published human baseline, actions per level; empty when there is none."""
        return tuple(self.metadata.get("baseline_actions") or ())


def find(directory: Path) -> Iterator[Source | SourceError]:
    """The environments in a games folder and all folders in it, by name.

    A broken one, and a folder without any, is yielded as its error. The folder may also be that of one
    environment. Raises SourceError folder_missing.
    """
    if not directory.is_dir():
        raise SourceError("folder_missing", "there is no such folder of environments.", file=str(directory))
    for folder in [directory] if (directory / METADATA).exists() else _folders(directory):
        for place in _places(folder):
            try:
                yield load(place)
            except SourceError as error:
                yield error


def load(folder: Path) -> Source:
    """The environment in one folder.

    Raises SourceError source_missing, source_unreadable, and as `metadata_of`.
    """
    metadata = metadata_of(folder)
    identity = _identity(metadata, str(folder / METADATA))
    path = _game_file(folder, identity["class_name"], identity["environment_id"])
    try:
        text = path.read_bytes().decode("utf-8")
    except (OSError, ValueError) as error:
        raise SourceError(
            "source_unreadable", f"this is not text in UTF-8: {error}.", file=str(path)
        ) from error
    return from_parts(metadata, text, str(path))


def metadata_of(folder: Path) -> dict[str, Any]:
    """What the metadata.json of a folder says. Raises SourceError metadata_missing, metadata_invalid."""
    metadata_file = folder / METADATA
    if not metadata_file.is_file():
        raise SourceError("metadata_missing", f"an environment needs a {METADATA} here.", file=str(folder))
    if metadata_file.stat().st_size > LARGEST_METADATA:
        message = f"this has more than {LARGEST_METADATA // 1024} kB."
        raise SourceError("metadata_invalid", message, file=str(metadata_file))
    try:
        metadata = json.loads(text_of(metadata_file.read_bytes()))
    except (OSError, ValueError, RecursionError, TextError) as error:
        raise SourceError(
            "metadata_invalid", f"this is not JSON: {error}.", file=str(metadata_file)
        ) from error
    if not isinstance(metadata, dict):
        raise SourceError("metadata_invalid", "metadata must be a JSON object.", file=str(metadata_file))
    return metadata


def from_parts(metadata: Mapping[str, Any], text: str, path: str) -> Source:
    """A version from its metadata and text. Raises SourceError metadata_invalid."""
    digest = sha256(text.encode("utf-8")).hexdigest()
    return Source(**_identity(metadata, path), metadata=dict(metadata), text=text, digest=digest, path=path)


def plain_text(text: str) -> str:
    """A source without what editors and systems change: its mark, kinds of line breaks, blanks at line ends.

    Two sources of one plain text play alike: within the texts of a program blanks stay.
    """
    unmarked = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    lines = unmarked.rstrip().split("\n")
    if any(line[-1:] in (" ", "\t") for line in lines):
        whole = _ending_in_texts(unmarked, len(lines))
        lines = [line if at in whole else line.rstrip(" \t") for at, line in enumerate(lines, 1)]
    return "\n".join(lines) + "\n"


def _ending_in_texts(text: str, count: int) -> set[int]:
    """The lines, from 1, that end within a text of the program; all of them if it is not Python."""
    try:
        nodes = list(ast.walk(ast.parse(text)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set(range(1, count + 1))
    texts = [node for node in nodes if isinstance(node, ast.Constant | ast.JoinedStr)]
    return {line for node in texts for line in range(node.lineno, node.end_lineno or node.lineno)}


def fresh_module(source: Source) -> ModuleType:
    """Runs the source in a module of its own, so that no two games share module state.

    Raises SourceError import_failed, EnvironmentFault memory_exceeded.
    """
    name = f"arc_agi_3.{source.game_id}"
    module = sys.modules[name] = ModuleType(name)  # dataclasses look there for what annotations name
    try:
        exec(code_of(source.text, source.file_name), module.__dict__)
    except MemoryError as error:
        message = "Importing the environment took more memory than it may have."
        raise EnvironmentFault("memory_exceeded", message) from error
    except (Exception, SystemExit) as error:
        raise SourceError(
            "import_failed", f"importing it failed: {describe_exception(error)}.", file=source.path
        ) from error
    finally:
        sys.modules.pop(name, None)
    return module


def _folders(directory: Path) -> list[Path]:
    """Those that are not hidden, by name: a number within it counts as one, so v2 comes before v10."""
    found = [path for path in directory.iterdir() if path.is_dir() and path.name[0] != "."]
    return sorted(found, key=lambda path: (_numbered(path.name), path.name))


def _numbered(name: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name)]


def _places(folder: Path) -> list[Path]:
    """The folders of environments in a folder, itself included, and those that hold none.

    What is beside the metadata of an environment belongs to it, unless it has metadata of its own.
    """
    below = [place for one in _folders(folder) if not one.is_symlink() for place in _places(one)]
    environments = [place for place in below if (place / METADATA).exists()]
    if (folder / METADATA).exists():
        return [folder, *environments]
    if environments:
        return below
    return [] if folder.name[0] == "_" or folder.name == TASKS else [folder]


def _game_file(folder: Path, class_name: str, environment_id: str) -> Path:
    names = dict.fromkeys(f"{name}.py" for name in (class_name.lower(), class_name, environment_id))
    for name in names:
        if (folder / name).is_file():
            return folder / name
    message = f"the environment's source is missing: {' or '.join(names)}."
    raise SourceError("source_missing", message, file=str(folder))


def _identity(metadata: Mapping[str, Any], file: str) -> dict[str, Any]:
    game_id = metadata.get("game_id")
    match = _GAME_ID.fullmatch(game_id) if isinstance(game_id, str) else None
    if match is None:
        message = f'"game_id" must be four letters or digits and perhaps "-version", not {game_id!r}.'
        raise SourceError("metadata_invalid", message, file=file)
    environment_id = match["environment_id"]
    identity = {
        "environment_id": environment_id,
        "game_id": game_id,
        "title": metadata.get("title") or environment_id,
        "class_name": metadata.get("class_name") or environment_id[0].upper() + environment_id[1:],
        "default_fps": DEFAULT_FPS if metadata.get("default_fps") is None else metadata["default_fps"],
    }
    _check_types(metadata, identity, file)
    return identity


def _check_types(metadata: Mapping[str, Any], identity: Mapping[str, Any], file: str) -> None:
    class_name, fps = identity["class_name"], identity["default_fps"]
    rules = {
        '"title" must be text': isinstance(identity["title"], str),
        '"class_name" must be a name of Python': isinstance(class_name, str) and class_name.isidentifier(),
        '"default_fps" must be a whole number above 0': type(fps) is int and fps > 0,
        '"tags" must be a list of texts': _is_list_of(str, metadata.get("tags")),
        '"baseline_actions" must be a list of whole numbers': _is_list_of(
            int, metadata.get("baseline_actions")
        ),
    }
    for rule, is_met in rules.items():
        if not is_met:
            raise SourceError("metadata_invalid", f"{rule}.", file=file)


def _is_list_of(kind: type, value: Any) -> bool:
    return value is None or (isinstance(value, list) and all(type(item) is kind for item in value))
