"""The running attempt knows nothing of the page's messages: other ways to play use it too."""

import ast
from pathlib import Path

from tests.live.server import ROOT


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
