"""Which address a request comes from, for limits on guessing: also behind a proxy."""

from ipaddress import IPv4Address, IPv6Address, ip_address

from django.conf import settings
from django.http import HttpRequest

UNKNOWN = "0.0.0.0"  # what a server on a Unix socket tells of its clients
type Address = IPv4Address | IPv6Address


def client_address(request: HttpRequest) -> str:
    """The address of whoever asked; behind TRUSTED_PROXIES, the last one that is none of them.

    Each proxy appends to X-Forwarded-For whom it was asked by. What stands before the last address that is
    not trusted can be made up, and is not looked at.
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
    """An address as servers and proxies write it: in brackets, with a port, or IPv4 as IPv6."""
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
