"""`{% figure figure base query %}` puts a figure in a page, with its table and files."""

from urllib.parse import urlencode

from django import template
from django.template import Context
from django.template.loader import render_to_string
from django.utils.html import json_script
from django.utils.safestring import SafeString

from playtest.insight import figures
from playtest.insight.scope import Scope
from playtest.insight.tables.protocols import Protocols
from playtest.studio.models import Version

register = template.Library()
_NONE = Protocols()


@register.simple_tag
def figure_assets() -> SafeString:
    """The style sheet and script of a page with figures, for its head."""
    return SafeString(render_to_string("insight/figures/assets.html"))


@register.simple_tag(takes_context=True)
def figure(
    context: Context,
    figure: figures.Figure,
    base: str,
    query: str = "",
    *,
    protocols: Protocols = _NONE,
    live: bool = False,
    heading: int = 2,
    folded: bool = False,
) -> SafeString:
    """The figure with heading, caption, drawing, table and links.

    `base` is the figure's address without extension, `query` that of the scope. `protocols` are those of its
    sessions. `live` lets the page poll the figure, `heading` is the level of its heading; `folded`: under it
    until it is opened. A link to the figure names the version that the page shows, and its data whether the
    page's scope counts an undo.
    """
    parameters = f"?{query}" if query else ""
    scope = context.get("scope")
    actions = scope.undo if isinstance(scope, Scope) else ""
    parts = {
        "figure": figure,
        "key": f"figure-{figure.name}",
        "height": figures.height_of(figure),
        "data": json_script(figures.figure_document(figure, protocols, actions)),
        "json": f"{base}.json{parameters}",
        "csv": f"{base}.csv{parameters}",
        "pinned": _pinned(context.get("version"), query),
        "tag": figures.tag_of(figure, protocols, actions) if live else "",
        "live": live,
        "heading": heading,
        "folded": folded,
        "columns": _columns(figure),
        "table": figures.table_rows(figure),
    }
    return SafeString(render_to_string("insight/figures/figure.html", parts))


@register.inclusion_tag("insight/figures/table.html")
def figure_table(figure: figures.Figure) -> dict[str, object]:
    """The rows of a figure without its drawing."""
    return {
        "figure": figure,
        "columns": _columns(figure),
        "table": figures.table_rows(figure),
        "label": figure.title,
    }


def _columns(figure: figures.Figure) -> list[tuple[figures.Column, bool]]:
    """The columns that the table shows, and whether each has numbers."""
    return [
        (column, figures.is_numeric(figure, index))
        for index, column in enumerate(figure.columns)
        if column.name != figures.HREF.name
    ]


def _pinned(version: object, query: str) -> str:
    """The query of an address that shows the same figure when there is a newer version."""
    if not isinstance(version, Version) or "version=" in query:
        return query
    return "&".join(filter(None, [urlencode({"version": version.digest}), query]))
