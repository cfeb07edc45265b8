"""Fixtures of all tests with real servers, on SQLite by default or on DATABASE_URL and REDIS_URL."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.browsing import bundles
from tests.databases import database_name, once
from tests.live.arena import PRIVATE, PUBLIC, Arena, make_games
from tests.live.seeder import Seeder
from tests.live.server import Server

TRUSTED_ORIGINS = "https://center.example,https://*.test.example:8443"
MOST_WAITING = 20
"""Connections of the common server that may say nothing."""


class Templates(NamedTuple):
    """Migrated databases to copy: an empty one, and one with the environments in PLAYED."""

    empty: Path
    played: Path


@pytest.fixture(scope="session")
def templates(tmp_path_factory: pytest.TempPathFactory, template: Path, seeder: Seeder) -> Templates:
    """Makes the second template once for all processes of this run."""
    return Templates(template, once(tmp_path_factory, "played", partial(make_played, template, seeder)))


def make_played(template: Path, seeder: Seeder, folder: Path) -> Path:
    server = Server(folder / "played", template, seeder)
    server.seed(played=True)
    server.seed(leave=True)
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
    settings = {"TRUSTED_ORIGINS": TRUSTED_ORIGINS, "MOST_WAITING_CONNECTIONS": str(MOST_WAITING)}
    server = Server(folder, templates.played, seeder, **settings)
    (folder / "assets").symlink_to(bundles())
    yield server
    server.stop()


@pytest.fixture(scope="session")
def arena(tmp_path_factory: pytest.TempPathFactory, template: Path, seeder: Seeder) -> Iterator[Arena]:
    """One installation for all tests of the API for agents; each makes keys of its own."""
    games = once(tmp_path_factory, "public", lambda folder: make_games(folder / "public", PUBLIC))
    filled = once(tmp_path_factory, "arena", partial(make_arena, template, seeder, games))
    server = Server(tmp_path_factory.mktemp("arena"), filled, seeder, GAMES_DIR=str(games))
    yield Arena(server, server.start(), games)
    server.stop()


def make_arena(template: Path, seeder: Seeder, games: Path, folder: Path) -> Path:
    """A database to copy with a public and a private set of environments."""
    server = Server(folder / "arena", template, seeder, GAMES_DIR=str(games))
    server.seed(sets=dict.fromkeys(PUBLIC, "public"), games=str(games))
    held_back = make_games(folder / "private", PRIVATE)
    server.seed(sets=dict.fromkeys(PRIVATE, "private"), games=str(held_back))
    server.seed(leave=True)
    return Path(database_name(server.database))


@pytest.fixture(scope="session")
def port(server: Server) -> int:
    return server.start()


@pytest.fixture(scope="session")
def other_port(server: Server, port: int) -> int:
    """A second process of the common server."""
    return server.start()
