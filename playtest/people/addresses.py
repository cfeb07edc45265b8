"""The address that a request comes from, also behind a proxy; used by rate limits."""

from ipaddress import IPv4Address, IPv6Address, ip_address

from django.conf import settings
from django.http import HttpRequest

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
