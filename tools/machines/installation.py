"""The steps of docs/deploy.md, taken on machines: one with everything, or a center of three."""

import json
import re
import secrets
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.live.games import ENVIRONMENTS
from tests.live.seeder import ROOT
from tools.machines.machine import PYTHON, Machine

NAME = "playtest.example.org"
DEPLOY = "/opt/playtest/deploy"
PORTS = (8001, 8002)
WORKERS = ("worker", "exporter", "studio", "beat")


def copy_source(folder: Path) -> Path:
    """What git knows of this checkout, as it lies here."""
    source = folder / "source"
    names = subprocess.run(
        ["git", "ls-files", "-coz", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True
    ).stdout
    for name in names.decode().strip("\0").split("\0"):
        if (ROOT / name).exists():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, source / name)
    return source


class Installation:
    """Machines with their folders on this one: the source, DATA_DIR, backups, PostgreSQL's data."""

    def __init__(self, folder: Path, ports: tuple[int, ...] = PORTS) -> None:
        self.folder, self.ports = folder, ports
        self.machines: list[Machine] = []
        self._settings: dict[str, str] = {}
        self._workers: dict[str, tuple[str, ...]] = {}
        folder.chmod(0o755)
        self.source = copy_source(folder)
        self._secrets = {name: secrets.token_urlsafe(50) for name in ("SECRET_KEY", "METRICS_TOKEN")}
        for name in ("data", "backups", "postgresql", "certificates", "notes"):
            (folder / name).mkdir()
        _certificate(folder / "certificates")

    def machine(self) -> Machine:
        """One more machine, with a user for the product and its folders."""
        binds = {
            "/opt/playtest": self.source,
            "/var/lib/playtest": self.folder / "data",
            "/var/backups/playtest": self.folder / "backups",
            "/var/lib/postgresql": self.folder / "postgresql",
            "/etc/ssl/playtest": self.folder / "certificates",
            "/srv/notes": self.folder / "notes",
        }
        new = Machine(len(self.machines) + 2, self.folder / "machines", binds)
        self.machines.append(new)
        self._make_user(new)
        return new

    def _make_user(self, on: Machine) -> None:
        on.shell(
            "useradd --system --uid 990 --home /var/lib/playtest playtest;"
            "chown playtest:playtest /var/lib/playtest /var/backups/playtest;"
            "chmod 700 /var/lib/playtest /var/backups/playtest"
        )

    @property
    def token(self) -> str:
        return self._secrets["METRICS_TOKEN"]

    def environment_of(self, machine: Machine, center: Machine) -> str:
        """The same on a machine without PostgreSQL, Redis and nginx."""
        return self.environment(
            DATABASE_URL=f"postgresql://playtest:secret@{center.address}:5432/playtest",
            REDIS_URL=f"redis://{center.address}:6379/0",
            HOST=machine.address,
            TRUSTED_PROXIES=center.address,
        )

    def environment(self, **changes: str) -> str:
        """deploy/environment.example, filled in."""
        text = (ROOT / "deploy" / "environment.example").read_text().replace("change-me@", "secret@")
        for name, value in {**self._secrets, **changes}.items():
            text, found = re.subn(rf"^{name}=.*$", f"{name}={value}", text, flags=re.MULTILINE)
            text += "" if found else f"{name}={value}\n"
        return text

    def database(self, on: Machine, *, listen: str = "127.0.0.1") -> None:
        """PostgreSQL and Redis as Debian installs them; for other machines if `listen` says so."""
        on.shell(
            "chown postgres:postgres /var/lib/postgresql;"
            "v=$(ls /usr/lib/postgresql | sort -V | tail -1);"
            "pg_dropcluster $v main 2>/dev/null || rm -rf /etc/postgresql/$v/main;"
            "pg_createcluster $v main -- --auth-host=scram-sha-256 >/dev/null;"
            f"""echo "listen_addresses = '{listen}'" >> /etc/postgresql/$v/main/postgresql.conf;"""
            "echo 'host playtest playtest 10.98.0.0/24 scram-sha-256' >> /etc/postgresql/$v/main/pg_hba.conf;"
            f"echo 'bind {listen.replace(',', ' ')}' >> /etc/redis/redis.conf;"
            "echo 'protected-mode no' >> /etc/redis/redis.conf;"
            "systemctl start postgresql@$v-main redis-server;"
            "su postgres -c 'createuser playtest && createdb --owner playtest playtest';"
            """su postgres -c "psql -qc \\"ALTER USER playtest PASSWORD 'secret'\\"" """
        )

    def product(self, on: Machine, settings: str) -> None:
        """The virtual environment, /etc/playtest/environment and the units."""
        packages = next(path for path in sys.path if path.endswith("site-packages"))
        version = f"python{sys.version_info.major}.{sys.version_info.minor}"
        if not (self.source / ".venv").exists():
            on.shell(
                f"cd /opt/playtest; {PYTHON}/bin/{version} -m venv --without-pip .venv;"
                f"cd .venv/lib/{version}; rmdir site-packages; ln -s {packages} .; cd /opt/playtest;"
                ".venv/bin/python -m engine.play.render_build"
            )
        self._settings[on.name] = settings
        on.write("/etc/playtest/environment", settings)
        on.shell(
            "chgrp -R playtest /etc/playtest; chmod 640 /etc/playtest/environment;"
            f"cp -r {DEPLOY}/systemd/* /etc/systemd/system; systemctl daemon-reload"
        )

    def prepare(self, on: Machine) -> None:
        on.run(f"{DEPLOY}/manage", "prepare", "--without-demo")

    def start(self, on: Machine, *workers: str) -> None:
        """The web processes and these workers."""
        self._workers[on.name] = workers
        units = [
            *(f"playtest-web@{port}" for port in self.ports),
            *(f"playtest-worker@{name}" for name in workers),
        ]
        on.run("systemctl", "enable", "--now", *units)
        on.run("systemctl", "enable", "--now", "playtest.target", "playtest-backup.timer")

    def proxy(self, on: Machine, servers: list[str] | None = None) -> None:
        """nginx with deploy/nginx; `servers` are the web processes if they are not on this machine."""
        on.shell(
            "rm -f /etc/nginx/sites-enabled/default;"
            f"cd {DEPLOY}/nginx; cp playtest.conf /etc/nginx/conf.d; cp playtest-proxy.conf /etc/nginx;"
            f"echo '127.0.0.1 {NAME}' >> /etc/hosts"
        )
        if servers:
            lines = "".join(f"    server {one} max_fails=0;\\n" for one in servers)
            on.shell(
                "cd /etc/nginx/conf.d; sed -i '/server 127.0.0.1:8002/d;"
                f"s/^    server 127.0.0.1:8001.*$/{lines}/' playtest.conf"
            )
        on.shell("nginx -t; systemctl start nginx")

    def seat(self, on: Machine, people: int, pool: list[str]) -> list[dict[str, Any]]:
        """A study with these environments, and people who have sat down at it."""
        for code in pool:
            place = self.folder / "source" / "trial-games" / code
            shutil.copytree(ENVIRONMENTS / code, place, dirs_exist_ok=True)
        wanted = {
            "database": "playtest", "games": "/opt/playtest/trial-games", "pool": pool,
            "people": people, "have_places": True,
        }  # fmt: skip
        script = "import runpy; runpy.run_module('tests.live.seed', run_name='__main__')"
        said = on.run(f"{DEPLOY}/manage", "shell", "-c", script, given=json.dumps(wanted) + "\n")
        answer = json.loads(said.splitlines()[-1])
        if "failed" in answer:
            raise RuntimeError(answer["failed"])
        return list(answer["people"])

    def again(self, machine: Machine) -> None:
        """Boots a machine that was killed, with nothing of what it had, and adds it as a new one."""
        machine.start()
        self._make_user(machine)
        self.product(machine, self._settings[machine.name])
        self.start(machine, *self._workers[machine.name])

    def stop(self) -> None:
        for machine in self.machines:
            machine.kill()


def _certificate(folder: Path) -> None:
    subprocess.run(
        [
            "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}",
            "-addext", f"subjectAltName=DNS:{NAME}",
            "-keyout", folder / "privkey.pem", "-out", folder / "fullchain.pem",
        ],
        check=True, capture_output=True,
    )  # fmt: skip
