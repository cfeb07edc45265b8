"""Fixtures and markers for all tests: a browser, cheap password hashes, the order of files."""

import gc
import os
import re
from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.db import transaction
from django.test import override_settings
from hypothesis import HealthCheck, settings
from playwright.sync_api import expect
from pytest_django import DjangoDbBlocker
from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

from engine.play.source import Source
from playtest.play.attempt import sources
from playtest.play.journal.heartbeat import Signs, signs
from playtest.studio.processes.game import Facts
from playtest.studio.recording_outcome import Outcome, Script, find_outcome
from playtest.studio.services import loading, recordings
from playtest.studio.services.loading import inspected_facts
from tests.browsing import bundles, open_desk
from tests.chromium import launch_arguments
from tests.databases import copied_database, make_template, once
from tests.live.fixtures import arena as arena
from tests.live.fixtures import make_server as make_server
from tests.live.fixtures import other_port as other_port
from tests.live.fixtures import port as port
from tests.live.fixtures import seeder as seeder
from tests.live.fixtures import server as server
from tests.live.fixtures import templates as templates

DATABASE_FIXTURES = {"db", "transactional_db", "live_server", "server", "make_server"}
SERVER_FIXTURES = {"server", "make_server"}
BROWSER_FIXTURES = {"page", "context", "browser"}
TESTS = Path(__file__).parent
FIRST = ["upgrade", "faults", "live", "studio", "setup"]
"""Folders of tests that start servers and programs, those with the longest files first."""
LENGTHY = (
    "games/", "fuzz/", "rehearsal/", "insight/", "review/", "assets/", "operation/", "center/pay/",
    "engine/test_render_", "engine/test_qualify", "engine/test_state_", "engine/test_random_play",
    "engine/test_kernel_confinement", "engine/test_determinism", "engine/test_splitting",
    "engine/test_hidden_state", "play/test_hosts", "play/test_append_only", "jobs/test_unreachable_queue",
    "people/test_page_rights", "people/test_search", "people/test_home",
    "people/test_signing_in", "people/test_second_factor", "people/test_accounts", "arena/runs/",
    "arena/scores/", "arena/keys/", "arena/agents/", "center/interventions/test_controls",
    "center/test_guessing", "center/test_full_studies", "center/test_session_pages",
    "center/schedule/test_schedule_pages", "center/schedule/test_cards", "rules/planning/",
    "rules/test_effort_randomness", "rules/test_sets",
)  # fmt: skip
"""How paths begin that `make test-quick` leaves out as well: they search, play much, or open many pages."""
LAST = ["rules"]
"""Short files, with which all processes end at about the same time."""
ONCE = re.compile(r"^pytestmark = .*\bonce\b", re.M)
ON_SERVICES = re.compile(r"\bmark\.(services|postgresql)\b")
A_DATABASE = re.compile(r"\b(django_db|module_db)\b|\b(make_server|server|port): ")

# Playwright keeps an event loop running in the thread of the tests; Django would refuse the database there.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

# Longer than any page takes on a busy machine; who waits for what comes waits no longer for it.
expect.set_options(timeout=20_000)

# How long an example takes, or finding one, depends on what else the machine is doing.
settings.register_profile(
    "no_clock", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=25
)
settings.register_profile("thorough", settings.get_profile("no_clock"), max_examples=400)
settings.load_profile("no_clock")

# The algorithm is the product's; only here it need not be expensive to guess.
Argon2PasswordHasher.memory_cost, Argon2PasswordHasher.time_cost = 64, 1


def pytest_configure() -> None:
    """Processes of one run share Redis: each has a prefix of its own, as have its servers.

    Each client of Django's has a handler of its own, which would list all static files when it is made.
    """
    django_settings.WHITENOISE_AUTOREFRESH = True
    prefix = f"{django_settings.REDIS_PREFIX}-{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}"
    os.environ["REDIS_PREFIX"] = prefix
    if django_settings.REDIS_URL:
        django_settings.CACHES["default"]["KEY_PREFIX"] = prefix
        django_settings.CHANNEL_LAYERS["default"]["CONFIG"]["prefix"] = prefix


class Files(LoadScopeScheduling):  # type: ignore[misc]
    """A file's tests run in one process, which sets its fixtures up once; its browser tests are a group of
    their own. (`--dist loadgroup` does nothing with pytest 9.2: xdist 3.8 names groups in what it renamed.)
    """

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        return f"{file} browser" if "[chromium" in nodeid else group_of(file)


