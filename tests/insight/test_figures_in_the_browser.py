"""Figures of every type in a real browser: CSP, keyboard, files and updates."""

import io
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from playwright.sync_api import Browser, Page, Route, expect

from playtest.insight.figures import Figure, figure_json, tag_of
from playtest.insight.tables.protocols import Protocols
from tests.accessibility import violations
from tests.browsing import ORIGIN, browse, settled
from tests.insight import gallery

pytestmark = pytest.mark.urls("tests.insight.gallery")

type Ask = Callable[[str, Any], Any]

NARROW = {"width": 390, "height": 800}


def opened(page: Page, names: str = "", options: str = "") -> Page:
    page.goto(f"{ORIGIN}/gallery/?figures={names}{options}")
    return settled(page)


@pytest.fixture(autouse=True)
def browsing(request: pytest.FixtureRequest) -> None:
    if "page" in request.fixturenames:
        browse(request.getfixturevalue("page"), Client())


def drawing(page: Page, name: str) -> Any:
    return page.locator(f"#figure-{name} svg.plot")


def test_figures_of_every_type_draw_without_errors_and_fit_a_narrow_screen(page: Page) -> None:
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.set_viewport_size(NARROW)  # type: ignore[arg-type]
    opened(page)
    wanted = [figure for figure in gallery.figures("") if figure.rows]
    figures = page.locator("insight-figure:has(svg.plot)")
    expect(figures).to_have_count(len(wanted))
    drawn = figures.evaluate_all("(all) => all.map(({ id }) => id)")
    assert drawn == [f"figure-{figure.name}" for figure in wanted]
    for name, said_of_it in (
        ("histogram", "as long as the median person: 9"),
        ("histogram-one", "beyond: 12"),
    ):
        expect(drawing(page, name).locator(f'line[data-tip="{said_of_it}"]')).to_have_count(1)
    expect(page.locator("#figure-funnel-none .empty")).to_be_visible()
    expect(page.locator("#figure-funnel-none .below")).to_be_hidden()
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert unlike_their_room(page) == []
    assert said == []


def test_figures_are_accessible(page: Page) -> None:
    opened(page, "funnel,incidence,strip,heat-few")
    page.locator("summary").first.click()
    assert violations(page) == []
    funnel = page.get_by_role("figure", name="Four of twelve people completed every level Everyone real")
    expect(funnel).to_have_attribute("aria-details", "figure-funnel-table")
    expect(drawing(page, "heat-few")).to_have_role("img")


def test_a_printed_page_is_light_and_has_no_buttons(page: Page) -> None:
    page.emulate_media(media="print", color_scheme="dark")
    opened(page, "funnel")
    expect(page.locator("#figure-funnel .files")).to_be_hidden()
    expect(page.locator("#figure-funnel summary")).to_be_hidden()
    ink = drawing(page, "funnel").evaluate("(svg) => getComputedStyle(svg).color")
    assert ink == "rgb(31, 31, 31)"


def test_marks_are_links_reached_by_one_tab_stop_and_arrow_keys(page: Page) -> None:
    opened(page, "funnel,strip")
    expect(drawing(page, "strip").locator('a[tabindex="0"]')).to_have_count(1)
    drawing(page, "funnel").locator('a[tabindex="0"]').focus()
    page.keyboard.press("ArrowRight")
    focused = page.locator(":focus")
    expect(focused).to_have_attribute("aria-label", "Level 1, gave up: 1 person, 8 % of 12: to the attempts")
    expect(page.locator("#figure-funnel .tip")).to_have_text(re.compile("^Level 1, gave up"))
    page.keyboard.press("ArrowDown")
    expect(focused).to_have_attribute("aria-label", re.compile("^Level 2, "))
    page.keyboard.press("Tab")
    expect(page.locator("#figure-funnel summary")).to_be_focused()
    drawing(page, "strip").locator("a").first.focus()
    expect(focused).to_have_attribute(
        "aria-label", re.compile(r"^P-\w{4}, level 1, \d+ actions: to the replay$")
    )
    with page.expect_request(re.compile(r"/staff/attempts/\d+/")):
        page.keyboard.press("Enter")


def saved(page: Page, name: str, kind: str) -> bytes:
    with page.expect_download() as download:
        page.locator(f"#figure-{name} [data-file={kind}]").click()
    assert download.value.suggested_filename == f"{name}.{kind}"
    return download.value.path().read_bytes()


