"""`python -m playtest.up`: what the Procfile lists, once it is clear that it can be served."""

import os
import socket
import sys
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from playtest.claims import Impossible, data_being_served
from playtest.supervisor import Supervisor


def main() -> int:
    """Serve until told to end; 1 if that cannot be, or not any more, with a sentence that says why."""
    try:
        with data_being_served("up.lock"):
            with data_being_served():
                check_port(settings.HOST, settings.PORT)
            os.chdir(settings.BASE_DIR)
            return Supervisor(commands(settings.BASE_DIR / "Procfile")).run()
    except (Impossible, ImproperlyConfigured) as error:
        sys.stderr.write(f"{error}\n")
        return 1


def commands(procfile: Path) -> dict[str, str]:
    """The shell command of each process, by its name."""
    lines = (line.partition(":") for line in procfile.read_text().splitlines() if line.strip())
    return {name.strip(): command.strip() for name, _, command in lines}


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
