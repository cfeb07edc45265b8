"""Figures on the server: tables, files, and colours that everybody can tell apart."""

import csv
import io
import json
import re
from html.parser import HTMLParser
from itertools import combinations, product
from pathlib import Path

import pytest
from django.http import Http404
from django.template import engines
from django.test import RequestFactory

from playtest.insight.figures import HREF, Column, Figure, columns, figure_response, table_rows
from playtest.insight.tables.protocols import Protocols
from playtest.insight.tables.version import OUTCOME_LABELS
from tests.insight import gallery, samples

RULES = Path("static/insight/figures.css")
OUTCOMES = tuple(OUTCOME_LABELS)
PATTERNED = {"tries_used", "left_at_once", "session_over", "ended_by_staff", "fault", "open"}


def figure(**changes: object) -> Figure:
    given: dict[str, object] = {
        "name": "sample",
        "kind": "bars",
        "title": "Two of three <people> solve it",
        "caption": "Everyone real.",
        "columns": (Column("label", "Environment"), Column("value", "Share", "%"), HREF),
        "rows": [("a & b", 12.345, "/staff/?a=1&b=2"), ("c", None, None), ("d", float("nan"), None)],
        "empty": "Nothing yet.",
    }
    return Figure(**(given | changes))  # type: ignore[arg-type]


def shown(figure: Figure, arguments: str = "") -> str:
    template = (
        '{% load figures %}{% figure figure "/page/figures/sample" "study=3&excluded=with" ' + arguments
    )
    return engines["django"].from_string(template + " %}").render({"figure": figure})


