"""Fixtures and markers for all tests: a browser, cheap password hashes, the order of files."""

import gc
import os
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.db import connection
from hypothesis import HealthCheck, settings
from playwright.sync_api import expect
from pytest_django import DjangoDbBlocker

from tests.browsing import open_desk
from tests.chromium import launch_arguments

DATABASE_FIXTURES = {"db", "transactional_db", "live_server", "server", "make_server"}
BROWSER_FIXTURES = {"page", "context", "browser"}
TESTS = Path(__file__).parent
FIRST = ["live", "studio", "setup"]

# Playwright keeps an event loop running in the thread of the tests; Django would refuse the database there.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

# Longer than any page takes on a busy machine; who waits for what comes waits no longer for it.
expect.set_options(timeout=20_000)

# How long an example takes, or finding one, depends on what else the machine is doing.
settings.register_profile("no_clock", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("no_clock")

# The algorithm is the product's; only here it need not be expensive to guess.
Argon2PasswordHasher.memory_cost, Argon2PasswordHasher.time_cost = 64, 1


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Exclude imported and collected objects from garbage collection."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests by the fixtures they use and order them for parallel processes.

    Whole servers and programs come first: they wait while others work, and no long file is left for one
    process at the end. Browser tests come last: Playwright leaves its event loop running in a process, where
    asynchronous tests could not start theirs.
    """
    for item in items:
        used = set(getattr(item, "fixturenames", ()))
        if used & DATABASE_FIXTURES or item.get_closest_marker("django_db"):
            item.add_marker("database")
            if not used & BROWSER_FIXTURES and not item.get_closest_marker("once"):
                item.add_marker("services")
        if used & BROWSER_FIXTURES:
            item.add_marker("browser")
    items.sort(key=place)


def place(item: pytest.Item) -> tuple[bool, int]:
    folder = item.path.relative_to(TESTS).parts[0]
    order = FIRST.index(folder) if folder in FIRST else len(FIRST)
    return item.get_closest_marker("browser") is not None, order


@pytest.fixture(scope="session")
def desk() -> Iterator[int]:
    """The port of `tests.browsing`."""
    with open_desk() as port:
        yield port


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any], desk: int) -> dict[str, Any]:
    """Chromium, for which `http://localhost` is the desk."""
    rules = f"--host-resolver-rules=MAP localhost:80 127.0.0.1:{desk}"
    return {**browser_type_launch_args, **launch_arguments(rules)}


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Close the connections that would keep PostgreSQL from dropping the test database.

    Playwright calls back in contexts of its own, for which Django opens connections that nobody closes.
    """
    yield
    with django_db_blocker.unblock():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
