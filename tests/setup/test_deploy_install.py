"""deploy/install makes an installation in a folder that stands for /, and a second run changes nothing."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")

# Stands for each program that changes a machine: notes how it is called, and remembers that it was.
PROGRAM = """#!/bin/bash
name=$(basename "$0") state=$(dirname "$0")/../state
[[ $name == runuser ]] && { read -r given; set -- "$given"; }
echo "$name $*" >>"$state/log"
case "$name $*" in
    "id -u") echo 0 ;;
    "id playtest") test -e "$state/user" ;;
    useradd*) touch "$state/user" ;;
    dpkg-query*) cat "$state/installed" ;;
    "apt-get install"*) echo "install ok installed" >"$state/installed" ;;
    install*) mkdir -p "${@: -1}" ;;
    "runuser SELECT 'role'"*) test ! -e "$state/role" || echo role ;;
    "runuser SELECT 'database'"*) test ! -e "$state/database" || echo database ;;
    "runuser CREATE ROLE"*) touch "$state/role" ;;
    "runuser CREATE DATABASE"*) touch "$state/database" ;;
    "runuser ALTER ROLE"*) touch "$state/password" ;;
    psql*) test -e "$state/password" ;;
    "systemctl is-active"*) test -e "$state/runs" ;;
    "systemctl enable"*playtest-web*) touch "$state/runs" ;;
    certbot*) exit 1 ;;
