"""Renders notes that staff write in Markdown as safe HTML."""

import re
from collections.abc import Iterable

from django import template
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

LEVELS_BELOW_THE_PAGE = 2
"""A note's headings are below the two levels of the page."""
_LOWEST = 6
_DOCUMENT = re.compile(r"(?!\w+:)[^?]*\.md(#.*)?")
"""The address of another document: it is beside the text in the repository, and on no page."""

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).disable("image")

register = template.Library()


@register.filter
def markdown(text: str, below: int = LEVELS_BELOW_THE_PAGE) -> SafeString:
    """Renders Markdown without raw HTML, pictures, script URLs and style attributes.

    Its headings are `below` levels lower than they say; 0 for a whole page.
    """
    tokens = _MARKDOWN.parse(text)
    for token in tokens:
        token.attrs.pop("style", None)
        token.children = token.children and _without_documents(token.children)
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(_LOWEST, int(token.tag[1:]) + below)}"
    html: str = _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})
    return mark_safe(html)


@register.filter
def sections(text: str) -> tuple[str, list[tuple[str, str]]]:
    """What stands before the first section of a document in Markdown, and each section with its title."""
    before, *parts = text.split("\n## ")
    return before, [(title, section) for title, _, section in (part.partition("\n") for part in parts)]


def _without_documents(tokens: Iterable[Token]) -> list[Token]:
    """A link to another document gives its words alone."""
    found: list[Token] = []
    inside = False
    for token in tokens:
        if token.type == "link_open":
            inside = _DOCUMENT.fullmatch(str(token.attrs["href"])) is not None
        if not (inside and token.type in ("link_open", "link_close")):
            found.append(token)
    return found
