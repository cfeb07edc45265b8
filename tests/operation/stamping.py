"""A time stamping authority: `openssl ts` behind HTTP, with a root certificate of its own."""

import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

_CONFIG = """
[req]
distinguished_name = name
[name]
[root]
basicConstraints = critical, CA:true
[stamps]
extendedKeyUsage = critical, timeStamping
[tsa]
default_tsa = authority
[authority]
serial = serial
signer_cert = signer.pem
signer_key = signer.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
"""


class Authority:
    """One that answers at `address`; `roots` is its certificate. `answers` False: it refuses everybody."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.answers, self.address = folder, True, ""
        folder.mkdir()
        (folder / "openssl.cnf").write_text(_CONFIG)
        (folder / "serial").write_text("01\n")
        new = (
            "req",
            "-config",
            "openssl.cnf",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
            "-nodes",
        )
        self.openssl(*new, "-x509", "-extensions", "root", "-subj", "/CN=root", "-keyout", "root.key", "-out",
                     "root.pem")  # fmt: skip
        self.openssl(*new, "-subj", "/CN=stamps", "-keyout", "signer.key", "-out", "signer.csr")
        self.openssl("x509", "-req", "-in", "signer.csr", "-CA", "root.pem", "-CAkey", "root.key",
                     "-set_serial", "7", "-extfile", "openssl.cnf", "-extensions", "stamps",
                     "-out", "signer.pem")  # fmt: skip

    @property
    def roots(self) -> str:
        return str(self.folder / "root.pem")

    def openssl(self, *arguments: str) -> None:
        subprocess.run(["openssl", *arguments], cwd=self.folder, check=True, capture_output=True, timeout=20)

    def answer(self, query: bytes) -> bytes:
        """The answer to a request for a stamp, with the present time."""
        (self.folder / "query").write_bytes(query)
        self.openssl("ts", "-reply", "-config", "openssl.cnf", "-queryfile", "query", "-out", "answer")
        return (self.folder / "answer").read_bytes()


@contextmanager
def authority(folder: Path) -> Iterator[Authority]:
    """An authority that answers at an address of this machine."""
    one = Authority(folder)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            query = self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200 if one.answers else 503)
            self.end_headers()
            if one.answers:
                self.wfile.write(one.answer(query))

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    one.address = f"http://127.0.0.1:{server.server_port}/"
    try:
        yield one
    finally:
        server.shutdown()
        server.server_close()
