"""What a fresh machine installs is what the program imports: no package is there by accident."""

import ast
import sys
from importlib.metadata import packages_distributions, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
BROKEN = ROOT / "tests" / "environments"
OURS = {"engine", "manage", "playtest", "tests"}


def listed(requirements: Path) -> list[Requirement]:
    """What a requirements file asks for, and those that it includes."""
    found = []
    for line in requirements.read_text().splitlines():
        if line.startswith("-r "):
            found += listed(requirements.parent / line.removeprefix("-r "))
        elif line and not line.startswith("#"):
            found.append(Requirement(line))
    return found


def with_what_they_bring(wanted: list[Requirement]) -> set[str]:
    """The names of all packages that are installed with these."""
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
    """Outermost names of all that is imported there, but for Python's own and ours."""
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
    [("requirements.txt", ["engine", "playtest", "games"]), ("requirements-dev.txt", ["tests"])],
)
def test_every_import_is_of_a_listed_package_or_of_what_it_brings(
    requirements: str, places: list[str]
) -> None:
    installed = with_what_they_bring(listed(ROOT / requirements))
    distributions = packages_distributions()
    accidental = {
        name
        for name in imported(*places)
        if not installed & set(map(canonicalize_name, distributions.get(name, [])))
    }
    assert accidental == set()
