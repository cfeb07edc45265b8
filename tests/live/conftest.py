"""Real servers: embedded by default, on PostgreSQL and Redis with DATABASE_URL and REDIS_URL."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.live.server import Server, make_template


@pytest.fixture(scope="session")
def database_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_template(tmp_path_factory.mktemp("template"))


@pytest.fixture
def make_server(tmp_path: Path, database_template: Path) -> Iterator[Callable[..., Server]]:
    made: list[Server] = []

    def make(**settings: str) -> Server:
        made.append(Server(tmp_path / f"server{len(made)}", database_template, **settings))
        return made[-1]

    yield make
    for server in made:
        server.stop()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, database_template: Path) -> Iterator[Server]:
    """One installation for the tests of a module; each test seeds people of its own."""
    server = Server(tmp_path_factory.mktemp("server"), database_template)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def port(server: Server) -> int:
    return server.start()
