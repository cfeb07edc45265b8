"""An environment's first frame as a small picture beside its id, by which it is recognised."""

from collections.abc import Callable

from django.utils.html import format_html
from django.utils.safestring import SafeString

type Address = Callable[[str, str], str]
"""Where the first frame of an environment is, from its id and a version's digest."""
_address: list[Address] = []


def serve_first_frames(address: Address) -> None:
    """Declares where first frames are: the room that finds them does so when it starts."""
    _address[:] = [address]


def address_of_picture(code: str, digest: str | None) -> str | None:
    """Where the first frame of an environment is; None without a version."""
    return _address[0](code, digest) if digest and _address else None


def picture_and_id(code: str, digest: str | None) -> SafeString:
    """The picture and the id of an environment; without a version, an empty square in the picture's place.

    The picture says nothing that the id does not, so that screen readers pass over it.
    """
    address = address_of_picture(code, digest)
    if address is None:
        picture = SafeString('<span class="first-frame"></span>')
    else:
        picture = format_html(
            '<img class="first-frame" src="{}" width="32" height="32" alt="" loading="lazy">', address
        )
    return format_html('<span class="environment-id">{}<code>{}</code></span>', picture, code)
