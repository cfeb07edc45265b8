"""`python -m tests.arena.agents.official_server PORT FOLDER RECORDINGS`: arc_agi's own local server."""

import sys

from arc_agi import Arcade, OperationMode

if __name__ == "__main__":
    port, folder, recordings = sys.argv[1:]
    arcade = Arcade(operation_mode=OperationMode.OFFLINE, environments_dir=folder, recordings_dir=recordings)
    arcade.listen_and_serve("127.0.0.1", int(port))