def test_a_figure_is_saved_as_png_and_svg_in_the_chosen_colours(page: Page) -> None:
    opened(page, "funnel,heatmap")
    said = '<p id="population"><span>Of actions, undo counted.</span></p>'
    page.evaluate("said => document.body.insertAdjacentHTML('beforeend', said)", said)
    for scheme, paper, name in (("light", (255, 255, 255), "heatmap"), ("dark", (20, 20, 20), "funnel")):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        picture = Image.open(io.BytesIO(saved(page, name, "png"))).convert("RGB")
        box = drawing(page, name).bounding_box()
        assert picture.getpixel((0, 0)) == paper
        assert len(picture.getcolors(1 << 24) or []) > 20
        text = saved(page, name, "svg")
        heading = [
            (line.get("font-weight"), line.text or "")
            for line in ElementTree.fromstring(text)
            if line.tag.endswith("}text")
        ]
        assert (
            " ".join(line for weight, line in heading if weight == "700")
            == page.locator(f"#figure-{name}-title").inner_text()
        )
        source = "Gallery · Of actions, undo counted."  # whose results these are, and of what
        assert " ".join(line for weight, line in heading if weight == "400") == source
        assert picture.size == (2 * (box["width"] + 24), 2 * (box["height"] + 24 + 20 * len(heading)))
        assert not re.search(rb"var\(|<a |<style|class=|currentColor", text)
        assert b"<title>" in text
        if name == "heatmap":
            assert picture.getpixel((100, 1000)) != paper  # the frame under the cells


def answers(page: Page, states: list[Figure | None]) -> list[str | None]:
    """Answers the next requests with these states (None: no answer); returns the list of sent ETags."""
    asked: list[str | None] = []

    def answer(route: Route) -> None:
        asked.append(tag := route.request.headers.get("if-none-match"))
        state = states.pop(0)
        if state is None:
            route.abort()
        elif tag == tag_of(state, Protocols()):
            route.fulfill(status=304)
        else:
            route.fulfill(
                body=figure_json(state, Protocols()),
                content_type="application/json",
                headers={"ETag": tag_of(state, Protocols())},
            )

    page.route(f"{ORIGIN}/gallery/figures/**", answer)
    return asked


def test_a_live_figure_polls_while_it_is_visible_and_changes_in_place(page: Page) -> None:
    (before,) = gallery.figures("strip")
    after = Figure(
        **{
            **vars(before),
            "title": "Now with one more",
            "rows": [(1, 7, "P-NEW2", "/staff/attempts/99/"), *before.rows],
        }
    )
    asked = answers(page, [before, None, after])
    page.clock.install(time=0)
    page.clock.pause_at(1)
    opened(page, "strip", "&live")
    dot = drawing(page, "strip").locator("a").nth(1)
    dot.focus()
    name = dot.get_attribute("aria-label")
    first = drawing(page, "strip").element_handle()

    def until_asked(times: int) -> None:
        """The clock goes on only when nothing is on its way: a busy machine is slow to hear a request."""
        while len(asked) < times:
            for _ in range(50):
                page.wait_for_timeout(20)
                if len(asked) >= times:
                    return
            page.clock.run_for(5000)

    until_asked(1)
    expect(page.locator(".state")).to_be_hidden()
    until_asked(2)
    expect(page.locator(".state")).to_contain_text("the server did not answer")
    assert first.is_visible()
    page.evaluate(
        "Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })"
    )
    page.clock.run_for(20_000)
    assert asked == [tag_of(before, Protocols())] * 2
    page.evaluate("delete document.visibilityState")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    until_asked(3)
    expect(page.get_by_role("heading", name="Now with one more")).to_be_visible()
    expect(page.locator(".state")).to_be_hidden()
    expect(page.locator("tbody tr")).to_have_count(len(after.rows))
    expect(page.locator(":focus")).to_have_attribute("aria-label", name)
    expect(drawing(page, "strip").locator("a")).to_have_count(len(after.rows))


@pytest.fixture(scope="module")
def ask(browser: Browser) -> Iterator[Ask]:
    """`ask(expression, given)` with what beeswarm.js, direct-labels.js and arrow-keys.js export."""
    page = browser.new_page()
    browse(page, Client())
    page.goto(f"{ORIGIN}/static/insight/beeswarm.js")

    def evaluate(expression: str, given: Any) -> Any:
        script = f"""async (given) => {{
            const {{ beeswarm, spread }} = await import("/static/insight/beeswarm.js");
            const {{ apart }} = await import("/static/insight/direct-labels.js");
            const {{ nextMark }} = await import("/static/shared/arrow-keys.js");
            return {expression};
        }}"""
        return page.evaluate(script, given)

    yield evaluate
    page.close()


