"""Limits on how often something may be tried, and by whom: an address, or a browser that is known.

In a known browser somebody has signed in before. Its wrong passwords are counted apart, so that guessing at
the same address cannot lock out the person whose browser it is. Its cookie is no credential.
"""

import contextlib
import secrets
from collections.abc import Mapping
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any

from django.conf import settings
from django.core import signing
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse

from playtest.people.cookies import set_own_cookie


def allow(key: str, limit: int, seconds: int) -> bool:
    """Counts one try under `key`; False if it is more than `limit` in a window of `seconds`.

    While Redis is away each process counts for itself (`playtest.serve.redis_outage`).
    """
    name = f"limit:{key}"
    try:
        cache.add(name, 0, timeout=seconds)
        return bool(cache.incr(name) <= limit)
    except ValueError:  # the window closed between the two calls
        cache.set(name, 1, timeout=seconds)
        return True


def take_back(key: str) -> None:
    """Takes back one try that `allow` counted, if its window is still open."""
    with contextlib.suppress(ValueError):
        cache.decr(f"limit:{key}")


UNKNOWN = "0.0.0.0"  # a server on a Unix socket knows no addresses
type Address = IPv4Address | IPv6Address


def client_address(request: HttpRequest) -> str:
    """The client's address; behind TRUSTED_PROXIES, the last one that is not one of them.

    Each proxy appends the address of its client to X-Forwarded-For. Whatever is before the last untrusted
    address can be forged and is ignored.
    """
    address = _address(request.META.get("REMOTE_ADDR", "")) or ip_address(UNKNOWN)
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
    while forwarded and _trusted(address):
        before = _address(forwarded.pop())
        if before is None:
            break
        address = before
    return str(address)


def _trusted(address: Address) -> bool:
    return any(address in network for network in settings.TRUSTED_PROXIES)


def _address(text: str) -> Address | None:
    """Parses an address: with brackets, with a port, or IPv4 mapped to IPv6; None if it is invalid."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


COOKIE = "known-browser"
_FOLDER = "/staff/"
_LIFETIME_SECONDS = 180 * 24 * 60 * 60


def remember(response: HttpResponse, name: str) -> None:
    """Makes the browser known for this name."""
    value = signing.dumps([name, secrets.token_hex(8)], salt=COOKIE)
    set_own_cookie(response, COOKIE, value, seconds=_LIFETIME_SECONDS, path=_FOLDER)


def known_browser(request: HttpRequest, name: str) -> str | None:
    """The browser's own mark if it is known for this name."""
    try:
        known, mark = signing.loads(request.COOKIES.get(COOKIE, ""), salt=COOKIE, max_age=_LIFETIME_SECONDS)
    except (signing.BadSignature, TypeError, ValueError):
        return None
    return str(mark) if known == name else None


def name_to_lock(request: HttpRequest, credentials: Mapping[str, Any] | None) -> str:
    """What axes counts wrong passwords by, besides the address: a name, or a name in a known browser."""
    name = str((credentials or {}).get("username") or request.POST.get("username", ""))
    mark = known_browser(request, name)
    return name if mark is None else f"{name} in browser {mark}"
