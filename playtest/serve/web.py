"""`python -m playtest.serve`: Daphne on $HOST:$PORT, with limits on its input (`serve.server`)."""

import asyncio
import gc
import os
import signal
import sys
from typing import Any

from daphne.cli import CommandLineInterface
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from playtest.serve.deployment import CannotServe, refuse_development, serving_lock
from playtest.serve.garbage import collect_between_actions


def main() -> int:
    """Serves until it is told to stop. Returns 1 and prints the reason if it cannot serve."""
    try:
        refuse_development()
        with serving_lock():
            serve()
    except (CannotServe, ImproperlyConfigured) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def serve() -> None:
    """Serves until it is told to stop."""
    gc.disable()  # until the loop runs: what is loaded stays, and looking at it takes a tenth of the start
    options = {
        "--bind": settings.HOST,
        "--port": str(settings.PORT),
        "--verbosity": "0",
        "--access-log": os.devnull,
        "--websocket-max-message-size": "0",  # would limit output, too; `serve.server` limits input
        "--websocket-max-frame-size": "0",
    }
    arguments = [part for option in options.items() for part in option]
    command = CommandLineInterface()
    sys.path.insert(0, ".")
    command.load_asgi_app("playtest.asgi:application")  # sets up Django, which the imports below need
    from twisted.internet import reactor

    from playtest.operation.presence import announce
    from playtest.play.journal.writer import writer
    from playtest.serve.server import Server, use_limits

    use_limits()
    command.server_class = Server
    reactor.callWhenRunning(writer.start)
    reactor.callWhenRunning(_start)
    reactor.callWhenRunning(announce, f"web {settings.HOST}:{settings.PORT}")
    reactor.callWhenRunning(_drain_when_told, command)
    command.run([*arguments, *sys.argv[1:], "playtest.asgi:application"])


def _start() -> None:
    """Prepares what those who come first would wait for, once the loop runs."""
    from playtest.play.attempt.runner import attempt_runner
    from playtest.serve.databases import keep_connection

    async def start() -> None:
        attempt_runner().start()
        await keep_connection()

    loop = asyncio.get_event_loop()
    _tasks.extend([loop.create_task(start()), loop.create_task(collect_between_actions())])


_tasks: list[asyncio.Task[None]] = []


def _drain_when_told(command: CommandLineInterface) -> None:
    """Makes SIGTERM drain this process before it ends; a second one ends it at once."""
    from twisted.internet import reactor as installed

    from playtest.serve.draining import drain, draining

    reactor: Any = installed  # its methods are declared without `self`

    async def end() -> None:
        try:
            await drain(command.server, settings.DRAIN_SECONDS)
        finally:
            reactor.stop()

    def begin() -> None:
        if draining.begun:
            reactor.stop()
        else:
            command.draining = asyncio.ensure_future(end())

    signal.signal(signal.SIGTERM, lambda *_: reactor.callFromThread(begin))
