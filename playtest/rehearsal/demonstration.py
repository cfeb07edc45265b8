"""The demonstrations: closed rehearsals that every new installation has, from packages shipped with it.

`tools/record_demonstration.py` lets simulated people play them, through pages and socket, and writes the
packages; `manage.py prepare` imports these. So they are the same everywhere, and their times lie in the past.
"""

from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from playtest.play.models import Study
from playtest.rules.kinds import Kind

REFERENCE = "simulated_reference.json"


@dataclass(frozen=True)
class Demonstration:
    """A rehearsal of everything shipped of a kind: its study's name, its file, how many people play."""

    name: str
    kind: Kind
    file: str
    people: int = 14

    @property
    def path(self) -> Path:
        return Path(settings.DEMONSTRATION_DIR) / self.file


INTERACTIVE = Demonstration("Demonstration", Kind.INTERACTIVE, "interactive.zip")
TASKS = Demonstration("Demonstration of static tasks", Kind.TASK, "tasks.zip", people=12)
ALL = (INTERACTIVE, TASKS)


def load(*shown: Demonstration) -> list[Study]:
    """Imports these recorded packages; what is here already adds nothing. Refusal: as `import_package`."""
    from playtest.insight.paper.package.importing import import_package  # slow to import

    return [import_package(one.path).study for one in shown if one.path.is_file()]