class Cells(HTMLParser):
    """Collects the exact values of a table's cells, by rows."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            self.rows.append([])
        if tag == "td":
            self.rows[-1].append(dict(attrs)["data-value"] or "")


@pytest.mark.parametrize("kind", [make.__name__ for make in samples.PLAIN])
def test_the_csv_has_the_rows_of_the_table(kind: str) -> None:
    (sample,) = gallery.figures(kind)
    (head, *rows) = csv.reader(io.StringIO(sample.as_csv()))
    assert rows == Cells(shown(sample)).rows[1:]
    assert HREF.name not in head


def test_what_a_figure_assumes_is_in_its_caption_its_json_and_its_csv() -> None:
    sample = figure(assumes="Each is another person.")
    assert sample.described.endswith(" Each is another person.")
    assert sample.as_json()["assumes"] == "Each is another person."
    head, *rows = csv.reader(io.StringIO(sample.as_csv()))
    assert head[-1] == "assumes"
    assert {row[-1] for row in rows} == {"Each is another person."}


def test_the_csv_has_no_formulas_and_negative_numbers_stay_numbers() -> None:
    rows = [("=HYPERLINK(1)", -3.5, None), ("-3", -7, None)]
    assert figure(rows=rows).as_csv().splitlines()[1:] == ["'=HYPERLINK(1),-3.5", "-3,-7"]


def test_a_table_links_its_rows_and_escapes_their_text() -> None:
    page = shown(figure())
    assert '<td data-value="a &amp; b"><a href="/staff/?a=1&amp;b=2">a &amp; b</a></td>' in page
    assert '<td class="number" data-value="12.345">12</td>' in page
    assert '<th scope="col" class="number">Share (%)</th>' in page
    assert "Two of three &lt;people&gt; solve it</h2>" in page
    assert 'href="/page/figures/sample.csv?study=3&amp;excluded=with"' in page


def test_a_folded_figure_says_its_title_once_and_keeps_it_as_its_name() -> None:
    page = shown(figure(), "folded=True")
    title = '<summary><h2 id="figure-sample-title">Two of three &lt;people&gt; solve it</h2></summary>'
    assert page.startswith(f'<details class="part">{title}')
    assert (page.count("solve it</h"), page.count('-title"')) == (1, 2)
    assert page.rstrip().endswith("</details>")


def test_the_numbers_of_a_column_have_as_many_digits_as_each_other() -> None:
    def cells(*values: float | None) -> list[str]:
        found = Figure("sample", "table", "", columns("value Time [minutes]"), [(one,) for one in values])
        return re.findall(r">([^<>]+)</td>", table_rows(found))

    assert cells(0.5, 12.25, None) == ["0.5", "12.2", "\N{EN DASH}"]
    assert cells(1234.5, 0.04) == ["1,234", "&lt; 1"]
    assert cells(0.00001, 0.25) == ["&lt; 0.001", "0.250"]
    assert cells(1234, 7.0) == ["1,234", "7"]


def test_a_missing_number_is_a_gap_in_every_format() -> None:
    assert [row["value"] for row in figure().as_json()["rows"]] == [12.345, None, None]
    assert figure().as_csv().splitlines()[3] == "d,"


def test_an_empty_figure_explains_what_it_will_show() -> None:
    page = shown(figure(rows=[]))
    assert '<p class="empty" data-when="empty">Nothing yet.</p>' in page
    assert page.count('data-when="drawn" hidden') == 2


def test_only_a_live_figure_carries_its_tag() -> None:
    tag = figure_response(RequestFactory().get("/"), figure(), "json", Protocols())["ETag"]
    assert " live data-tag=" not in shown(figure())
    assert f' live data-tag="{tag.replace(chr(34), "&quot;")}"' in shown(figure(), "live=True heading=3")


def test_a_figure_answers_with_its_etag_and_304_if_unchanged() -> None:
    first = figure_response(RequestFactory().get("/"), figure(), "json", Protocols())
    assert json.loads(first.content)["table"].startswith("<tr><td")  # type: ignore[attr-defined]
    again = RequestFactory().get("/", headers={"if-none-match": first["ETag"]})
    assert figure_response(again, figure(), "json", Protocols()).status_code == 304
    assert figure_response(again, figure(rows=[("a", 1, None)]), "json", Protocols()).status_code == 200
    assert figure_response(again, figure(title="Another"), "json", Protocols()).status_code == 200
    assert figure_response(again, figure(), "json", Protocols(), actions="undo counted").status_code == 200


def test_a_figure_is_a_csv_file_and_no_other_format() -> None:
    response = figure_response(RequestFactory().get("/"), figure(), "csv", Protocols())
    assert response["Content-Disposition"] == 'attachment; filename="sample.csv"'
    with pytest.raises(Http404):
        figure_response(RequestFactory().get("/"), figure(), "xml", Protocols())


def colours_of(scheme: str) -> dict[str, str]:
    """The colours of a scheme in figures.css by their names, with the edge and the ink of each group."""
    found = {}
    for name, light, dark in re.findall(
        r"--([\w-]+): (?:light-dark\()?(#\w{6})(?:, (#\w{6})\))?;", RULES.read_text()
    ):
        found[name] = dark if dark and scheme == "dark" else light
    groups = [f"outcome-{name}" for name in OUTCOMES] + [f"series-{index}" for index in range(1, 7)]
    edges, inks = ({f"{name}-edge": found[name] for name in groups}, dict.fromkeys(groups, "#000000"))
    return edges | {f"{name}-ink": ink for name, ink in inks.items()} | found


def contrasts(dark: bool) -> dict[str, tuple[float, ...]]:
    """The colours of a scheme as linear red, green and blue."""
    return {
        name: tuple(linear(int(code[at : at + 2], 16)) for at in (1, 3, 5))
        for name, code in colours_of("dark" if dark else "light").items()
    }


def linear(part: int) -> float:
    share = part / 255
    return share / 12.92 if share <= 0.04045 else float(((share + 0.055) / 1.055) ** 2.4)


def luminance(colour: tuple[float, ...]) -> float:
    return 0.2126 * colour[0] + 0.7152 * colour[1] + 0.0722 * colour[2]


def contrast(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    dim, bright = sorted((luminance(one), luminance(other)))
    return (bright + 0.05) / (dim + 0.05)


@pytest.mark.parametrize("dark", [False, True])
def test_colours_have_contrast_with_the_page_the_text_and_each_other_in_grey(dark: bool) -> None:
    found = contrasts(dark)
    groups = [f"outcome-{name}" for name in OUTCOMES] + [f"series-{index}" for index in range(1, 7)]
    faint = [name for name in groups if contrast(found[f"{name}-edge"], found["paper"]) < 3]
    unreadable = [name for name in groups if contrast(found[f"{name}-ink"], found[name]) < 4.5]
    plain = [f"outcome-{name}" for name in OUTCOMES if name not in PATTERNED]
    alike = [pair for pair in combinations(plain, 2) if contrast(found[pair[0]], found[pair[1]]) < 1.5]
    assert (faint, unreadable, alike) == ([], [], [])
    assert all(contrast(found[ink], found["paper"]) >= 4.5 for ink in ("ink", "ink-soft"))


def test_a_missing_number_stands_where_the_numbers_of_its_column_do() -> None:
    rows = str(table_rows(samples.bars()))
    assert rows.count('<td class="number" data-value="">') == 2


ROOT = Path(__file__).parents[2] / "static" / "insight"
LEAST = 18
"""Distance of two colours in CIELAB; from about 10 on they differ at a glance."""
type Triple = tuple[float, float, float]

SIGHT: dict[str, tuple[Triple, Triple, Triple]] = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.1523, 1.0526, -0.2049), (0.1145, 0.7863, 0.0992), (-0.0039, -0.0481, 1.0520)),
    "deuteranopia": ((0.3673, 0.8606, -0.2280), (0.2801, 0.6725, 0.0474), (-0.0118, 0.0429, 0.9689)),
    "tritanopia": ((1.2555, -0.0767, -0.1788), (-0.0784, 0.9308, 0.1476), (0.0047, 0.6914, 0.3039)),
}
"""What is seen of linear red, green and blue (Machado, Oliveira and Fernandes 2009, severity 1)."""


def colours(scheme: str, kind: str) -> dict[str, str]:
    """The colours of "outcome" or "series" by group."""
    found = colours_of(scheme)
    return {
        name.removeprefix(f"{kind}-"): code
        for name, code in found.items()
        if re.fullmatch(rf"{kind}-\w+", name)
    }


def patterns() -> dict[str, str]:
    """The patterns of outcomes that have one."""
    (listed,) = re.findall(r"OUTCOME_PATTERNS = \{(.*?)\};", (ROOT / "styles.js").read_text(), re.DOTALL)
    return dict(re.findall(r'(\w+): "(\w+)"', listed))


def seen(colour: str, sight: tuple[Triple, Triple, Triple]) -> Triple:
    """A colour in CIELAB as this sight has it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    red, green, blue = (
        min(1.0, max(0.0, sum(a * b for a, b in zip(row, linear, strict=True)))) for row in sight
    )
    x, y, z = (
        one ** (1 / 3) if one > 0.008856 else 7.787 * one + 16 / 116
        for one in (
            (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505,
            0.2126 * red + 0.7152 * green + 0.0722 * blue,
            (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089,
        )
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(one: str, other: str, sight: tuple[Triple, Triple, Triple]) -> float:
    pairs = zip(seen(one, sight), seen(other, sight), strict=True)
    return float(sum((a - b) ** 2 for a, b in pairs) ** 0.5)


@pytest.mark.parametrize(("scheme", "kind"), product(("light", "dark"), ("outcome", "series")))
def test_two_groups_of_one_pattern_have_colours_that_nobody_confuses(scheme: str, kind: str) -> None:
    found, pattern = colours(scheme, kind), patterns()
    assert len(found) >= 6
    close = [
        (one, other, name)
        for (one, other), (name, sight) in product(combinations(found, 2), SIGHT.items())
        if pattern.get(one) == pattern.get(other) and distance(found[one], found[other], sight) < LEAST
    ]
    assert close == []
