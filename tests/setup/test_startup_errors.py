"""What prevents serving is said before anything starts: settings, ports, data in use."""

import os
import secrets
import socket
import subprocess
import sys
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from playtest.serve import deployment, up, web
from playtest.serve.deployment import CannotServe, file_lock, serving_lock

ROOT = Path(__file__).parents[2]


def test_served_data_cannot_be_served_by_a_second_process(tmp_path: Path, settings: Any) -> None:
    settings.DATA_DIR, settings.REDIS_URL, settings.PORT = tmp_path, "", 8123
    refused = pytest.raises(CannotServe, match=r"http://127.0.0.1:8123/. \(data_in_use\)")
    with serving_lock(), refused, serving_lock():
        pass
    with serving_lock():  # the next may, once the first has ended
        pass
    settings.REDIS_URL = "redis://somewhere"
    with serving_lock(), serving_lock():
        pass


def test_a_port_in_use_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CannotServe, match=rf"Port {port} of .*\(address_unusable\)"):
            up.check_port("127.0.0.1", port)
    up.check_port("127.0.0.1", port)


def test_a_second_prepare_waits_for_the_first(tmp_path: Path) -> None:
    waits, order = Event(), []

    def second() -> None:
        with file_lock(tmp_path / "lock", lambda _: waits.set()):
            order.append("second")

    thread = Thread(target=second)
    with file_lock(tmp_path / "lock", pytest.fail):
        thread.start()
        assert waits.wait(60)
        order.append("first")
    thread.join()
    assert order == ["first", "second"]


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("PORT", "eighty", "port_invalid"),
        ("DATA_DIR", "/dev/null/data", "data_dir_unusable"),
        ("RECORD_PUBLIC_KEYS", "aabb", "record_public_keys_invalid"),
    ],
)
def test_an_invalid_setting_is_reported_in_one_sentence(name: str, value: str, code: str) -> None:
    said = prepare(**{name: value})
    assert said.endswith(f"({code})\n")
    assert value in said
    assert len(said.splitlines()) == 1


@pytest.mark.long
def test_an_unreachable_database_is_reported_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "playtest.sqlite3").mkdir()
    said = prepare(DATA_DIR=str(tmp_path))
    assert said.startswith("CommandError: database_unusable: unable to open database file")
    assert len(said.splitlines()) == 1


def prepare(**settings: str) -> str:
    """Runs the preparation, which must fail, and returns its message."""
    environment = {key: text for key, text in os.environ.items() if key not in ("SECRET_KEY", "DATABASE_URL")}
    failed = subprocess.run(
        [sys.executable, "manage.py", "prepare"],
        cwd=ROOT,
        env={**environment, **settings},
        capture_output=True,
        text=True,
        check=False,
    )
    assert failed.returncode == 1
    return failed.stderr


FIT: dict[str, Any] = {
    "HOST": "192.0.2.7",
    "ALLOWED_HOSTS": ["play.example.org"],
    "DEBUG": False,
    "SECRET_KEY": secrets.token_urlsafe(50),
    "SECRET_KEY_IS_GENERATED": False,
    "HTTPS": True,
    "PLAIN_HTTP": False,
}


def codes(settings: Any, **changes: Any) -> list[str]:
    for name, value in (FIT | changes).items():
        setattr(settings, name, value)
    return [problem.code for problem in deployment.development()]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, []),
        ({"HOST": "127.0.0.1"}, []),
        ({"HTTPS": False, "PLAIN_HTTP": True}, []),
        ({"DEBUG": True}, ["debug_in_public"]),
        ({"DEBUG": True, "HOST": "127.0.0.1"}, ["debug_in_public"]),  # a proxy leads here
        ({"SECRET_KEY_IS_GENERATED": True}, ["secret_key_not_set"]),
        ({"SECRET_KEY": "x" * 60}, ["secret_key_not_set"]),
        ({"SECRET_KEY": "short-but-random"}, ["secret_key_not_set"]),
        ({"ALLOWED_HOSTS": ["localhost", "[::1]"]}, ["hosts_not_set"]),
        ({"ALLOWED_HOSTS": ["*"]}, ["hosts_unlimited"]),
        ({"HTTPS": False}, ["https_missing"]),
        ({"HOST": "::1", "ALLOWED_HOSTS": ["localhost"], "DEBUG": True, "HTTPS": False}, []),
    ],
)
def test_what_is_only_fit_for_this_machine_is_named(
    settings: Any, changes: dict[str, Any], expected: list[str]
) -> None:
    assert codes(settings, **changes) == expected


def test_serving_is_refused_with_every_reason(settings: Any) -> None:
    assert codes(settings, DEBUG=True, HTTPS=False) == ["debug_in_public", "https_missing"]
    with pytest.raises(CannotServe, match=r"(?s)\(debug_in_public\).*\(https_missing\)"):
        deployment.refuse_development()


def test_neither_server_nor_supervisor_starts_for_others_with_nothing_set(
    settings: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.HOST, settings.SECRET_KEY_IS_GENERATED = "0.0.0.0", True
    for main in (web.main, up.main):
        assert main() == 1
        assert "(secret_key_not_set)" in capsys.readouterr().err


def test_the_check_of_a_deployment_finds_nothing_but_what_the_kernel_lacks(tmp_path: Path) -> None:
    variables = {"HOST": "0.0.0.0", "ALLOWED_HOSTS": "play.example.org", "HTTPS": "1"}
    done = run(tmp_path, ["django", "check", "--deploy"], SECRET_KEY=FIT["SECRET_KEY"], **variables)
    found = [line for line in done.stderr.splitlines() if line.startswith("?: ")]
    assert done.returncode == 0, done.stderr
    assert [line for line in found if "(playtest.kernel)" not in line] == []


def run(folder: Path, module: list[str], **variables: str) -> subprocess.CompletedProcess[str]:
    inherited = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return subprocess.run(
        [sys.executable, "-m", *module],
        env=inherited | {"DATA_DIR": str(folder), "DJANGO_SETTINGS_MODULE": "playtest.settings"} | variables,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
