"""The client's address of a request, with and without proxies."""

import os
import subprocess
import sys
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
from django.test import RequestFactory

from playtest.people.rate_limits import client_address

PROXIES = ["10.0.0.5", "10.1.0.0/16", "fd00::/8"]


def address(peer: str, forwarded: str | None = None) -> str:
    headers = {} if forwarded is None else {"HTTP_X_FORWARDED_FOR": forwarded}
    return client_address(RequestFactory().get("/", REMOTE_ADDR=peer, **headers))  # type: ignore[arg-type]


def test_by_default_no_proxy_is_trusted() -> None:
    assert address("203.0.113.7", "198.51.100.1") == "203.0.113.7"
    assert address("127.0.0.1", "198.51.100.1") == "127.0.0.1"


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        ("10.0.0.5", "203.0.113.7", "203.0.113.7"),
        ("10.0.0.5", "1.1.1.1, 203.0.113.7", "203.0.113.7"),
        ("10.0.0.5", "1.1.1.1, 203.0.113.7, 10.1.2.3", "203.0.113.7"),
        ("10.0.0.5", "1.1.1.1,10.1.2.3, 203.0.113.7", "203.0.113.7"),
        ("203.0.113.7", "1.1.1.1", "203.0.113.7"),
        ("10.0.0.6", "1.1.1.1", "10.0.0.6"),
        ("10.0.0.5", None, "10.0.0.5"),
        ("10.0.0.5", "", "10.0.0.5"),
        ("10.0.0.5", "10.1.0.1, 10.1.0.2", "10.1.0.1"),
        ("10.0.0.5", "1.1.1.1, unknown", "10.0.0.5"),
        ("10.0.0.5", "1.1.1.1, unknown, 10.1.2.3", "10.1.2.3"),
        ("10.0.0.5", "203.0.113.7:5123", "203.0.113.7"),
        ("fd00::1", "[2001:db8::7]:5123", "2001:db8::7"),
        ("fd00::1", "2001:db8::7", "2001:db8::7"),
        ("::ffff:10.0.0.5", "::ffff:203.0.113.7", "203.0.113.7"),
        ("", "203.0.113.7", "0.0.0.0"),
    ],
)
def test_the_client_is_the_last_address_that_is_not_a_trusted_proxy(
    settings: Any, peer: str, forwarded: str | None, client: str
) -> None:
    settings.TRUSTED_PROXIES = [ip_network(proxy) for proxy in PROXIES]
    assert address(peer, forwarded) == client


def test_an_invalid_proxy_address_is_reported() -> None:
    failed = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "TRUSTED_PROXIES": "nginx"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert failed.returncode == 1
    assert "trusted_proxies_invalid" in failed.stderr.splitlines()[-1]
