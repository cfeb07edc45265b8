"""The table of a study's progress by environment."""

from collections.abc import Iterable

from django.utils.html import format_html
from django.utils.safestring import SafeString

from playtest.insight.figures.tables import Cell, table_rows
from playtest.insight.study.links import StudyLinks
from playtest.insight.study.results import Progress
from playtest.studio.pictures import picture_and_id


def progress_table(
    rows: Iterable[Progress], links: StudyLinks, target: int, *, with_excluded: bool
) -> SafeString:
    """A row for each environment, with the people counted towards the study's target."""
    return table_rows(_cells(row, links, target, with_excluded) for row in rows)


def _cells(row: Progress, links: StudyLinks, target: int, with_excluded: bool) -> list[Cell]:
    title = row.title
    if not row.in_pool:
        title = format_html('{} <span class="tag">not in the pool</span>', row.title)
    attempts = links.attempts(environment=row.pk) if row.counted else None
    excluded = [Cell(row.excluded, "number")] if with_excluded else []
    bar = format_html(
        '<progress class="progress" max="{}" value="{}" aria-label="Counted people on {}"></progress>',
        target, row.counted, row.code,
    )  # fmt: skip
    return [
        Cell(picture_and_id(row.code, row.digest), href=links.environment(row.code)),
        Cell(title, "wide"),
        Cell(row.counted, "number", href=attempts, of=f"attempts on {row.code}"),
        Cell(row.in_progress, "number"),
        Cell(row.solved, "number"),
        *excluded,
        Cell(bar),
    ]
