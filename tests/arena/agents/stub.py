"""A real HTTP server that answers with what a test says."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Asked:
    """A request as it arrived; `client` tells connections apart."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: Any
    client: tuple[str, int]


@dataclass
class Answer:
    """`body` is sent as JSON, text as it is. With `lost` the connection ends without an answer."""

    body: Any = field(default_factory=dict)
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    lost: bool = False


@dataclass
class Stub:
    url: str
    asked: list[Asked] = field(default_factory=list)


@contextmanager
def serving(answer: Callable[[Asked], Answer]) -> Iterator[Stub]:
    """Serves on a port of its own until the end of the block."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_any(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length)) if length else None
            asked = Asked(self.command, self.path, dict(self.headers.items()), body, self.client_address)
            stub.asked.append(asked)
            made = answer(asked)
            if made.lost:
                self.close_connection = True
                return
            content = (made.body if isinstance(made.body, str) else json.dumps(made.body)).encode()
            self.send_response(made.status)
            for name, value in {**made.headers, "Content-Length": str(len(content))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = handle_any  # noqa: N815

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            return

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        stub = Stub(f"http://127.0.0.1:{server.server_port}")
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield stub
        finally:
            server.shutdown()
            thread.join()
