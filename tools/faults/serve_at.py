"""`python -m tools.faults.serve_at`: the product's server, on a machine whose clock is wrong.

The file `clock` in DATA_DIR says by how many seconds it is ahead, when the process starts.
"""

import os
import sys
from datetime import timedelta
from pathlib import Path

from playtest.play import clock
from playtest.serve import web

if __name__ == "__main__":
    said = Path(os.environ["DATA_DIR"]) / "clock"
    clock._STARTED += timedelta(seconds=float(said.read_text()) if said.exists() else 0)
    sys.exit(web.main())
