"""scripts/find-python finds the newest tested Python that runs, or says what to do."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FINDER = Path(__file__).parents[2] / "scripts" / "find-python"


class Machine:
    """A folder for the PATH and one for pyenv, with programs that imitate Pythons."""

    TOOLS = ("bash", "env", "ls", "sh", "sort")

    def __init__(self, root: Path) -> None:
        self.path = root / "bin"
        self.pyenv = root / "pyenv"
        self.path.mkdir()
        for tool in self.TOOLS:
            (self.path / tool).symlink_to(str(shutil.which(tool)))

    def python(self, location: Path, version: str) -> Path:
        """Writes a Python of this version with all modules."""
        return self.program(location, f"echo {version}")

    def program(self, location: Path, body: str) -> Path:
        location.parent.mkdir(parents=True, exist_ok=True)
        location.write_text(f"#!/bin/sh\n{body}\n")
        location.chmod(0o755)
        return location

    def find(self, **environment: str) -> subprocess.CompletedProcess[str]:
        """Runs the finder on this machine."""
        clean = {"PATH": str(self.path), "PYENV_ROOT": str(self.pyenv), "HOME": str(self.path)}
        nothing = subprocess.DEVNULL
        return subprocess.run(
            [FINDER], env=clean | environment, stdin=nothing, capture_output=True, text=True, check=False
        )

    def found(self, **environment: str) -> Path:
        return Path(self.find(**environment).stdout.strip())


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.mark.parametrize(
    ("programs", "taken"),
    [
        ({"bin/python3.12": "3.12", "bin/python3.13": "3.13"}, "bin/python3.13"),
        ({"bin/python3": "3.13", "pyenv/versions/3.13.5/bin/python3": "3.13"}, "bin/python3"),
        # shims without an installed version, or that start another one
        (
            {"bin/python3.13": "", "pyenv/versions/3.13.0/bin/python3": "3.13"},
            "pyenv/versions/3.13.0/bin/python3",
        ),
        ({"bin/python3.13": "3.11", "bin/python3.12": "3.12"}, "bin/python3.12"),
        ({"bin/python3.13": "", "later/python3.13": "3.13"}, "later/python3.13"),
        (
            {
                f"pyenv/versions/{version}/bin/python3": version[:4]
                for version in ("3.13.9", "3.13.10", "3.14.0")
            },
            "pyenv/versions/3.13.10/bin/python3",
        ),
    ],
)
def test_the_newest_tested_version_that_runs_is_taken(
    machine: Machine, tmp_path: Path, programs: dict[str, str], taken: str
) -> None:
    for place, version in programs.items():
        machine.program(tmp_path / place, f"echo {version}" if version else "echo not found >&2; exit 127")
    assert machine.found(PATH=f"{machine.path}:{tmp_path / 'later'}") == tmp_path / taken


def test_python_of_uv_is_the_last_resort(machine: Machine, tmp_path: Path) -> None:
    managed = machine.python(tmp_path / "uv" / "python3.13", "3.13")
    machine.program(machine.path / "uv", f'[ "$4" = 3.13 ] && echo {managed}')
    assert machine.found() == managed


def test_a_named_python_is_preferred(machine: Machine, tmp_path: Path) -> None:
    machine.python(machine.path / "python3.13", "3.13")
    named = machine.python(tmp_path / "mine", "3.14")
    assert machine.found(PYTHON=str(named)) == named


@pytest.mark.parametrize("version", ["3.11", "2.7"])
def test_named_python_that_is_too_old_is_refused(machine: Machine, tmp_path: Path, version: str) -> None:
    machine.python(machine.path / "python3.13", "3.13")
    named = machine.python(tmp_path / "old", version)
    refused = machine.find(PYTHON=str(named))
    assert (refused.returncode, refused.stdout) == (1, "")
    assert f"PYTHON={named} is not a Python 3.12 or newer" in refused.stderr


def test_a_missing_python_lists_what_was_tried_and_what_to_install(machine: Machine) -> None:
    shim = machine.program(machine.path / "python3.13", "exit 127")
    refused = machine.find()
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "Playtest needs Python 3.12 or 3.13" in refused.stderr
    assert f"  {shim}\n" in refused.stderr
    assert "make up PYTHON=/path/to/python3" in refused.stderr


def test_the_python_of_these_tests_is_accepted(machine: Machine) -> None:
    assert str(machine.found(PYTHON=sys.executable, PATH=os.environ["PATH"])) == sys.executable
