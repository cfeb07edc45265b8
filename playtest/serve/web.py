"""`python -m playtest.serve`: Daphne on $HOST:$PORT, with limits on its input (`serve.server`)."""

import asyncio
import gc
import signal
import sys
import time
from contextlib import suppress
from importlib import import_module
from typing import Any

import django
from daphne.cli import CommandLineInterface
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from engine.confine.garbage import GarbageCollection
from playtest.serve.deployment import CannotServe, file_lock, preparing, refuse_development, serving_lock

MOST_SECONDS_FOR_OUTAGES = 5.0
"""To record them for a thousand people takes 0.4 s before they are let in, and 2.4 s while they all come."""
LARGE_BYTES = 512 * 1024 * 1024
"""Of growth, after which everything is collected although people wait."""
SMALL_BYTES = 8 * 1024 * 1024
"""Of growth, after which everything is collected when nobody does."""
TICK_SECONDS = 0.5
IDLE_SHARE = 0.02
"""Of a processor in a tick, below which the process waits for people."""
IDLE_TICKS = 10
"""After so many idle ticks nobody is likely to act while all is collected, which takes 0.3 s with a thousand
people: those who have just come look at their first frame for longer than one tick."""


async def collect_between_actions() -> None:
    """Collects cyclic garbage, during which nobody is answered, a little at a time.

    With a thousand people a collection of all objects takes 0.3 s. So what is alive is frozen while people
    come, and a collection walks through what is new since. All objects are collected when the process
    computes nothing for a while, or when it has grown by much.
    """
    collection = GarbageCollection(None, LARGE_BYTES)
    collection.begin()
    gc.enable()
    computed, idle = time.process_time(), 0
    while True:
        await asyncio.sleep(TICK_SECONDS)
        before, computed = computed, time.process_time()
        collection.after_request()
        idle = idle + 1 if computed - before < IDLE_SHARE * TICK_SECONDS else 0
        if idle >= IDLE_TICKS and collection.grown_bytes > SMALL_BYTES:
            collection.collect_all()


_SWITCH_SECONDS = 0.0005
"""How long a thread keeps the interpreter that others want: the event loop, which people wait for, does."""


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
    sys.setswitchinterval(_SWITCH_SECONDS)
    options = {
        "--bind": settings.HOST,
        "--port": str(settings.PORT),
        "--verbosity": "0",
        "--websocket-max-message-size": "0",  # would limit output, too; `serve.server` limits input
        "--websocket-max-frame-size": "0",
    }
    arguments = [part for option in options.items() for part in option]
    command = CommandLineInterface()
    sys.path.insert(0, ".")
    django.setup()
    from playtest.play.attempt.runner import attempt_runner

    with suppress(OSError):  # staff pages need no host
        attempt_runner().launch()  # loads its modules beside this process
    import_module(settings.ROOT_URLCONF)  # seconds in which `make up` still prepares the data
    with file_lock(preparing(), lambda _: None):
        pass
    command.load_asgi_app("playtest.asgi:application")
    from twisted.internet import reactor

    from playtest.operation.presence import announce
    from playtest.play.journal.writer import writer
    from playtest.serve.server import Server, use_limits

    use_limits()
    command.server_class = Server
    writer.start()
    writer.wait_for_first_beat(MOST_SECONDS_FOR_OUTAGES)
    reactor.callWhenRunning(_start)
    reactor.callWhenRunning(announce, f"web {settings.HOST}:{settings.PORT}")
    reactor.callWhenRunning(_drain_when_told, command)
    command.run([*arguments, *sys.argv[1:], "playtest.asgi:application"])


def _start() -> None:
    """Prepares what those who come first would wait for, once the loop runs."""
    from playtest.arena.api.turns import use_agents_thread
    from playtest.play.attempt.runner import attempt_runner
    from playtest.play.sessions import notifications
    from playtest.serve.databases import keep_connection

    async def start() -> None:
        notifications.listen()
        attempt_runner().start()
        await keep_connection()
        use_agents_thread()
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
