"""`python -m playtest.up`: checks that the data can be served, then runs what the Procfile lists."""

import os
import socket
import sys
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from playtest.deployment import refuse_development
from playtest.file_locks import CannotServe, serving_lock
from playtest.supervisor import Supervisor


def main() -> int:
    """Serves until it is told to stop. Returns 1 and prints the reason if it cannot serve, or no longer."""
    try:
        refuse_development()
        with serving_lock("up.lock"):
            with serving_lock():
                check_port(settings.HOST, settings.PORT)
            os.chdir(settings.BASE_DIR)
            return Supervisor(commands(settings.BASE_DIR / "Procfile")).run()
    except (CannotServe, ImproperlyConfigured) as error:
        sys.stderr.write(f"{error}\n")
        return 1


def commands(procfile: Path) -> dict[str, str]:
    """The shell command of each process, by name."""
    lines = (line.partition(":") for line in procfile.read_text().splitlines() if line.strip())
    return {name.strip(): command.strip() for name, _, command in lines}


def check_port(host: str, port: int) -> None:
    """Raises CannotServe address_unusable if the port is taken or cannot be used."""
    try:
        [*_, (family, _, _, _, place)] = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        with socket.socket(family) as listener:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(place)
            listener.listen()
    except OSError as error:
        raise CannotServe(
            f"Port {port} of {host} cannot be used: {error.strerror}. (address_unusable)\n"
            "Stop the program that uses it, or choose another port: make up PORT=8001"
        ) from error


if __name__ == "__main__":
    sys.exit(main())
