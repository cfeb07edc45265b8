"""`make up` starts every process after set-up, and they end together."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.live.seeder import PATIENCE_SECONDS
from tests.live.server import ROOT, Server, free_port, wait_until_healthy
from tests.live.station import Station

pytestmark = pytest.mark.once

NAMES = [line.partition(":")[0] for line in (ROOT / "Procfile").read_text().splitlines()]


class Product:
    """A run of `make up` in a prepared installation, as from a terminal."""

    def __init__(self, installation: Server) -> None:
        self.port = free_port()
        self.folder = installation.folder
        self._log = (self.folder / "up.log").open("ab")
        self.make = subprocess.Popen(
            ["scripts/with-parent", "make", "--assume-old=product", "up"],
            cwd=ROOT,
            env={**installation.environment, "PORT": str(self.port), "STUDIO_WORKERS": "1"},
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=self._log,
            start_new_session=True,
        )

    def processes(self) -> dict[int, str]:
        """Returns the commands of all processes that use this installation's data, by pid."""
        return dict(working_on(self.folder))

    def pid(self, text: str) -> int:
        return next(pid for pid, command in self.processes().items() if text in command)

    def wait_until_gone(self) -> None:
        wait_for(lambda: not self.processes(), lambda: f"left behind: {self.processes()}")
        self.make.wait(PATIENCE_SECONDS)

    def said(self) -> str:
        return (self.folder / "up.log").read_text()

    def kill(self) -> None:
        for pid in self.processes():
            os.kill(pid, signal.SIGKILL)
        self.make.wait()
        self._log.close()


def working_on(folder: Path) -> Iterator[tuple[int, str]]:
    wanted = f"DATA_DIR={folder}".encode()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if wanted in (process / "environ").read_bytes().split(b"\0"):
                yield int(process.name), (process / "cmdline").read_text().replace("\0", " ")
        except OSError:  # it has ended, or is another's
            continue


def running(product: Product) -> int:
    """Counts the running processes that the Procfile lists."""
    commands = [command for command in product.processes().values() if "playtest.serve.up" not in command]
    return sum(command.startswith(".venv/bin/python") for command in commands)


def wait_for(reached: Callable[[], object], otherwise: Callable[[], str]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not reached():
        assert time.monotonic() < deadline, otherwise()
        time.sleep(0.1)


@pytest.fixture
def installation(make_server: Callable[..., Server]) -> Server:
    return make_server()


@pytest.fixture
def product(installation: Server) -> Iterator[Product]:
    product = Product(installation)
    yield product
    product.kill()


@pytest.mark.long
async def test_every_process_works_killed_ones_return_and_all_end_at_a_signal(
    installation: Server, product: Product
) -> None:
    wait_until_healthy(product.port, product.make)
    await everything_works(installation, product)
    no_other_serves_the_same_data(installation, product)
    killed_processes_are_restarted_and_the_others_continue(product)
    os.killpg(product.make.pid, signal.SIGINT)
    product.wait_until_gone()
    assert "web stopped (rc=0)" in product.said()


async def everything_works(installation: Server, product: Product) -> None:
    person = installation.seed(pool=["wk01"])["people"][0]
    async with Station(product.port, person["seat"]) as station:
        await station.begin()
        await station.act(4)
    lead = installation.staff(product.port, "lead")
    [(attempt,)] = installation.rows("SELECT id FROM play_attempt")
    lead.post("/staff/environments/wk01/qualify/", steps="50")
    lead.post(f"/staff/attempts/{attempt}/exports/", kind="gif", clock="action", speed="1", scale="2")

    def done() -> list[tuple[str]]:
        """Whether the studio's worker, the exporter and the scheduled worker have finished a job."""
        return installation.rows(
            "SELECT status FROM studio_qualification UNION ALL SELECT status FROM review_export"
            " UNION ALL SELECT 'read' FROM insight_summary"
        )

    wait_for(lambda: done() == [("done",), ("done",), ("read",)], lambda: f"{done()} {product.said()}")


def no_other_serves_the_same_data(installation: Server, product: Product) -> None:
    second = subprocess.run(
        [sys.executable, "-m", "playtest.serve"],
        cwd=ROOT,
        env={**installation.environment, "PORT": str(free_port())},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_SECONDS,
    )
    assert second.returncode == 1
    assert f"http://127.0.0.1:{product.port}/. (data_in_use)" in second.stderr


def killed_processes_are_restarted_and_the_others_continue(product: Product) -> None:
    wait_for(lambda: running(product) == len(NAMES), lambda: f"{product.processes()} {product.said()}")
    web, worker = product.pid("playtest.serve "), product.pid("exporter@")
    steady = [product.pid(name) for name in ("studio@", "beat")]
    for pid in (web, worker):
        os.kill(pid, signal.SIGKILL)
    told = [f"{name} ended (rc=-9) and is restarted in 1 s." for name in ("exporter", "web")]
    wait_for(lambda: all(one in product.said() for one in told), product.said)
    wait_until_healthy(product.port, product.make)
    wait_for(lambda: running(product) == len(NAMES), lambda: f"{product.processes()} {product.said()}")
    assert worker != product.pid("exporter@")
    assert set(steady) <= set(product.processes())


@pytest.mark.long
def test_no_process_survives_the_killed_starter(product: Product) -> None:
    wait_for(lambda: running(product) == len(NAMES), lambda: f"{product.processes()} {product.said()}")
    os.kill(product.make.pid, signal.SIGKILL)
    product.wait_until_gone()


@pytest.mark.long
def test_no_process_survives_the_killed_manager(product: Product) -> None:
    """Neither those that work nor those that are stopped, and take no other signal."""
    wait_until_healthy(product.port, product.make)
    wait_for(lambda: running(product) == len(NAMES), lambda: f"{product.processes()} {product.said()}")
    os.kill(product.pid("exporter@"), signal.SIGSTOP)
    os.kill(product.pid("playtest.serve "), signal.SIGSTOP)
    os.kill(product.pid("playtest.serve.up"), signal.SIGKILL)
    product.wait_until_gone()