esac
"""
PROGRAMS = (
    "id useradd dpkg-query apt-get install chgrp runuser psql systemctl systemd-run nginx certbot curl"
).split()
QUESTIONS = ("id ", "dpkg-query", "runuser SELECT", "psql", "systemctl is-active", "systemctl enable", "curl")


class Machine:
    """A machine with Debian and the source of the product, of which only files are real."""

    def __init__(self, folder: Path, release: int = 13, like: "Machine | None" = None) -> None:
        self.folder, self.root, source = folder, folder / "root", folder / "source"
        if like is not None:
            shutil.copytree(like.folder, folder, symlinks=True, dirs_exist_ok=True)
            return
        shutil.copytree(ROOT / "deploy", source / "deploy")
        (self.root / "etc" / "nginx" / "sites-enabled").mkdir(parents=True)
        (self.root / "etc" / "nginx" / "sites-enabled" / "default").symlink_to("/dev/null")
        (self.root / "etc" / "os-release").write_text(f'ID=debian\nVERSION_ID="{release}"\n')
        for name in ("bin", "state", "source/scripts", "source/.venv/bin"):
            (folder / name).mkdir(parents=True)
        (folder / "state" / "installed").touch()
        for name in PROGRAMS:
            self.program(f"bin/{name}", PROGRAM)
        self.program("source/.venv/bin/python", "#!/bin/sh\n")
        self.program("source/scripts/find-python", "#!/bin/sh\necho /usr/bin/python3\n")
        self.program("source/scripts/install-packages", "#!/bin/sh\necho 1 >.venv/installed-$1\n")

    def program(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text)
        (self.folder / name).chmod(0o755)

    def install(self, *options: str) -> subprocess.CompletedProcess[str]:
        (self.folder / "state" / "log").write_text("")
        variables = {"PATH": f"{self.folder}/bin:{os.environ['PATH']}", "DESTDIR": str(self.root)}
        command = [str(self.folder / "source" / "deploy" / "install"), *options]
        return subprocess.run(
            command, env=variables, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )

    @property
    def calls(self) -> list[str]:
        return (self.folder / "state" / "log").read_text().splitlines()

    def text(self, path: str) -> str:
        return (self.root / path).read_text()

    def files(self) -> dict[str, tuple[int, int]]:
        paths = [path for path in self.root.rglob("*") if path.is_file()]
        return {str(path): (path.stat().st_mtime_ns, path.stat().st_mode) for path in paths}


@pytest.fixture
def bare(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """A machine on which the product was installed once."""
    made = Machine(tmp_path_factory.mktemp("machine"))
    done = made.install("--name", "center.lan")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "https://center.lan/" in done.stdout
    return made


@pytest.fixture
def machine(first: Machine, tmp_path: Path) -> Machine:
    """As that one is."""
    return Machine(tmp_path, like=first)


def test_a_second_run_changes_nothing(machine: Machine) -> None:
    before = machine.files()
    second = machine.install()
    assert second.returncode == 0, second.stderr
    assert machine.files() == before
    assert [call for call in machine.calls if not call.startswith(QUESTIONS) and "prepare" not in call] == []
    assert "nothing had to be changed" in second.stdout


def test_an_older_installation_gets_a_place_for_the_list_of_withdrawals(machine: Machine) -> None:
    settings = machine.root / "etc" / "playtest" / "environment"
    lines = [line for line in settings.read_text().splitlines() if not line.startswith("WITHDRAWALS_FILE=")]
    settings.write_text("\n".join(lines) + "\n")
    assert machine.install().returncode == 0
    place = "/var/lib/playtest-withdrawals"
    assert settings.read_text().splitlines() == [*lines, f"WITHDRAWALS_FILE={place}/withdrawals.jsonl"]
    common = machine.text("etc/systemd/system/playtest-.service.d/all.conf")
    assert f"ReadWritePaths=-{place}\n" in common
    assert (machine.root / place.strip("/")).is_dir()


def test_every_file_has_this_center_and_secrets_of_its_own(machine: Machine) -> None:
    settings = machine.text("etc/playtest/environment")
    given = dict(re.findall(r"^(\w+)=(.*)$", settings, re.MULTILINE))
    assert given["CENTER_URL"] == given["TRUSTED_ORIGINS"] == "https://center.lan"
    assert "change-me" not in settings
    password = given["DATABASE_URL"].split(":")[2].split("@")[0]
    assert len({password, given["SECRET_KEY"], given["METRICS_TOKEN"]}) == 3
    assert f"runuser ALTER ROLE playtest PASSWORD '{password}'" in machine.calls
    assert machine.text("etc/prometheus/playtest-token").strip() == given["METRICS_TOKEN"]
    for secret in (
        "etc/playtest/environment",
        "etc/prometheus/playtest-token",
        "etc/ssl/playtest/privkey.pem",
    ):
        assert (machine.root / secret).stat().st_mode & 0o007 == 0
    assert "playtest.example.org" not in machine.text("etc/nginx/conf.d/playtest.conf")
    assert not (machine.root / "etc" / "nginx" / "sites-enabled" / "default").is_symlink()
    units = {
        path.relative_to(ROOT / "deploy" / "systemd") for path in (ROOT / "deploy" / "systemd").rglob("*.*")
    }
    assert all((machine.root / "etc" / "systemd" / "system" / unit).exists() for unit in units)
    for name in ("prometheus", "prometheus-alertmanager"):
        assert "listen-address=127.0.0.1:" in machine.text(f"etc/default/{name}")
    assert "systemctl restart prometheus prometheus-alertmanager" in machine.calls
    assert "systemctl reload nginx" in machine.calls


def test_what_staff_changed_stays_and_a_new_name_is_put_everywhere(machine: Machine) -> None:
    settings = machine.root / "etc" / "playtest" / "environment"
    settings.write_text(settings.read_text().replace("LOG_LEVEL=INFO", "LOG_LEVEL=WARNING"))
    assert machine.install("--name", "play.lan").returncode == 0
    assert "LOG_LEVEL=WARNING" in settings.read_text()
    assert "center.lan" not in settings.read_text() + machine.text("etc/nginx/conf.d/playtest.conf")
    assert "systemctl restart playtest-web@8001" in machine.calls
    certificate = machine.root / "etc" / "ssl" / "playtest" / "fullchain.pem"
    said = subprocess.check_output(["openssl", "x509", "-in", certificate, "-noout", "-subject"], text=True)
    assert "play.lan" in said


def test_what_was_removed_is_written_and_used_again(machine: Machine) -> None:
    for path in (
        "etc/nginx/conf.d/playtest.conf",
        "etc/default/prometheus",
        "etc/systemd/system/playtest.target",
    ):
        (machine.root / path).unlink()
    assert machine.install().returncode == 0
    used = [
        call for call in machine.calls if not call.startswith((*QUESTIONS, "systemd-run", "chgrp", "nginx"))
    ]
    workers = " ".join(f"playtest-worker@{name}" for name in ("worker", "exporter", "studio", "beat"))
    assert used == [
        "systemctl daemon-reload",
        "systemctl restart playtest-web@8001",
        "systemctl restart playtest-web@8002",
        f"systemctl restart {workers}",
        "systemctl reload nginx",
        "systemctl restart prometheus prometheus-alertmanager",
    ]


def test_another_version_is_taken_by_one_process_after_another(bare: Machine) -> None:
    machine = bare
    machine.program("bin/git", "#!/bin/sh\ncat ../version\n")
    for version in ("1", "2"):
        (machine.folder / "version").write_text(f"{version}\n")
        assert machine.install("--name", "center.lan").returncode == 0
    web = [f"systemctl restart playtest-web@{port}" for port in (8001, 8002)]
    assert [call for call in machine.calls if "playtest-web" in call and " restart " in call] == web


def test_alarms_are_mailed_by_the_mail_server_of_invitations(bare: Machine) -> None:
    machine = bare
    server = "smtp+tls://center:it%27s@mail.example.org"
    done = machine.install("--name", "center.lan", "--alarms", "night@example.org", "--mail-server", server)
    assert done.returncode == 0, done.stderr
    assert f"EMAIL_URL={server}\n" in machine.text("etc/playtest/environment")
    written = machine.text("etc/prometheus/alertmanager.yml")
    for line in ("- to: night@example.org", "smarthost: mail.example.org:587", "require_tls: true"):
        assert line in written
    assert "auth_username: 'center'\n        auth_password: 'it''s'\n" in written
    machine.install()
    assert machine.text("etc/prometheus/alertmanager.yml") == written


def test_settings_of_another_alertmanager_are_kept_beside_ours(bare: Machine) -> None:
    machine = bare
    (machine.root / "etc" / "prometheus").mkdir()
    (machine.root / "etc" / "prometheus" / "alertmanager.yml").write_text("  - to: 'team@example.org'\n")
    assert machine.install("--name", "center.lan").returncode == 0
    assert "email_configs" not in machine.text("etc/prometheus/alertmanager.yml")
    assert "team@" in machine.text("etc/prometheus/alertmanager.yml.before-playtest")


def test_a_public_name_without_a_certificate_is_served_all_the_same(bare: Machine) -> None:
    machine = bare
    done = machine.install("--name", "center.example.org")
    assert done.returncode == 0
    assert any(call.startswith("certbot certonly") for call in machine.calls)
    assert "Let's Encrypt did not reach center.example.org" in done.stdout


def put_own_certificate(machine: Machine, name: str, days: int) -> dict[str, bytes]:
    """A certificate of the center's own, signed by itself; the files by name."""
    folder = machine.root / "etc" / "ssl" / "playtest"
    folder.mkdir(parents=True, exist_ok=True)
    command = f"openssl req -x509 -newkey rsa:2048 -nodes -days {days} -subj /CN={name}".split()
    files = ("-keyout", folder / "privkey.pem", "-out", folder / "fullchain.pem")
    subprocess.run([*command, *files], check=True, capture_output=True)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize(
    ("name", "days", "said", "options"),
    [
        ("center.example.org", 365, [], []),
        ("center.example.org", 3, ["ends on"], ["--certificate", "own"]),
        ("other.example.org", 365, ["is not for center.example.org"], ["--certificate", "own"]),
        ("other.example.org", 3, ["is not for center.example.org", "ends on"], []),
    ],
)
def test_a_certificate_of_ones_own_stays_whatever_is_wrong_with_it(
    bare: Machine, name: str, days: int, said: list[str], options: list[str]
) -> None:
    own = put_own_certificate(bare, name, days)
    done = bare.install("--name", "center.example.org", *options)
    assert done.returncode == 0, done.stderr
    folder = bare.root / "etc" / "ssl" / "playtest"
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == own
    warnings = [line for line in done.stdout.splitlines() if "warning" in line]
    assert len(warnings) == len(said)
    assert all(part in line for part, line in zip(said, warnings, strict=True))
    assert not any("certbot" in call for call in bare.calls)


