"""scripts/install-javascript-tools installs the JavaScript checkers, all or none."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# Stands for Python with Node.js: it notes what npm is asked to do, and fails when told to.
PYTHON = """#!/bin/sh
echo "$*" >>npm.log
mkdir -p node_modules
test ! -e npm-fails
"""


class Clone:
    """A clone with its scripts only, and an npm that installs nothing."""

    def __init__(self, root: Path) -> None:
        self.root = root
        shutil.copytree(ROOT / "scripts", root / "scripts")
        for name in ("package.json", "package-lock.json"):
            shutil.copy(ROOT / name, root)
        python = root / ".venv" / "bin" / "python"
        python.parent.mkdir(parents=True)
        python.write_text(PYTHON)
        python.chmod(0o755)

    def install(self) -> subprocess.CompletedProcess[str]:
        script = self.root / "scripts" / "install-javascript-tools"
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(self.root)}
        return subprocess.run([script], env=environment, check=False, capture_output=True, text=True)

    @property
    def installations(self) -> int:
        return len((self.root / "npm.log").read_text().splitlines())


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    return Clone(tmp_path)


def test_second_run_installs_nothing(clone: Clone) -> None:
    assert clone.install().returncode == 0
    assert clone.install().returncode == 0
    assert clone.installations == 1


@pytest.mark.parametrize("name", ["package.json", "package-lock.json"])
def test_a_changed_file_is_installed_again(clone: Clone, name: str) -> None:
    clone.install()
    (clone.root / name).write_text("{}")
    assert clone.install().returncode == 0
    assert clone.installations == 2


def test_a_failed_installation_is_reported_and_repeated_by_the_next_run(clone: Clone) -> None:
    (clone.root / "npm-fails").touch()
    failed = clone.install()
    assert failed.returncode != 0
    assert "registry" in failed.stderr
    (clone.root / "npm-fails").unlink()
    assert clone.install().returncode == 0
    assert clone.installations == 2


def test_the_lock_file_names_no_registry() -> None:
    assert '"resolved"' not in (ROOT / "package-lock.json").read_text()
