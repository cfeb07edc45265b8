"""`manage.py import_environments DIR`: import environments in the official layout, one or many."""

from collections.abc import Collection
from pathlib import Path

from engine.play.source import METADATA
from playtest.studio.management.shared import ImportCommand
from playtest.studio.services import LoadResult, load_environments


class Command(ImportCommand):
    help = (
        "Import environments in the official layout: DIR/<id>/[<version>/] with <id>.py and metadata.json. "
        "Known versions stay as they are. A broken one is rejected with the reason and stops no other. "
        "One that would replace a current version by an older one or another author's asks for --yes."
    )
    argument_help = "folder with a folder for each environment"

    def load(self, place: Path, confirmed: Collection[str] | None) -> list[LoadResult]:
        return load_environments(place, confirmed=confirmed)

    def nothing(self, place: Path) -> str:
        return f"no environment: {place} holds no folder with a {METADATA}"
