"""`python -m playtest.serve`: Daphne on $HOST:$PORT, with limits on its input (`playtest.server`)."""

import os
import sys

from daphne.cli import CommandLineInterface
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from playtest.file_locks import CannotServe, serving_lock


def main() -> int:
    """Serves until it is told to stop. Returns 1 and prints the reason if it cannot serve."""
    try:
        with serving_lock():
            serve()
    except (CannotServe, ImproperlyConfigured) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def serve() -> None:
    """Serves until it is told to stop."""
    options = {
        "--bind": settings.HOST,
        "--port": str(settings.PORT),
        "--verbosity": "0",
        "--access-log": os.devnull,
        "--websocket-max-message-size": "0",  # would limit output, too; `playtest.server` limits input
        "--websocket-max-frame-size": "0",
    }
    arguments = [part for option in options.items() for part in option]
    command = CommandLineInterface()
    sys.path.insert(0, ".")
    command.load_asgi_app("playtest.asgi:application")  # sets up Django, which the imports below need
    from twisted.internet import reactor

    from playtest.play.journal import writer
    from playtest.server import use_limits

    use_limits()
    reactor.callWhenRunning(writer.start)
    command.run([*arguments, *sys.argv[1:], "playtest.asgi:application"])


if __name__ == "__main__":
    sys.exit(main())
