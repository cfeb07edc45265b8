"""`python -m playtest.serve`: Daphne on $HOST:$PORT, refusing socket messages beyond any size a client could mean."""

import os
import sys

from daphne.cli import CommandLineInterface

LARGEST_MESSAGE_BYTES = str(16 * 1024)


def main() -> None:
    CommandLineInterface().run(
        ["--bind", os.environ.get("HOST", "127.0.0.1"), "--port", os.environ.get("PORT", "8000")]
        + ["--verbosity", "0", "--access-log", os.devnull]
        + ["--websocket-max-message-size", LARGEST_MESSAGE_BYTES]
        + ["--websocket-max-frame-size", LARGEST_MESSAGE_BYTES]
        + sys.argv[1:]
        + ["playtest.asgi:application"]
    )


if __name__ == "__main__":
    main()
