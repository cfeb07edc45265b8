"""The table of environments: what it says in words and small drawings, and as a file."""

from collections import Counter

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from playtest.insight.figures import Figure, table
from playtest.insight.figures import Row as Values
from playtest.insight.tables.portfolio import Row
from playtest.people.templatetags.staff import controls
from playtest.rules.acceptance import Gate
from playtest.rules.pipeline import Stage

GATE_LABELS = {
    Gate.PASSED: "passed",
    Gate.NEEDS_PEOPLE: "needs people",
    Gate.BACK: "back to its developer",
}
_GATE_LABELS_PLURAL = {
    Gate.PASSED: "passed",
    Gate.NEEDS_PEOPLE: "need people",
    Gate.BACK: "back to their developers",
}


NOT_YET = "not yet in External"
"""The gate of an environment whose stage is before External and that nobody has played."""


def gate_summary(rows: list[Row]) -> str:
    """Counts by result of the gate: "12 passed, 1 needs people, 45 not yet in External"."""
    counts = Counter(row.verdict.gate for row in rows if not _not_yet(row))
    parts = [
        f"{count} {(GATE_LABELS if count == 1 else _GATE_LABELS_PLURAL)[gate]}"
        for gate in Gate
        if (count := counts[gate])
    ]
    if waiting := sum(map(_not_yet, rows)):
        parts.append(f"{waiting} {NOT_YET}")
    return ", ".join(parts)


def _not_yet(row: Row) -> bool:
    """Whether nobody counts because the environment is not yet in External."""
    return row.verdict.people == 0 and row.environment.stage in (Stage.SPECIFICATION, Stage.INTERNAL)


_WIDTH, _HEIGHT, _MARGIN = 96, 24, 3


def completion_spark(row: Row) -> SafeString:
    """One bar for each level: the share of those who reached level 1 that completed it."""
    if not row.completion:
        return mark_safe('<span class="spark muted" title="No attempts">–</span>')  # noqa: RUF001
    step, bottom = (_WIDTH - 2 * _MARGIN) / len(row.completion), _HEIGHT - _MARGIN
    path = "".join(
        f"M{round(_MARGIN + index * step, 2)},{bottom}"
        f"v{-max(round((_HEIGHT - 2 * _MARGIN) * share, 2), 0.5)}h{round(step * 0.8, 2)}V{bottom}z"
        for index, share in enumerate(row.completion)
    )
    return format_html(
        '<svg class="spark" role="img" aria-label="Completed by level: {}" viewBox="0 0 {} {}" width="{}"'
        ' height="{}"><path d="{}"/></svg>',
        ", ".join(f"{share:.0%}" for share in row.completion), _WIDTH, _HEIGHT, _WIDTH, _HEIGHT, path,
    )  # fmt: skip


def gate_label(row: Row) -> str:
    return NOT_YET if _not_yet(row) else GATE_LABELS[row.verdict.gate]


def waived(row: Row) -> str:
    """What the environment goes without at its gates, and why."""
    return " ".join(f"Waived: {one.what}. {one.reason}" for one in row.waivers)


def table_figure(rows: list[Row]) -> Figure:
    """The table as a file: shares in percent, with one column for each level."""
    most_levels = max((row.version.levels for row in rows), default=0)
    levels = [f" | completed_{level}_percent Level {level} [%]" for level in range(1, most_levels + 1)]
    return table(
        "environments",
        "Environments",
        "environment Environment | title Title | kind Kind | version Version | levels Levels | "
        "controls Controls | attempts_begun Attempts begun | people_counted People counted | "
        "people_solved People who solved it | solved_percent Solved [%] | "
        "median_minutes Median time [minutes] | "
        "hardest_level First level that lost most people | gate Gate | "
        "ambiguous_pairs Test pairs where people agree on a wrong output | waived Waived at its gates"
        + "".join(levels),
        [_values(row, most_levels) for row in rows],
    )


def _values(row: Row, most_levels: int) -> Values:
    shares = [100 * share for share in row.completion]
    return (
        row.environment.code,
        row.environment.title,
        row.environment.kind,
        row.version.digest,
        row.version.levels,
        controls(row.version.available_actions),
        row.attempts,
        row.verdict.people,
        row.verdict.solvers,
        None if row.solved is None else 100 * row.solved,
        row.minutes,
        row.hardest[0].level if row.hardest else None,
        row.verdict.gate,
        " ".join(str(one.pair) for one in row.ambiguous),
        waived(row),
        *shares,
        *[None] * (most_levels - len(shares)),
    )
