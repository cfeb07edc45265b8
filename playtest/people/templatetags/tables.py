"""Tables of staff templates: headings from one line, cells with numbers, links that may be missing."""

from collections.abc import Sequence
from typing import Any

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString

from playtest.rules.text import counted, persons

register = template.Library()
_DASH = "–"  # noqa: RUF001
_UNKNOWN = object()


@register.simple_block_tag
def table(content: str, name: str = "", label: str = "", kind: str = "") -> SafeString:
    """Headings, separated by "|", and rows, from the first `<tr` on, as a table.

    A heading that ends in "#" is of numbers, one that ends in "!" sorts nothing, one that begins with "~" is
    for screen readers alone. With a `name` the table is sorted in the browser. `label` says what is in it.
    """
    headings, begin, rows = content.partition("<tr")
    made = format_html(
        '<div class="table" tabindex="0"{}><table{}><thead><tr>{}</tr></thead>'
        "<tbody>{}</tbody></table></div>",
        format_html(' role="region" aria-label="{}"', label) if label else "",
        format_html(' class="{}"', kind) if kind else "",
        SafeString("".join(_heading(one.strip()) for one in headings.split("|"))),
        SafeString(begin + rows),
    )
    return format_html('<sortable-table name="{}">{}</sortable-table>', name, made) if name else made


def _heading(text: str) -> str:
    attributes = {"#": ' class="number"', "!": " data-unsortable"}.get(text[-1:], "")
    label = text.rstrip("#!").lstrip("~").strip()
    shown = f'<span class="visually-hidden">{label}</span>' if text.startswith("~") else label
    return f'<th scope="col"{attributes}>{shown}</th>'


@register.simple_tag
def num(
    value: Any, data: Any = _UNKNOWN, *, href: str | None = None, small: str = "", of: object = True
) -> SafeString:
    """A cell with a number, or a dash where there is none; sorted by `data`.

    A number that is not 0 leads to `href`. Beside it stands `small`, with `of` for "{}", unless `of` is
    nothing.
    """
    sorted_by = "" if data is _UNKNOWN else format_html(' data-value="{}"', "" if data is None else data)
    shown = link(href if value else None, _DASH if value in (None, "") else value)
    beside = format_html(" <small>{}</small>", format_html(small, of)) if small and of else ""
    return SafeString(f'<td class="number"{sorted_by}>{shown}{beside}</td>')  # of parts that are safe


@register.filter
def cells(row: Sequence[object]) -> SafeString:
    """The cells of a row of a long table: its heading, then numbers, each a dash where there is none."""
    heading, *numbers = (conditional_escape(str(one)) for one in row)
    rest = (f'<td class="number">{one or _DASH}</td>' for one in numbers)
    return SafeString(f'<th scope="row" class="wide">{heading}</th>{"".join(rest)}')  # of escaped parts


@register.simple_tag
def link(href: str | None, text: object, hidden: str = "") -> SafeString:
    """The text, as a link if there is an address; `hidden` is read after it to those who do not see."""
    more = format_html('<span class="visually-hidden"> {}</span>', hidden) if hidden else ""
    shown = format_html("{}{}", text, more) if more else conditional_escape(str(text))
    return format_html('<a href="{}">{}</a>', href, shown) if href else shown


@register.simple_tag(takes_context=True)
def scoped(context: Context, name: str, *arguments: object, query: str | None = None) -> str:
    """The address of a page, with this query or that of the page that leads to it (`query`)."""
    chosen = context.get("query") if query is None else query
    return reverse(name, args=arguments) + (f"?{chosen}" if chosen else "")


@register.simple_tag(takes_context=True)
def button(
    context: Context, text: str, name: str, *arguments: object, query: str | None = None
) -> SafeString:
    """A link to a page as `scoped` writes its address, which looks like a button."""
    address = scoped(context, name, *arguments, query=query)
    return format_html('<a role="button" class="secondary outline" href="{}">{}</a>', address, text)


@register.simple_tag
def watch(href: str, text: str, hidden: str = "", *values: object) -> SafeString:
    """A small button that leads to a replay; `hidden`, with `values` for "{}", says of what."""
    return format_html(
        '<a role="button" class="secondary outline small-button" href="{}">'
        '<span aria-hidden="true">&#9654;</span> {}<span class="visually-hidden"> {}</span></a>',
        href, text, format_html(hidden, *values) if values else hidden,
    )  # fmt: skip


@register.filter
def in_seconds(value: float | None) -> str:
    """41 s; a dash for None."""
    return _DASH if value is None else f"{value:.0f} s"


register.filter("people", persons)
register.filter("counted", counted)
