"""Publishing a released baseline as the metadata of the official layout.

arc_agi (`models.EnvironmentInfo`, `scorecard.EnvironmentScorecard`) takes a list with one whole number for
each level. A shorter list would score runs over fewer levels, and -1, which it uses for "unknown", would
score as 1. So a number for every level is written, or nothing.
"""

import json
import os
import shutil
import tempfile
from pathlib import Path

from engine.errors import SourceError
from engine.play import source as sources
from engine.play.source import METADATA, Source
from playtest.play.errors import Refusal
from playtest.studio.models import Version
from playtest.studio.services import BASELINE


def publish(version: Version, actions: list[int], games: Path) -> Path:
    """Writes the baseline into the metadata beside this version's source; returns the file.

    The digest of the version is that of its source, so it stays the same. Refusal: folder_missing,
    environment_not_in_folder, version_not_in_folder, metadata_not_written.
    """
    file = Path(_source(version, games).path).with_name(METADATA).resolve()
    try:
        known = json.loads(file.read_bytes())
        if not isinstance(known, dict):
            raise ValueError("it is not a JSON object")
        if known.get(BASELINE) != actions:
            _replace(file, json.dumps(known | {BASELINE: actions}, indent=2, ensure_ascii=False) + "\n")
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
