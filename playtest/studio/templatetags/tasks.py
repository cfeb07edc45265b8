"""Pictures of a task's grids, drawn as SVG in the ten official colours."""

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from engine.play.frames import PALETTE
from engine.tasks.grids import PALETTE_OF_COLOURS, Grid, size_of

register = template.Library()

_LARGEST_PIXELS, _LARGEST_CELL = 240, 24


@register.simple_tag
def task_grid(grid: Grid, name: str) -> SafeString:
    """A grid as a picture with its size beside it: rows, then columns. `name` says which grid it is."""
    height, width = size_of(grid)
    cell = min(_LARGEST_CELL, _LARGEST_PIXELS // max(height, width))
    colours = format_html_join(
        "",
        '<path fill="#{}" data-colour="{}" d="{}"/>',
        (
            (PALETTE[PALETTE_OF_COLOURS[colour]], PALETTE_OF_COLOURS[colour], path)
            for colour, path in sorted(_paths(grid).items())
        ),
    )
    return format_html(
        '<figure class="task-grid"><svg role="img" aria-label="{}, {} rows of {} cells" '
        'width="{}" height="{}" viewBox="0 0 {} {}"><path fill="#555" d="M0 0h{}v{}h-{}z"/>{}</svg>'
        "<figcaption>{} × {}</figcaption></figure>",  # noqa: RUF001
        name,
        *(height, width),
        *(width * cell, height * cell),
        *(width, height),
        *(width, height, width),
        colours,
        *(height, width),
    )


def _paths(grid: Grid) -> dict[int, str]:
    """By colour the outlines of its cells, a little smaller than a cell so that a grid shows between them."""
    paths: dict[int, list[str]] = {}
    for y, row in enumerate(grid):
        for x, colour in enumerate(row):
            paths.setdefault(colour, []).append(f"M{x}.03 {y}.03h.94v.94h-.94z")
    return {colour: "".join(cells) for colour, cells in paths.items()}
