"""deploy/upgrade previews and upgrades an installation of the release before, and goes back to it whole.

Both versions are real sources with their own `manage.py`; only what changes a machine is a stand-in.
"""

import json
import lzma
import os
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BEFORE = "v0.6.0"
DATA = Path(__file__).parent / "data" / "sqlite.sql.xz"
SETTINGS = {
    "SECRET_KEY": "of the version before",
    "RECORD_PUBLIC_KEYS": json.loads(lzma.decompress((DATA.parent / "sqlite.json.xz").read_bytes()))["key"],
    "PLAYTEST_DEMO": "0",
    "LOG_LEVEL": "WARNING",
}

SYSTEMD_RUN = """#!/bin/bash
while [[ $1 == --* ]]; do shift; done
cd "$(dirname "$(dirname "$(dirname "${1/#\\/opt/$DESTDIR/opt}")")")" && shift
echo "manage $*" >>"$DESTDIR/log"
exec .venv/bin/python "$@"
"""
SYSTEMCTL = '#!/bin/sh\necho "systemctl $*" >>"$DESTDIR/log"\n'
RUNUSER = '#!/bin/sh\ncat >>"$DESTDIR/log"\n'
INSTALL = '#!/bin/sh\nmkdir -p "$(for last; do :; done; echo "$last")"\n'


def git(*arguments: str, cwd: Path) -> str:
    done = subprocess.run(["git", *arguments], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def has(commit: str) -> bool:
    asked = ["git", "cat-file", "-e", f"{commit}^{{commit}}"]
    return subprocess.run(asked, cwd=ROOT, capture_output=True, check=False).returncode == 0


pytestmark = [
    pytest.mark.long,
    pytest.mark.once,
    pytest.mark.skipif(not has(BEFORE), reason=f"the history has no {BEFORE}"),
]


class Machine:
    """An installation in a folder that stands for /, whose packages are those of this checkout."""

    def __init__(self, root: Path) -> None:
        self.root, self.home = root, root / "opt" / "playtest"
        for folder in ("opt", "etc/playtest", "var/lib/playtest", "var/backups/playtest", "bin"):
            (root / folder).mkdir(parents=True)
        git("clone", "--quiet", "--shared", "--no-checkout", str(ROOT), str(self.home), cwd=ROOT)
        for name, commit in (("before", BEFORE), ("after", git("rev-parse", "HEAD", cwd=ROOT))):
            git("checkout", "--quiet", commit, cwd=self.home)
            self._borrow_packages(with_install=name == "after")
            git("commit", "--quiet", "--all", "--message", name, cwd=self.home)
            git("tag", name, cwd=self.home)
        git("checkout", "--quiet", "before", cwd=self.home)
        (self.home / ".venv").symlink_to(ROOT / ".venv")
        (root / "etc" / "playtest" / "environment").touch()
        programs = {
            "systemd-run": SYSTEMD_RUN,
            "systemctl": SYSTEMCTL,
            "runuser": RUNUSER,
            "install": INSTALL,
        }
        for name, text in programs.items():
            program = root / "bin" / name
            program.write_text(text)
            program.chmod(0o755)

    def _borrow_packages(self, *, with_install: bool) -> None:
        config = [("user.name", "test"), ("user.email", "test@example.org")]
        for key, value in config:
            git("config", key, value, cwd=self.home)
        borrow = f'#!/bin/sh\ncd "$(dirname "$0")/.."\n[ -e .venv ] || ln -s {ROOT / ".venv"} .venv\n'
        (self.home / "scripts" / "install-packages").write_text(borrow)
        if with_install:
            text = '#!/bin/sh\nexec "$(dirname "$0")/manage" prepare --without-demo\n'
            (self.home / "deploy" / "install").write_text(text)

    def run(self, *command: str) -> str:
        variables = {
            **os.environ,
            **SETTINGS,
            "PATH": f"{self.root}/bin:{os.environ['PATH']}",
            "DESTDIR": str(self.root),
            "DATA_DIR": str(self.root / "var" / "lib" / "playtest"),
        }
        variables.pop("DATABASE_URL", None), variables.pop("REDIS_URL", None)
        done = subprocess.run(
            command, cwd=self.home, env=variables, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def data(self, folder: str = "playtest") -> dict[str, list[tuple[object, ...]]]:
        """All rows, by table."""
        path = self.root / "var" / "lib" / folder / "playtest.sqlite3"
        with closing(sqlite3.connect(path)) as connection:
            tables = [
                name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            ]
            return {table: connection.execute(f"SELECT * FROM {table}").fetchall() for table in tables}


def test_an_upgrade_is_previewed_and_the_way_back_is_whole(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    database = tmp_path / "var" / "lib" / "playtest" / "playtest.sqlite3"
    with closing(sqlite3.connect(database)) as connection:
        connection.executescript(lzma.decompress(DATA.read_bytes()).decode())
    machine.run("deploy/manage", "prepare", "--without-demo")
    before = machine.data()
    assert before["play_entry"]
    assert "people_recordlink" not in before

    upgrade = tmp_path / "upgrade"  # the release before has none: it is taken from the new one
    upgrade.write_text(git("show", "after:deploy/upgrade", cwd=machine.home))
    upgrade.chmod(0o755)
    variables = tmp_path / "etc" / "playtest" / "environment"
    variables.write_text("DATABASE_URL=postgresql://playtest:secret@127.0.0.1:5432/playtest\n")
    said = machine.run(str(upgrade), "--preview", "after")
    variables.write_text("")
    rights = [f"ALTER ROLE playtest {right}" for right in ("CREATEDB", "NOCREATEDB")]
    assert [line for line in (tmp_path / "log").read_text().splitlines() if "ROLE" in line] == rights
    assert "upgrade from 0.6.0 to " in said
    assert "people.0007_links_of_the_record: Create model RecordForm; Create model RecordLink" in said
    assert "as tried on a copy of this database" in said
    assert "new settings (docs/configuration.md): " in said
    assert machine.data() == before
    assert not (tmp_path / "opt" / "playtest-next").exists()

    machine.run(str(upgrade), "after")
    assert machine.data()["people_recordlink"]
    machine.run("deploy/manage", "verify_attempts")
    with closing(sqlite3.connect(database)) as connection:  # what happens after the upgrade
        connection.execute("INSERT INTO django_session VALUES ('made after the upgrade', '', '2099-01-01')")
        connection.commit()

    assert "What came after is kept" in machine.run("deploy/upgrade", "--back")
    assert git("rev-parse", "HEAD", cwd=machine.home) == git("rev-parse", "before", cwd=machine.home)
    now = machine.data()
    changed = {table for table in before.keys() | now.keys() if before.get(table) != now.get(table)}
    assert changed == set(), "the backup was made before it was noted"
    [aside] = (tmp_path / "var" / "lib").glob("playtest-*")
    assert any("made after the upgrade" in row for row in machine.data(aside.name)["django_session"])
    log = (tmp_path / "log").read_text().splitlines()
    stopped = log.index("systemctl stop playtest-*")
    assert [line.split()[2] for line in log[stopped:] if line.startswith("manage")] == [
        "backup",
        "restore",
        "prepare",
    ]
    assert log[-1] == "systemctl start playtest.target playtest-backup.timer"
    shutil.rmtree(tmp_path / "opt")
