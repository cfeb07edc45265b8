"""A real browser on staff pages, whose requests Django answers itself, within the test's transaction."""

from django.db import connections
from django.test import Client
from playwright.sync_api import Page, Route

ORIGIN = "http://localhost"


def browse(page: Page, client: Client) -> Page:
    """The page, its requests answered as `client` (and whoever is signed in there) would be."""
    database = connections["default"]

    def answer(route: Route) -> None:
        # Playwright calls back in a context of its own, where Django would open another connection.
        connections["default"] = database
        request = route.request
        found = client.generic(
            request.method,
            request.url.removeprefix(ORIGIN),
            request.post_data_buffer or b"",
            content_type=request.headers.get("content-type", "application/octet-stream"),
            headers={"host": "localhost"},
        )
        headers = {name: value for name, value in found.headers.items() if name != "Content-Length"}
        route.fulfill(status=found.status_code, headers=headers, body=found.getvalue())

    page.route(f"{ORIGIN}/**", answer)
    return page
