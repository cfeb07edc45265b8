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


def picture_and_id(code: str, digest: str | None) -> SafeString:
    """The picture and the id of an environment; without a version, an empty square in the picture's place.

    The picture says nothing that the id does not, so that screen readers pass over it.
    """
    if digest is None or not _address:
        picture = SafeString('<span class="first-frame"></span>')
    else:
        picture = format_html(
            '<img class="first-frame" src="{}" width="32" height="32" alt="" loading="lazy">',
            _address[0](code, digest),
        )
    return format_html('<span class="environment-id">{}<code>{}</code></span>', picture, code)
