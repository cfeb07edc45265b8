"""The reference agents run where neither Playtest nor Django is installed."""

import subprocess
import sys
from pathlib import Path

TOOLS = Path(__file__).parents[3] / "tools" / "agents"
LISTS_MODULES = "import playtest_agents.__main__, sys; print(*{name.split('.')[0] for name in sys.modules})"


def test_they_import_nothing_of_ours() -> None:
    command = [sys.executable, "-P", "-c", f"import sys; sys.path.append({str(TOOLS)!r}); {LISTS_MODULES}"]
    found = subprocess.run(command, cwd="/", capture_output=True, text=True, check=True).stdout.split()
    assert "playtest_agents" in found
    assert {"playtest", "engine", "django", "arcengine"} & set(found) == set()
