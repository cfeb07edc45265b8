"""`python -m playtest.up`: what the Procfile lists, once it is clear that it can be served."""

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from playtest.claims import claim

HONCHO = (sys.executable, "-m", "honcho", "start", "--no-prefix", "--env", "/dev/null")


class Impossible(Exception):
    """It cannot be served; the message says why and what to do."""


def main() -> int:
    """Only returns if it cannot be served; else this process becomes honcho."""
    try:
        with data():
            check_port(settings.HOST, settings.PORT)
            os.chdir(settings.BASE_DIR)
            os.execv(HONCHO[0], HONCHO)
    except (Impossible, ImproperlyConfigured) as error:
        sys.stderr.write(f"{error}\n")
        return 1


@contextmanager
def data() -> Iterator[None]:
    """Hold DATA_DIR, also as what this process becomes; nobody has to where broker and layer can be shared.

    Raises Impossible data_in_use.
    """
    if settings.REDIS_URL:
        yield
        return

    def refuse(where: str) -> None:
        raise Impossible(
            f"{settings.DATA_DIR} is being served already, at {where}. (data_in_use)\n"
            "End that one first, or keep other data: make up DATA_DIR=/somewhere/else PORT=8001"
        )

    with claim(settings.DATA_DIR / "up.lock", refuse) as file:
        file.write(f"http://{settings.HOST}:{settings.PORT}/")
        file.flush()
        os.set_inheritable(file.fileno(), True)
        yield


def check_port(host: str, port: int) -> None:
    """Raises Impossible address_unusable: before anything is started, and in words."""
    try:
        [*_, (family, _, _, _, place)] = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        with socket.socket(family) as listener:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(place)
            listener.listen()
    except OSError as error:
        raise Impossible(
            f"Port {port} of {host} cannot be had: {error.strerror}. (address_unusable)\n"
            "End what uses it, or choose another: make up PORT=8001"
        ) from error


if __name__ == "__main__":
    sys.exit(main())
