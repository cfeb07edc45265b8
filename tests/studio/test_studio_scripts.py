"""What the studio's scripts compute: the layout of a graph, and how long a run still takes."""

from typing import Any

from django.test import Client
from playwright.sync_api import Page

from tests.browsing import ORIGIN, browse

LAYOUT = "/static/studio/graph-layout.js"
LAID_OUT = """async ([expression, given]) => {
    const { layout, edgePath, actionsTo, TILE } = await import("/static/studio/graph-layout.js");
    const names = { layout, edgePath, actionsTo, TILE, given };
    return new Function(...Object.keys(names), `return ${expression}`)(...Object.values(names));
}"""
TREE = [[0, 1, [1, None, None]], [0, 2, [2, None, None]], [2, 3, [6, 4, 5]]]


def test_states_are_in_columns_with_the_actions_to_each(page: Page) -> None:
    browse(page, Client())
    page.goto(f"{ORIGIN}{LAYOUT}")

    def ask(expression: str, given: Any = None) -> Any:
        return page.evaluate(LAID_OUT, [expression, given])

    for depths in ([0], [0, 1, 1, 2], [0, *[1] * 30, *[2] * 5, 7]):
        found = ask("layout(given)", [{"depth": depth} for depth in depths])
        places, tile = [(place["x"], place["y"]) for place in found["places"]], ask("TILE")
        assert all(tile / 2 <= x <= found["width"] - tile / 2 for x, _ in places)
        assert all(tile / 2 <= y <= found["height"] - tile / 2 for _, y in places)
        assert len({x for x, _ in places}) == len(set(depths))
        assert sorted(places, key=lambda place: place[0]) == sorted(places)  # each column from the top
        apart = [max(abs(a - x), abs(b - y)) for a, b in places for x, y in places if (a, b) != (x, y)]
        assert all(distance > tile for distance in apart)

    assert ask("actionsTo(given, 3)", TREE) == [[2, None, None], [6, 4, 5]]
    assert ask("actionsTo(given, 0)", TREE) == []
    assert ask("edgePath({x: 0, y: 0}, {x: 80, y: 10})") == "M0 0Q40 5 80 10"
    assert ask("edgePath({x: 80, y: 0}, {x: 80, y: 100})") == "M80 0Q120 30 80 100"


MODULE = "/static/studio/remaining.js"
ASK = """async (cases) => {
    const { remaining } = await import("/static/studio/remaining.js");
    return cases.map(([ms, share]) => remaining({ ms: 1000, share: 0.1 }, { ms, share }));
}"""


def test_the_time_remaining_follows_from_the_pace_so_far(page: Page) -> None:
    browse(page, Client())
    page.goto(f"{ORIGIN}{MODULE}")
    cases = {
        (10_999, 0.2): "",
        (61_000, 0.1): "",
        (61_000, 0.2): "about 8 minutes left",
        (61_000, 0.6): "about 1 minute left",
        (61_000, 0.9): "less than a minute left",
    }
    assert page.evaluate(ASK, list(cases)) == list(cases.values())