@settings(max_examples=15)
@given(places=st.lists(st.integers(0, 60).map(lambda place: place * 9.5), min_size=1, max_size=400))
def test_no_dot_of_a_strip_hides_another(ask: Ask, places: list[float]) -> None:
    found = ask("beeswarm([given])", places)
    dots = [(dot["x"], dot["y"]) for dot in found["rows"][0]]
    distance = 2 * found["radius"] - 1e-3
    near = [
        (one, other)
        for index, one in enumerate(dots)
        for other in dots[index + 1 :]
        if (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2 < distance**2
    ]
    assert near == []
    if found["radius"] > 1.5:
        assert [x for x, _ in dots] == places


@settings(max_examples=15)
@given(places=st.lists(st.sampled_from([0, 100]), min_size=1, max_size=60))
def test_marks_at_one_place_are_spread_within_their_axes(ask: Ask, places: list[int]) -> None:
    bounds = {"left": 0, "right": 100, "top": 0, "bottom": 100}
    given = {"places": [{"x": x, "y": 100} for x in places], "bounds": bounds}
    found = ask("spread(given.places, 4.5, given.bounds)", given)
    assert all(0 <= dot["x"] <= 100 and 0 <= dot["y"] <= 100 for dot in found)
    assert len({(round(dot["x"], 6), round(dot["y"], 6)) for dot in found}) == len(places)


@settings(max_examples=15)
@given(
    places=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=25),
    rows=st.booleans(),
    stacked=st.booleans(),
)
def test_arrow_keys_reach_every_mark(
    ask: Ask, places: list[tuple[int, int]], rows: bool, stacked: bool
) -> None:
    marks = [{"x": x, "y": y, **({"row": str(x if stacked else y)} if rows else {})} for x, y in places]
    reached = ask(
        """(() => {
          const reached = new Set([0]);
          for (const at of reached)
            for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"])
              reached.add(nextMark(given.marks, at, key, { stacked: given.stacked }));
          return [...reached];
        })()""",
        {"marks": marks, "stacked": stacked},
    )
    assert sorted(reached) == list(range(len(marks)))


TICKS = {
    "scatter-close": ["0.090 0.095 0.100 0.105 0.110", "0.0 0.2 0.4 0.6 0.8 1.0 1.2 1.4 1.6 1.8"],
    "strip-close": ["0.5 0.6 0.7 0.8 0.9 1.0"],
    "scatter-log": ["-1.0 -0.5 0.0 0.5 1.0 1.5 2.0", "0.1 0.2 0.3 1 2 3 10 20 30 100"],
}


def test_the_ticks_of_an_axis_have_the_same_number_of_digits_but_powers_of_ten(page: Page) -> None:
    page.set_viewport_size({"width": 700, "height": 800})
    opened(page, ",".join(TICKS))
    for name, axes in TICKS.items():
        drawn = drawing(page, name).locator("g:has(> text:nth-of-type(3))")
        assert [" ".join(axis.locator("text").all_text_contents()).split() for axis in drawn.all()] == [
            axis.split() for axis in axes
        ], name


def test_a_drawing_fills_the_room_that_the_page_reserved_and_no_more(page: Page) -> None:
    """So it does on a narrow screen, where the first test asks the same."""
    page.set_viewport_size({"width": 1280, "height": 800})
    assert unlike_their_room(opened(page)) == []


def unlike_their_room(page: Page) -> list[list[Any]]:
    """The figures whose drawing is higher than the room that was reserved, or much lower: id and both."""
    heights = page.locator("insight-figure .drawing:has(svg.plot)").evaluate_all(
        """(all) => all.map((place) => [
            place.closest("insight-figure").id,
            Math.max(...[...place.querySelectorAll(".room")].map(
                (room) => Math.floor(room.getBoundingClientRect().height))),
            place.querySelector("svg.plot").height.baseVal.value,
        ])"""
    )
    assert len(heights) > 15
    legend_line = 20
    return [one for one in heights if not 0 <= one[1] - one[2] <= legend_line]


@pytest.mark.parametrize(("width", "beside"), [(1280, True), (390, False)])
def test_curves_are_named_at_their_ends_where_that_fits(page: Page, width: int, beside: bool) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    opened(page, "incidence")
    whole = drawing(page, "incidence").bounding_box()
    names = drawing(page, "incidence").locator("text", has_text=re.compile("^the one before$"))
    rightmost = max(box["x"] for box in (one.bounding_box() for one in names.all()) if box)
    assert (rightmost > whole["x"] + 0.7 * whole["width"]) == beside


def test_every_line_of_a_progression_has_its_name_on_the_right_and_no_two_touch(page: Page) -> None:
    opened(page, "progression")
    names = drawing(page, "progression").locator("[data-series] text")
    expect(names).to_have_count(len({row[0] for row in gallery.figures("progression")[0].rows}))
    tops = sorted(box["y"] for box in (one.bounding_box() for one in names.all()) if box)
    assert all(after - before >= 14 for before, after in pairwise(tops))


@settings(max_examples=15)
@given(wanted=st.lists(st.floats(0, 200), min_size=1, max_size=16))
def test_names_of_curves_never_overlap(ask: Ask, wanted: list[float]) -> None:
    places = ask("apart(given, 0, 200)", wanted)
    assert places is not None or len(wanted) > 2
    for one, other in pairwise(sorted(places or [])):
        assert other - one >= 15 - 1e-6
    assert all(-1e-6 <= place <= 200 + 1e-6 for place in places or [])
