"""Draining: a process that is told to end gives its connections to others first, and loses nothing.

It stops listening, so that its proxy sends new connections elsewhere; closes its sockets with 4012 one after
another, each once its consumer has handled what had arrived; and ends when requests are answered and the
journal is written. Pages whose socket is closed with 4012 open a new one at once.
"""

import asyncio
from typing import Any

from playtest.play.page.wire import CloseCode

PER_SECOND = 50
"""Sockets closed a second: those who reconnect have their environments rebuilt elsewhere."""
_LEAST_SECONDS = 0.5


class Draining:
    """Whether this process drains."""

    begun = False

    def around(self, application: Any) -> Any:
        """The application for sockets: while draining, one that is done is closed with 4012."""

        async def run(scope: dict[str, Any], receive: Any, send: Any) -> None:
            if not self.begun:
                await application(scope, receive, send)
            if self.begun:
                await send({"type": "websocket.close", "code": int(CloseCode.RESTARTING)})

        return run


draining = Draining()


async def drain(server: Any, seconds: float) -> None:
    """Drains a `playtest.serve.server.Server`; returns when it serves nobody, or after about `seconds`."""
    from playtest.play.journal.writer import writer
    from playtest.serve.server import Socket

    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    draining.begun = True
    for port in server.ports:
        port.stopListening()
    sockets = [one for one in server.connections if isinstance(one, Socket)]
    pause = min(1 / PER_SECOND, seconds / 2 / max(len(sockets), 1))
    for socket in sockets:
        socket.drain()
        await asyncio.sleep(pause)
    running = [
        application
        for details in server.connections.values()
        if (application := details.get("application_instance")) and not application.done()
    ]
    if running:
        await asyncio.wait(running, timeout=max(deadline - loop.time(), _LEAST_SECONDS))
    await asyncio.wait([writer.beat()], timeout=max(deadline - loop.time(), _LEAST_SECONDS))