@cache
def group_of(file: str) -> str:
    """Files whose tests use one server are one group, so that few processes start it."""
    if not file.startswith("tests/live/"):
        return file
    if os.environ.get("DATABASE_URL"):
        return "server"
    text = (TESTS.parent / file).read_text()
    return next((fixture for fixture in ("arena: Arena", "port: int") if fixture in text), file)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Files | None:
    return Files(config, log) if config.getvalue("dist") == "loadscope" else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Excludes imported and collected objects from garbage collection, and makes it rare: it took a tenth."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(50_000, 20, 100)
        gc.enable()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leaves out files of which no test is wanted: to import them takes as long as many tests."""
    if collection_path.suffix != ".py":
        return None
    if "not programs" in config.option.markexpr and is_lengthy(file_of(collection_path)):
        return True
    if not config.option.markexpr.startswith("services"):
        return None
    text, in_a_browser = collection_path.read_text(), "browser" in file_of(collection_path)
    wanted = A_DATABASE.search(text) and not ONCE.search(text) and not in_a_browser
    return None if wanted or ON_SERVICES.search(text) else True


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> Generator[None, object, object]:
    """Mark tests by the fixtures they use and order them for parallel processes.

    Whole servers and programs come first: they wait while others work, and no long file is left for one
    process at the end. Browser tests come last: Playwright leaves its event loop running in a process, where
    asynchronous tests could not start theirs.
    """
    if not os.environ.get("DATABASE_URL"):
        elsewhere = [item for item in items if item.get_closest_marker("postgresql")]
        config.hook.pytest_deselected(items=elsewhere)
        items[:] = [item for item in items if item not in set(elsewhere)]
    for item in items:
        used = set(getattr(item, "fixturenames", ()))
        if used & DATABASE_FIXTURES or item.get_closest_marker("django_db"):
            item.add_marker("database")
            if not used & BROWSER_FIXTURES and not item.get_closest_marker("once"):
                item.add_marker("services")
        if item.get_closest_marker("postgresql"):
            item.add_marker("services")
        if used & BROWSER_FIXTURES:
            item.add_marker("browser")
        file = file_of(item.path)
        if used & SERVER_FIXTURES or is_lengthy(file):
            item.add_marker("programs")
    result = yield  # plugins select tests by their marks, name their groups, and order them
    items.sort(key=place)
    return result


@cache
def file_of(path: Path) -> str:
    return path.relative_to(TESTS).as_posix()


def is_lengthy(file: str) -> bool:
    return file.startswith(LENGTHY) or file.partition("/")[0] in FIRST


def place(item: pytest.Item) -> tuple[bool, int]:
    folder = file_of(item.path).partition("/")[0]
    order = FIRST.index(folder) if folder in FIRST else len(FIRST) + (folder in LAST)
    return item.get_closest_marker("browser") is not None, order


@pytest.fixture(scope="session")
def desk() -> Iterator[int]:
    """The port of `tests.browsing`. Pages name bundles: a browser loads an eighth of the files."""
    storages = {**django_settings.STORAGES, "staticfiles": {"BACKEND": "playtest.serve.assets.Bundles"}}
    root = bundles()
    with override_settings(ASSETS_DIR=root, STATIC_ROOT=root, STORAGES=storages), open_desk() as port:
        yield port


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any], desk: int) -> dict[str, Any]:
    """Chromium, for which `http://localhost` is the desk."""
    rules = f"--host-resolver-rules=MAP localhost:80 127.0.0.1:{desk}"
    return {**browser_type_launch_args, **launch_arguments(rules)}


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated, empty database to copy, made once for all processes of this run."""
    return once(tmp_path_factory, "template", make_template)


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None, template: Path, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """Copies the template, which is much faster than Django's own way, to migrate in each process."""
    with django_db_blocker.unblock():
        database = copied_database(template)
        database.__enter__()
    yield
    with django_db_blocker.unblock():
        database.__exit__(None, None, None)


@pytest.fixture(autouse=True)
def numbers_are_forgotten() -> Iterator[None]:
    """Rows of a later test have the numbers of earlier ones, of which the process knows no more."""
    yield
    vars(signs).update(vars(Signs()))
    sources._loaded.clear()


@pytest.fixture(scope="session", autouse=True)
def imports_are_remembered(django_test_environment: None) -> Iterator[None]:
    """Starts each source and plays each recording once in a process of the tests: many import the same ones.

    What that showed is real. A source that fails to start is started again, and so is one under other limits.
    """
    facts: dict[tuple[object, ...], Facts] = {}
    outcomes: dict[tuple[object, ...], Outcome] = {}

    def inspected(source: Source, stop: Event | None = None) -> Facts:
        key = (source.text, repr(source.metadata), django_settings.INSPECTION_SECONDS)
        if key not in facts:
            facts[key] = inspected_facts(source, stop)
        return facts[key]

    def found(source: Source, script: Script, seed: int, stop: Event | None = None) -> Outcome:
        key = (source.text, repr(source.metadata), script, seed)
        if key not in outcomes:
            outcomes[key] = find_outcome(source, script, seed, stop)
        return outcomes[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loading, "inspected_facts", inspected)
        patch.setattr(recordings, "find_outcome", found)
        yield


@pytest.fixture(scope="module")
def module_db(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Rows that fixtures of a module's scope write: each test starts from them, and none can change them.

    Everything is in one transaction, in which the transactions of the tests are savepoints.
    """
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture
def own_folder(settings: Any, tmp_path: Path) -> None:
    """A folder of data without what the signer of other tests remembers, for tests that audit the record."""
    settings.DATA_DIR = tmp_path
