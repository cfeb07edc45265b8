"""What every test may rely on: markers set by what a test uses, and Debian's Chromium for browser tests."""

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from pytest_django import DjangoDbBlocker

DATABASE_FIXTURES = {"db", "transactional_db", "live_server", "server"}
BROWSER_FIXTURES = {"page", "context", "browser"}

# Playwright keeps an event loop running in the thread of the tests; Django would refuse the database there.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests by the fixtures they use, and put browser tests last.

    Playwright leaves its event loop running in a process, where asynchronous tests could not start theirs.
    """
    for item in items:
        used = set(getattr(item, "fixturenames", ()))
        if used & DATABASE_FIXTURES or item.get_closest_marker("django_db"):
            item.add_marker("database")
        if used & BROWSER_FIXTURES:
            item.add_marker("browser")
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Debian's Chromium, which makes no connection of its own and runs as root too."""
    return {
        **browser_type_launch_args,
        "executable_path": shutil.which("chromium"),
        "chromium_sandbox": os.geteuid() != 0,
        "args": [
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-gpu",
            "--disable-quic",
            "--disable-sync",
            "--no-first-run",
        ],
    }


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The test database; what still holds a connection at the end would keep PostgreSQL from dropping it.

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
