"""`manage.py import_tasks PLACE`: import static tasks in the official JSON, one or folders of hundreds."""

from collections.abc import Collection
from pathlib import Path

from playtest.studio.management.shared import ImportCommand
from playtest.studio.services import LoadResult
from playtest.studio.services.tasks import load_tasks


class Command(ImportCommand):
    help = (
        "Import static tasks in the official JSON: a file, or all .json and .jsonl files of a folder and the "
        "folders in it, also Kaggle's files of many. A task's id is its key there, or the name of its file. "
        "Known versions stay as they are. A broken one is rejected with the reason and stops no other. "
        "One that would replace a current version by an older one or another author's asks for --yes."
    )
    argument, argument_help = "place", "a file, or a folder of tasks"

    def load(self, place: Path, confirmed: Collection[str] | None) -> list[LoadResult]:
        return load_tasks(place, confirmed=confirmed)

    def nothing(self, place: Path) -> str:
        return f"no task: {place} holds no .json file"
