"""The table of environments: as rows of the page, each with a small drawing, and as a file."""

from collections import Counter

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from playtest.insight.figures import Figure, table
from playtest.insight.figures import Row as Values
from playtest.insight.figures.cells import Cell
from playtest.insight.tables.portfolio import Row
from playtest.people.templatetags.staff import controls, minutes_as_time
from playtest.rules.acceptance import Gate
from playtest.rules.pipeline import Stage
from playtest.studio.pictures import picture_and_id

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


def both_kinds(rows: list[Row]) -> bool:
    """Whether there are programs and static tasks, so that each has to say which it is."""
    return len({row.environment.kind for row in rows}) > 1


def cells(
    row: Row, environments_at: str, query: str, attempts_at: str, *, with_kind: bool
) -> tuple[Cell, ...]:
    """A row of the page. `query` begins with "?"; `attempts_at` lacks the environment's id."""
    name, verdict = row.environment.code, row.verdict
    address = f"{environments_at}{name}/"
    attempts = f"{attempts_at}{row.environment.pk}" if attempts_at and row.attempts else None
    solved = "–" if row.solved is None else f"{row.solved:.0%}"  # noqa: RUF001
    minutes = "–" if row.minutes is None else minutes_as_time(row.minutes)  # noqa: RUF001
    return (
        Cell(
            picture_and_id(name, row.version.digest),
            href=f"{address}{query}",
            tip=f"Version {row.version.digest[:8]}",
        ),
        Cell(_title(row, f"{address}{query}", with_kind=with_kind), "wide", value=row.environment.title),
        Cell(NOT_YET if _not_yet(row) else GATE_LABELS[verdict.gate], tip=verdict.sentence),
        Cell(f"{verdict.people} / {row.target}", "number", value=verdict.people),
        Cell(solved, "number", value="" if row.solved is None else row.solved),
        Cell(minutes, "number", value="" if row.minutes is None else row.minutes),
        _hardest(row),
        Cell(completion_spark(row)),
        Cell(row.version.levels, "number"),
        Cell(controls(row.version.available_actions), "wide"),
        Cell(row.attempts, "number", href=attempts, of=f"attempts on {name}"),
        Cell("Baseline", href=f"{address}baseline/{query}", of=f"of {name}")
        if row.version.kind.has_levels
        else Cell(""),
    )


def _title(row: Row, page: str, *, with_kind: bool) -> str:
    """The title, of what kind it is, and a link to wrong outputs that people agree on."""
    kind = (row.environment.kind.terms.tag or row.environment.kind) if with_kind else ""
    parts = [format_html("{}", row.environment.title), format_html("<small>{}</small>", kind) if kind else ""]
    if row.ambiguous:
        first = row.ambiguous[0]
        parts.append(
            format_html(
                '<a class="tag bad" href="{}#wrong-{}" title="{}">ambiguous'
                '<span class="visually-hidden">: wrong outputs of {}</span></a>',
                page,
                first.pair,
                " ".join(one.sentence for one in row.ambiguous),
                row.environment.code,
            )
        )
    return format_html_join(" ", "{}", ((part,) for part in parts if part))


def _hardest(row: Row) -> Cell:
    if not row.hardest:
        return Cell("–", "number", value="")  # noqa: RUF001
    first = row.hardest[0]
    if len(row.hardest) > 1:
        levels = ", ".join(str(facts.level) for facts in row.hardest)
        return Cell(
            format_html("{} <small>lost {} each</small>", levels, first.lost), "number", value=first.level
        )
    text = format_html("{} <small>lost {} of {}</small>", first.level, first.lost, first.reached)
    return Cell(text, "number", value=first.level)


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
        "ambiguous_pairs Test pairs where people agree on a wrong output" + "".join(levels),
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
        *shares,
        *[None] * (most_levels - len(shares)),
    )
