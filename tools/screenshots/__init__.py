"""Takes the pictures of docs/gallery.md from the running product: `make screenshots`."""

import sys
from pathlib import Path

# The reference agents are a package of their own, which need not be installed here (docs/agents.md).
sys.path.append(str(Path(__file__).parents[1] / "agents"))
