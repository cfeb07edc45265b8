"""Every imported package is listed in the requirements, or is required by a listed one."""

import ast
import re
import sys
from importlib.metadata import packages_distributions, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
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
