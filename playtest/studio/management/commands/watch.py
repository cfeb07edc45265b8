"""`manage.py watch DIR`: import a draft whenever an environment's files change, and play its recordings."""

import re
import sys
import time
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse
from django.utils import timezone
from watchfiles import watch

from engine.errors import EngineError
from engine.play.packing import is_packed
from engine.play.source import METADATA
from playtest.rules.text import counted
from playtest.studio.services.drafts import Past, draw_drafts, keep_draft, play_recordings, read_source

_SHARED = "_shared"
_WATCHED = {".py", ".json", ".jsonl"}
_VERSION = re.compile(rb'"game_id": *"[^"]*"')
_QUIET_MS = 50
"""Editors write a file in several steps: this long nothing may change before it is read."""


class Command(BaseCommand):
    help = (
        "Watch the folder of one environment. After each change its source is imported as a draft version "
        "(packed first if it has several modules) and its recordings are played on it: what broke is said, "
        "and watching goes on. Ends with Ctrl-C."
    )

    _before: dict[str, Past]

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("directory", type=Path, help="the environment's folder")
        parser.add_argument("--once", action="store_true", help="check once; exit 1 if anything is broken")

    def handle(self, *args: Any, **options: Any) -> None:
        folder: Path = options["directory"].resolve()
        self._before = {}
        if not folder.is_dir():
            raise CommandError(f"folder_missing: there is no folder {folder}.", returncode=2)
        if options["once"]:
            if not self._check(folder):
                sys.exit(1)
            return
        shared = folder.parent / _SHARED
        places = [folder, *([shared] if is_packed(folder) and shared.is_dir() else [])]
        pictures = reverse("studio:draft", args=[folder.name])
        self.stdout.write(
            f"Watching {folder}. Ctrl-C ends it. Its levels: {settings.CENTER_URL.rstrip('/')}{pictures}"
        )
        seen = ""
        # Also looked at without a change: what is saved before watching has begun is not missed.
        for _ in chain([None], watch(*places, step=_QUIET_MS, yield_on_timeout=True, raise_interrupt=False)):
            now = _state(folder, places)
            if now != seen:
                seen = now
                self._check(folder)
                draw_drafts(folder.name)

    def _check(self, folder: Path) -> bool:
        """Says what a draft of the folder's present files does; returns whether all is well."""
        began = time.perf_counter()
        moment = timezone.localtime().strftime("%H:%M:%S")
        try:
            source = read_source(folder)
            version = keep_draft(source)
        except EngineError as error:
            said = f"{error.code}: {error.message}".replace(f"{folder}/", "")
            self.stdout.write(f"{moment} {folder.name} is not imported: {said}")
            return False
        played = play_recordings(source, folder, self._before)
        broken = sum(not one.plays for one in played)
        recordings = counted(len(played), "recording")
        found = (
            f"{broken} of {recordings} broken"
            if broken
            else f"{recordings} play{'s' if len(played) == 1 else ''}"
        )
        self.stdout.write(
            f"{moment} {version.game_id} is {'a draft' if version.is_draft else 'an imported version'} with "
            f"{version.levels} levels, {found} ({time.perf_counter() - began:.1f} s)"
        )
        for one in played:
            self.stdout.write(f"  {'ok    ' if one.plays else 'BROKEN'} {one.name}: {one.sentence}")
        return not broken


def _state(folder: Path, places: list[Path]) -> str:
    """A digest of what the author writes: not of what packing writes from it."""
    digest = sha256()
    packed = folder / f"{folder.name}.py" if is_packed(folder) else None
    for path in sorted(path for place in places for path in place.rglob("*") if path.suffix in _WATCHED):
        try:
            text = path.read_bytes()
        except OSError:  # it is gone again, or is being replaced
            continue
        if path != packed:
            digest.update(f"{path}\0".encode() + (_VERSION.sub(b"", text) if path.name == METADATA else text))
    return digest.hexdigest()
