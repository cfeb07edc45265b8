"""`python -m playtest.serve`: Daphne on $HOST:$PORT, with limits on what it takes in (`playtest.server`)."""

import os
import sys

from daphne.cli import CommandLineInterface
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from playtest.claims import Impossible, data_being_served


def main() -> int:
    """Serve until told to end; 1 if that cannot be, with a sentence that says why."""
    try:
        with data_being_served():
            serve()
    except (Impossible, ImproperlyConfigured) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def serve() -> None:
    """Serves until told to end."""
    options = {
        "--bind": settings.HOST,
        "--port": str(settings.PORT),
        "--verbosity": "0",
        "--access-log": os.devnull,
        "--websocket-max-message-size": "0",  # limits sending too; `playtest.server` limits what comes in
        "--websocket-max-frame-size": "0",
    }
    arguments = [word for option in options.items() for word in option]
    command = CommandLineInterface()
    sys.path.insert(0, ".")
    command.load_asgi_app("playtest.asgi:application")  # sets Django up, which what follows needs
    from twisted.internet import reactor

    from playtest.play.journal import writer
    from playtest.server import use_limits

    use_limits()
    reactor.callWhenRunning(writer.start)
    command.run([*arguments, *sys.argv[1:], "playtest.asgi:application"])


if __name__ == "__main__":
    sys.exit(main())
