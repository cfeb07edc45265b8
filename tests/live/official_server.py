"""The official local server on a port: `python -m tests.live.official_server FOLDER PORT [competition]`."""

import logging
import sys

from arc_agi import Arcade, OperationMode

if __name__ == "__main__":
    folder, port, *mode = sys.argv[1:]
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    arcade = Arcade(
        operation_mode=OperationMode.OFFLINE,
        environments_dir=folder,
        logger=logging.getLogger("official server"),
    )
    arcade.listen_and_serve(host="127.0.0.1", port=int(port), competition_mode=mode == ["competition"])
