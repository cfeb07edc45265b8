"""Publishing a released baseline as the metadata of the official layout.

arc_agi (`models.EnvironmentInfo`, `scorecard.EnvironmentScorecard`) takes a list with one whole number for
each level. A shorter list would score runs over fewer levels, and -1, which it uses for "unknown", would
score as 1. So a number for every level is written, or nothing.
"""

import json
import os
import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.errors import SourceError
from engine.play import source as sources
from engine.play.source import METADATA, Source
from playtest.play.errors import Refusal
from playtest.studio.models import Version
from playtest.studio.services import BASELINE

_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\r\n]*")


@dataclass(frozen=True)
class _Member:
    """A member: its value is text[begin:end], and `gap` is the space before its key."""

    name: str
    gap: str
    begin: int
    end: int


def with_member(text: str, name: str, value: Any) -> str:
    """The text of a JSON object with the member `name` set to `value`, on one line.

    An existing member keeps its place; a new one comes last, with the space of the one before it. Raises
    ValueError if the text is not a JSON object.
    """
    members, closing = _members(text)
    written = json.dumps(value)
    for member in reversed(members):  # JSON takes the last of several with one name
        if member.name == name:
            return text[: member.begin] + written + text[member.end :]
    if not members:
        return f"{text[:closing]}{json.dumps(name)}: {written}{text[closing:]}"
    last = members[-1]
    return f"{text[: last.end]},{last.gap or ' '}{json.dumps(name)}: {written}{text[last.end :]}"


def _members(text: str) -> tuple[list[_Member], int]:
    """The members of the outermost object, and the position of its closing brace."""
    if not isinstance(json.loads(text), dict):
        raise ValueError("this is not a JSON object")
    members: list[_Member] = []
    place = text.index("{") + 1
    while True:
        key = _after_space(text, place)
        if text[key] == "}":
            return members, key
        gap = text[place:key]
        name, after = _DECODER.raw_decode(text, key)
        begin = _after_space(text, _after_space(text, after) + 1)
        _, end = _DECODER.raw_decode(text, begin)
        members.append(_Member(name, gap, begin, end))
        place = _after_space(text, end)
        if text[place] == "}":
            return members, place
        place += 1


def _after_space(text: str, place: int) -> int:
    found = _SPACE.match(text, place)
    return found.end() if found else place


def publish(version: Version, actions: list[int], games: Path) -> Path:
    """Writes the baseline into the metadata beside this version's source; returns the file.

    The digest of the version is that of its source, so it stays the same. Refusal: folder_missing,
    environment_not_in_folder, version_not_in_folder, metadata_not_written.
    """
    file = Path(_source(version, games).path).with_name(METADATA).resolve()
    try:
        text = file.read_bytes().decode()
        written = with_member(text, BASELINE, actions)
        if written != text:
            _replace(file, written)
    except (OSError, ValueError) as error:
        raise Refusal("metadata_not_written", f"{file} cannot be written: {error}.") from error
    return file


def _source(version: Version, games: Path) -> Source:
    """The folder of this version; of several, the last by name, which is the current one."""
    code = version.environment.code
    try:
        found = [
            source
            for source in sources.find(games)
            if isinstance(source, Source) and source.environment_id == code
        ]
    except SourceError as error:
        raise Refusal(error.code, f"{games}: {error.message}") from error
    if not found:
        raise Refusal("environment_not_in_folder", f"{games} has no environment {code} that can be read.")
    same = [source for source in found if source.digest == version.digest]
    if not same:
        versions = ", ".join(source.digest[:8] for source in found)
        message = (
            f"{games} has version {versions} of {code}, and this baseline is of {version.digest[:8]}: "
            "name the folder with that version, or choose the other version's baseline."
        )
        raise Refusal("version_not_in_folder", message)
    return same[-1]


def _replace(file: Path, text: str) -> None:
    """Replaces the file in one step, so that a crash leaves the old or the new text."""
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(handle, "wb") as temporary:
            temporary.write(text.encode())
            temporary.flush()
            os.fsync(temporary.fileno())
        shutil.copymode(file, name)
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
