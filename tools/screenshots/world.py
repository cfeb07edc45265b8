"""The installation for the pictures: studies, a demonstration, an older version and jobs."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from tests.live.games import ENVIRONMENTS
from tests.live.server import PASSWORD, ROOT, Server
from tools.games import GAMES
from tools.screenshots.people import Crowd

PEOPLE = 10
PLAYED = ["ke52", "kr68", "nv52", "ph79", "tb46", "tz85"]
"""What the people of the pictures play."""
LARGER_NUDGE = "NUDGE = 0.3"
EASY = "wk01"
"""A candidate that a random player wins."""
UPLOADED = (EASY, "fv01", "im01", "lp01", "wd01")
"""What a careless developer sends: all but the first are rejected."""


@dataclass(frozen=True)
class World:
    """The study of the demonstration and an archive of environments to upload."""

    server: Server
    port: int
    study: int
    rehearsal: int
    sessions: list[int]
    archive: Path

    def attempt(self, code: str, study: int, order: str = "play_attempt.id") -> int:
        """An attempt at an environment in a study."""
        [(found,), *_] = self.server.rows(
            "SELECT play_attempt.id FROM play_attempt JOIN play_session ON play_session.id = session_id "
            "JOIN studio_environment ON studio_environment.id = play_attempt.environment_id "
            f"WHERE code = '{code}' AND study_id = {study} AND outcome <> '' ORDER BY {order}"
        )
        return int(found)


def bring_to_life(server: Server, folder: Path) -> World:
    """Run the server, a rehearsal and people at the socket for about two minutes."""
    draft = draft_of("ke52", folder / "drafts")
    server.manage("import_environments", str(draft))
    server.seed(staff="lead", password=PASSWORD)
    server.manage("prepare")
    port = server.start()
    first = {"name": "First look", "people": PEOPLE}
    seeded = server.seed(games=str(draft), pool=["ke52"], people=6, stage="playing", study=first)
    Crowd.at([GAMES / "ke52"], solvers=1, least=1).play(server, port, seeded["people"])
    spring = {"name": "Spring sessions", "people": PEOPLE, "fee": 40, "bonus": 5}
    seeded = server.seed(games=str(GAMES), pool=PLAYED, people=PEOPLE, stage="playing", study=spring)
    Crowd.at([GAMES / code for code in PLAYED], solvers=6, least=3).play(server, port, seeded["people"])
    [(rehearsal,)] = server.rows("SELECT id FROM play_study WHERE name = 'Demonstration'")
    return World(
        server,
        port,
        seeded["study"],
        rehearsal,
        [person["session"] for person in seeded["people"]],
        packed(folder / "candidates.zip"),
    )


def draft_of(code: str, folder: Path) -> Path:
    """Write a games folder with an earlier version, in which what cannot move shakes more."""
    shutil.copytree(GAMES / code, folder / code)
    source = folder / code / f"{code}.py"
    text, changed = re.subn(r"^NUDGE = [\d.]+", LARGER_NUDGE, source.read_text(), flags=re.MULTILINE)
    assert changed
    source.write_text(text)
    return folder


def packed(path: Path) -> Path:
    """Return an archive of small environments for an upload."""
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for code in UPLOADED:
            for name in (f"{code}.py", "metadata.json"):
                archive.write(ENVIRONMENTS / code / name, f"{code}/{name}")
    return path


@contextmanager
def worker(server: Server) -> Iterator[None]:
    """Run a worker for qualifications, explorations and exports."""
    options = ["--pool", "threads", "--concurrency", "2", "--queues", "studio,imports,exports"]
    command = ["-m", "celery", "-A", "playtest", "--quiet", "worker", *options]
    with (server.folder / "worker.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, *command], cwd=ROOT, env=server.environment, stdout=log, stderr=log
        )
    try:
        yield
    finally:
        process.terminate()
        process.wait()
