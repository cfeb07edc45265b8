"""Renders notes that staff write in Markdown as safe HTML."""

from django import template
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

LEVELS_BELOW_THE_PAGE = 2
"""A note's headings are below the two levels of the page."""
_LOWEST = 6

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
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(_LOWEST, int(token.tag[1:]) + below)}"
    html: str = _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})
    return mark_safe(html)
