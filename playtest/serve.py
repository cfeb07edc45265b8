"""`python -m playtest.serve`: Daphne on $HOST:$PORT, refusing socket messages no client could mean."""

import os
import sys

from daphne.cli import CommandLineInterface
from django.conf import settings

LARGEST_MESSAGE_BYTES = str(16 * 1024)


def main() -> None:
    options = {
        "--bind": settings.HOST,
        "--port": str(settings.PORT),
        "--verbosity": "0",
        "--access-log": os.devnull,
        "--websocket-max-message-size": LARGEST_MESSAGE_BYTES,
        "--websocket-max-frame-size": LARGEST_MESSAGE_BYTES,
    }
    arguments = [word for option in options.items() for word in option]
    CommandLineInterface().run([*arguments, *sys.argv[1:], "playtest.asgi:application"])


if __name__ == "__main__":
    main()
