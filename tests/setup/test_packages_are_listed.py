"""Every imported package is listed in the requirements, or is required by a listed one."""

import ast
import sys
from importlib.metadata import packages_distributions, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
BROKEN = ROOT / "tests" / "environments"
OURS = {"engine", "games", "manage", "playtest", "playtest_agents", "tests", "tools"}


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


def imported(*places: str) -> set[str]:
    """Returns the outermost names of imported third-party modules."""
    files = [file for place in places for file in (ROOT / place).rglob("*.py") if BROKEN not in file.parents]
    found = set()
    for file in files:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Import):
                found |= {name.name.partition(".")[0] for name in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module.partition(".")[0])
    return found - OURS - sys.stdlib_module_names


@pytest.mark.parametrize(
    ("requirements", "places"),
    [("requirements.txt", ["engine", "playtest", "games"]), ("requirements-dev.txt", ["tests", "tools"])],
)
def test_every_import_is_of_a_listed_package_or_its_dependency(requirements: str, places: list[str]) -> None:
    installed = with_what_they_bring(listed(ROOT / requirements))
    distributions = packages_distributions()
    accidental = {
        name
        for name in imported(*places)
        if not installed & set(map(canonicalize_name, distributions.get(name, [])))
    }
    assert accidental == set()
