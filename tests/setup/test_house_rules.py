"""Names are plain, numbers of the protocol have one home, and lines of templates fit a screen."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from playtest.rules.protocol import DEFAULT
from tests.setup.rooms import ROOT

READ = {
    "playtest": "**/*.py",
    "engine": "**/*.py",
    "templates": "**/*.html",
    "static": "**/*.js",
    "docs": "**/*.md",
    ".": "README.md",
}
HOMES = ("playtest/rules/protocol.py", "playtest/rules/effort/thresholds.py")
OTHER = (
    "/migrations/",  # what held when they were written
    "static/vendor/",
    "docs/decisions/",  # dated
    "docs/wire.md",  # sample messages
)


def minutes(seconds: int) -> str:
    """Returns patterns of a time in minutes or seconds: as text, as code and as a product."""
    whole, names = seconds // 60, {20: "twenty", 30: "thirty", 90: "ninety"}
    thousands = f"{seconds:_}".replace("_", "[_,]?")
    return rf"\b({whole}|{names[whole]})[ -]min|\b{whole} ?\* ?60\b|(?<!_MS = )\b{thousands}\b"


def numbers() -> list[str]:
    attempt, gate, player, pay = DEFAULT.attempt, DEFAULT.acceptance, DEFAULT.random_player, DEFAULT.pay
    large = f"{player.one_win_in:_}".replace("_", "[_,]?")
    limits = (DEFAULT.limits.soft_seconds, DEFAULT.limits.hard_seconds, DEFAULT.limits.session_seconds)
    return [
        *map(minutes, limits),
        rf"\b({attempt.more_than_actions}|thirty)[ -]action",
        rf"\b(more|fewer|less) than ({attempt.more_than_actions}|thirty)\b",
        rf"\b({gate.people}|ten) (people|members|participants|persons)\b",
        rf"\b({gate.solvers}|two) solvers\b|at least ({gate.solvers}|two) (of them|people)",
        rf"\b1 (in|of|try in) {large}|\b1 ?/ ?{large}",
        rf"\b({player.budget_factor}|five) times (the )?fewest",
        rf"[$]{pay.fee:.0f}|{pay.fee}|[$]{pay.bonus:.0f}\b",
    ]


def exempt(place: str) -> bool:
    return any(part in place for part in OTHER)


def place_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_each_number_of_the_protocol_is_written_once() -> None:
    # Each begins where a word does, or with a sign: most of a text is passed over at once.
    pattern = re.compile(rf"(?:\b(?=\w)|(?=[$]))(?:{'|'.join(numbers())})", re.IGNORECASE)
    found = []
    for path in (path for folder, name in READ.items() for path in (ROOT / folder).glob(name)):
        place = place_of(path)
        if place.startswith(HOMES) or exempt(place):
            continue
        text = path.read_text()
        if pattern.search(text):
            found += [f"{place}: {line.strip()}" for line in text.splitlines() if pattern.search(line)]
    assert found == []


NO_NAMES = re.compile(
    r"_*(ways?|kept|words|there|mends?|errands?|courses?|untrue|seldom|albums?|tells?|looks?|sittings?|deeds?)_*",
    re.IGNORECASE,
)
SOMEWHERE = re.compile(rf"\b{NO_NAMES.pattern}\b(?! (?!in\b|as\b|if\b|extends\b)[a-z]|\.\W)", re.IGNORECASE)
"""Such a word, not followed by another one as in prose: only files that have one are parsed."""
TOP_LEVEL = re.compile(
    r"^(?:export )?(?:default )?(?:async )?(?:function\*?|class|const|let) (\w+)", re.MULTILINE
)


def names_in_python(text: str) -> Iterator[str]:
    """What a module defines: functions, classes, arguments, and names and attributes assigned to."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.arg(arg=name) | ast.alias(asname=str(name)) | ast.ExceptHandler(name=str(name)):
                yield name
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name


def names_in_script(text: str) -> list[str]:
    """What a script defines at its top level."""
    return TOP_LEVEL.findall(text)


def no_names(names: Iterable[str]) -> list[str]:
    return [name for name in names if NO_NAMES.fullmatch(name)]


def test_no_file_and_nothing_in_it_has_such_a_name() -> None:
    wrong, read = [], 0
    for folder in ("engine", "playtest", "static", "tests"):
        for path in sorted((ROOT / folder).rglob("*.[pj][ys]")):
            if {"vendor", "migrations"} & set(path.parts):
                continue
            text = path.read_text()
            names: Iterable[str] = ()
            if SOMEWHERE.search(text):
                names = names_in_python(text) if path.suffix == ".py" else names_in_script(text)
            place = path.relative_to(ROOT).as_posix()
            wrong += [f"{place}: {name}" for name in no_names([path.stem, *names])]
            read += 1
    assert read > 600
    assert wrong == []


def imported(file: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{name.name}" for name in node.names} | {str(node.module)}
        elif isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
    return found


def test_only_pages_use_the_wire_format() -> None:
    own = {f"playtest.play.page.{name}" for name in ("wire", "status_messages", "socket", "consumers")}
    for file in (ROOT / "playtest" / "play").rglob("*.py"):
        assert file.parent.name == "page" or not own & imported(file), file


TEMPLATES = Path(__file__).parents[2] / "templates"
LONGEST = 160
STILL_LONG = ("insight", "review", "studio")
"""Folders whose lines are not wrapped yet."""


def test_no_line_of_a_template_is_too_long() -> None:
    files = {path.relative_to(TEMPLATES): path for path in sorted(TEMPLATES.rglob("*.html"))}
    long = [
        f"{name}:{number}"
        for name, path in files.items()
        if name.parts[0] not in STILL_LONG
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > LONGEST
    ]
    assert not long