def test_a_certificate_of_ones_own_is_kept_beside_one_that_is_asked_for(bare: Machine) -> None:
    own = put_own_certificate(bare, "other.lan", 365)
    assert bare.install("--name", "center.lan", "--certificate", "self-signed").returncode == 0
    folder = bare.root / "etc" / "ssl" / "playtest"
    assert {name: (folder / f"{name}.before-playtest").read_bytes() for name in own} == own
    assert (folder / "fullchain.pem").read_bytes() != own["fullchain.pem"]


def test_a_key_that_waits_for_its_certificate_is_kept(bare: Machine) -> None:
    own = put_own_certificate(bare, "center.lan", 365)["privkey.pem"]
    folder = bare.root / "etc" / "ssl" / "playtest"
    (folder / "fullchain.pem").unlink()
    assert bare.install("--name", "center.lan").returncode == 0
    assert (folder / "privkey.pem.before-playtest").read_bytes() == own


@pytest.mark.parametrize(
    ("release", "options", "sentence"),
    [
        (13, [], "--name playtest.example.org"),
        (13, ["--name", "a b"], "--name playtest.example.org"),
        (13, ["--colour", "red"], "there is no option --colour"),
        (13, ["--name", "center.lan", "--alarms", "me"], "--alarms is an e-mail address or none"),
        (12, ["--name", "center.lan"], "no Python 3.12 or 3.13 is found"),
        (11, ["--name", "center.lan"], "for Debian 12 and newer"),
    ],
)
def test_what_cannot_be_done_is_said_before_anything_is_changed(
    tmp_path: Path, release: int, options: list[str], sentence: str
) -> None:
    machine = Machine(tmp_path, release)
    if release == 12:
        machine.program("source/scripts/find-python", "#!/bin/sh\nexit 1\n")
    before = machine.files()
    done = machine.install(*options)
    assert done.returncode == 1
    assert sentence in done.stderr
    assert machine.files() == before
    assert [call for call in machine.calls if call != "id -u"] == []
