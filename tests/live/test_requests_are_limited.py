"""HTTP requests have limits of size and time and are refused before they are stored."""

import io
import json
import socket
import zipfile
from collections.abc import Callable
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.live.games import ENVIRONMENTS
from tests.live.seeder import PATIENCE_SECONDS
from tests.live.server import Server
from tests.live.visitor import Visitor

pytestmark = pytest.mark.once

MEGABYTE = 1024 * 1024
IMPORT = "/staff/environments/import/"


def begin(port: int, head: str) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_SECONDS)
    connection.sendall(head.replace("\n", "\r\n").encode())
    return connection


def rest(connection: socket.socket) -> bytes:
    """Returns all bytes until the other end closes."""
    parts = []
    try:
        while part := connection.recv(65536):
            parts.append(part)
    except ConnectionResetError:
        pass
    return b"".join(parts)


def refused(answer: bytes) -> str:
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 413 "), answer
    return str(json.loads(body)["code"])


def test_a_body_with_a_too_large_length_is_refused_before_it_is_sent(port: int) -> None:
    head = f"POST / HTTP/1.1\nHost: 127.0.0.1:{port}\nContent-Length: 150000000\n\n"
    with closing(begin(port, head)) as connection:
        assert refused(rest(connection)) == "body_too_large"


def test_an_expect_header_of_a_too_large_body_is_not_answered_with_100(port: int) -> None:
    head = f"POST / HTTP/1.1\nHost: 127.0.0.1:{port}\nContent-Length: 150000000\nExpect: 100-continue\n\n"
    with closing(begin(port, head)) as connection:
        assert refused(rest(connection)) == "body_too_large"


def test_a_chunked_body_is_refused_once_it_is_too_large(port: int) -> None:
    head = f"POST / HTTP/1.1\nHost: 127.0.0.1:{port}\nTransfer-Encoding: chunked\n\n"
    chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    with closing(begin(port, head)) as connection:
        for _ in range(17):
            connection.sendall(chunk)
        assert refused(rest(connection)) == "body_too_large"


def test_a_large_body_is_not_held_in_memory(server: Server, port: int) -> None:
    """Sending 150 MB without reading the answer does not increase the server's memory."""
    before = memory(server, port)
    for _ in range(2):
        connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
        with closing(connection):
            try:
                connection.request("POST", "/", body=io.BytesIO(bytes(150_000_000)))
                assert connection.getresponse().status == 413
            except (BrokenPipeError, ConnectionResetError):
                pass  # it stopped listening first
    assert memory(server, port) - before < 20 * MEGABYTE


def memory(server: Server, port: int) -> int:
    """Returns the peak memory of the server's process in bytes."""
    lines = Path(f"/proc/{server.processes[port].pid}/status").read_text().splitlines()
    [line] = [line for line in lines if line.startswith("VmHWM")]
    return int(line.split()[1]) * 1024


@pytest.fixture
def archive() -> bytes:
    """Makes an archive of 5 MB with a valid environment and an incompressible picture."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        for path in sorted((ENVIRONMENTS / "wk01").iterdir()):
            if path.is_file():
                file.write(path, f"wk01/{path.name}")
        file.writestr("wk01/picture.png", bytes(5 * MEGABYTE))
    return packed.getvalue()


def upload(visitor: Visitor, port: int, archive: bytes, cookies: str) -> tuple[int, str]:
    boundary = "part"
    token = visitor.cookie("csrftoken")
    body = (
        f'--{boundary}\r\nContent-Disposition: form-data; name="csrfmiddlewaretoken"\r\n\r\n{token}\r\n'
        f'--{boundary}\r\nContent-Disposition: form-data; name="files"; filename="a.zip"\r\n\r\n'
    ).encode() + archive + f"\r\n--{boundary}--\r\n".encode()  # fmt: skip
    with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)) as connection:
        headers = {"Content-Type": f"multipart/form-data; boundary={boundary}", "Cookie": cookies}
        connection.request("POST", IMPORT, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.headers.get("Location", "")


@pytest.mark.long
def test_staff_can_upload_large_files_and_nobody_else(
    make_server: Callable[..., Server], archive: bytes
) -> None:
    server = make_server()
    port = server.start()
    visitor = server.staff(port, "lead")
    signed_in = "; ".join(f"{cookie.name}={cookie.value}" for cookie in visitor.cookies)
    assert upload(visitor, port, archive, signed_in)[0] == 413, "the page was not asked for yet"
    visitor.get(IMPORT)
    permitted = "; ".join(f"{cookie.name}={cookie.value}" for cookie in visitor.cookies)
    status, place = upload(visitor, port, archive, permitted)
    assert (status, place.startswith("/staff/environments/imports/")) == (302, True)
    forged = signed_in + '; large-body="MzM1NTQ0MzI:1tAaaa:forged"'
    assert upload(visitor, port, archive, forged)[0] == 413


@pytest.fixture
def hasty(make_server: Callable[..., Server]) -> int:
    """The port of a server with a time limit of one second a request."""
    return make_server(REQUEST_SECONDS="1").start()


OPEN = {
    "nothing": "",
    "a part of the head": "GET / HTTP/1.1\nHost: 127.0.0.1",
    "a part of the body": "POST / HTTP/1.1\nHost: 127.0.0.1\nContent-Length: 10\n\nabc",
    "a handshake that never ends": "GET /ws/session/ HTTP/1.1\nHost: 127.0.0.1\nUpgrade: websocket\n",
}


@pytest.mark.long
def test_an_incomplete_request_is_closed(hasty: int) -> None:
    for head in OPEN.values():
        with closing(begin(hasty, head)) as connection:
            assert rest(connection) == b""
    with closing(begin(hasty, "GET / HTTP/1.1\n")) as connection:
        assert was_cut_off(connection), "each byte came in time, the whole never did"


def was_cut_off(connection: socket.socket) -> bool:
    """Sends a line every fifth of a second and returns whether the other end closed."""
    connection.settimeout(0.2)
    for _ in range(5 * PATIENCE_SECONDS):
        try:
            connection.sendall(b"X: y\r\n")
            if connection.recv(1) == b"":
                return True
        except TimeoutError:
            continue
        except OSError:
            return True
    return False
