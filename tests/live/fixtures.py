"""Fixtures of all tests with real servers, on SQLite by default or on DATABASE_URL and REDIS_URL."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.databases import database_name, once
from tests.live.arena import PRIVATE, PUBLIC, Arena, make_games
from tests.live.seeder import Seeder
from tests.live.server import Server

TRUSTED_ORIGINS = "https://center.example,https://*.test.example:8443"


class Templates(NamedTuple):
    """Migrated databases to copy: an empty one, and one with the environments in PLAYED."""

    empty: Path
    played: Path


@pytest.fixture(scope="session")
def templates(tmp_path_factory: pytest.TempPathFactory, template: Path) -> Templates:
    """Makes the second template once for all processes of this run."""
    return Templates(template, once(tmp_path_factory, "played", partial(make_played, template)))


def make_played(template: Path, folder: Path) -> Path:
    server = Server(folder / "played", template)
    server.seed(played=True)
    server.stop()
    return Path(database_name(server.database))


@pytest.fixture(scope="session")
def seeder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Seeder]:
    with Seeder(tmp_path_factory.mktemp("seeder")) as seeder:
        yield seeder


@pytest.fixture
def make_server(tmp_path: Path, templates: Templates, seeder: Seeder) -> Iterator[Callable[..., Server]]:
    """`make_server(NAME="value", ...)`: an installation of its own; with a GAMES_DIR it knows nothing yet."""
    made: list[Server] = []

    def make(**settings: str) -> Server:
        template = templates.empty if "GAMES_DIR" in settings else templates.played
        made.append(Server(tmp_path / f"server{len(made)}", template, seeder, **settings))
        return made[-1]

    yield make
    for server in made:
        server.stop()


@pytest.fixture(scope="session")
def server(
    tmp_path_factory: pytest.TempPathFactory, templates: Templates, seeder: Seeder
) -> Iterator[Server]:
    """One installation for all tests that leave it as it is; each seeds a study and people of its own."""
    folder = tmp_path_factory.mktemp("server")
    server = Server(folder, templates.played, seeder, TRUSTED_ORIGINS=TRUSTED_ORIGINS)
    yield server
    server.stop()


@pytest.fixture(scope="session")
def arena(tmp_path_factory: pytest.TempPathFactory, templates: Templates, seeder: Seeder) -> Iterator[Arena]:
    """One installation for all tests of the API for agents; each makes keys of its own."""
    folder = tmp_path_factory.mktemp("arena")
    games = make_games(folder / "games", PUBLIC)
    held_back = make_games(folder / "private games", PRIVATE)
    server = Server(folder / "server", templates.empty, seeder, GAMES_DIR=str(games))
    server.seed(sets=dict.fromkeys(PUBLIC, "public"), games=str(games))
    server.seed(sets=dict.fromkeys(PRIVATE, "private"), games=str(held_back))
    yield Arena(server, server.start(), games)
    server.stop()


@pytest.fixture(scope="session")
def port(server: Server) -> int:
    return server.start()
