"""An environment's first frame as a small picture beside its id, by which it is recognised."""

from urllib.parse import urlencode

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString


def address_of_picture(code: str, digest: str | None) -> str | None:
    """Where the first frame of a version's first level is, which never changes; None without a version."""
    if not digest:
        return None
    return f"{reverse('insight:level-picture', args=[code, 1])}?{urlencode({'version': digest})}"


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
