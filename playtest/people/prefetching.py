"""Pages that a browser may ask for before they are opened, when a link to them is about to be followed.

Asking for them has no effect: they record no sighting, tell no score of an agent, show nothing only once. The
browser learns of them from rules (the response header Speculation-Rules), and the middleware refuses
everything else that is asked for ahead, whatever a browser makes of the rules.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

from django.contrib.messages import get_messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from playtest.people.access import declares
from playtest.people.roles import Audience

PREFETCHED = frozenset(
    {
        "people:home", "people:roles", "people:handbook", "people:help",
        "center:sessions", "center:session", "center:schedule", "center:slot", "center:roster",
        "center:stations", "center:pay",
        "play:studies", "play:protocol-versions",
        "review:attempts", "review:collections", "review:collection", "review:exports",
        "review:decisions", "review:agreement", "review:data", "review:signed-days",
        "studio:cards", "studio:uploads",
        "insight:portfolio", "insight:baselines", "insight:baseline", "insight:release", "insight:board",
        "insight:sets", "insight:versions", "insight:split", "insight:study", "insight:study-tasks",
        "insight:plan", "insight:preregistration", "insight:reports", "insight:report",
        "arena:keys", "arena:exports",
        "operation:status",
    }
)  # fmt: skip
"""By the names of their URLs; tests/people/test_prefetching.py opens each and finds nothing written."""
FOCUSED = "[data-ahead]"
"""A link that has had the focus for a moment (`static/staff/prefetch-focused.js`)."""
_OTHER_WAYS = "[download], [target]"
_SECONDS_KEPT = 60 * 60
_REFUSED = 425
"""Too Early: the browser asks again when the page is opened."""
_ARGUMENT = re.compile(r"<(?:\w+:)?(\w+)>")


class Prefetching:
    """Refuses pages that are asked for ahead and may not be.

    Where a message waits to be shown, nothing is given ahead: the page that is never opened would show it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_view(self, request: HttpRequest, view: object, args: Any, kwargs: Any) -> HttpResponse | None:
        if not request.headers.get("Sec-Purpose", "").startswith("prefetch"):
            return None
        match = request.resolver_match
        if match is None or match.view_name not in PREFETCHED or len(get_messages(request)):
            return HttpResponse(status=_REFUSED, headers={"Cache-Control": "no-store"})
        return None


@require_safe
@declares(Audience.ANYONE)
def rules(request: HttpRequest) -> HttpResponse:
    """The rules by which browsers ask for staff pages ahead: addresses without anything that is in them."""
    places = {"href_matches": [{"pathname": one, "search": "*"} for one in sorted(_pathnames())]}
    usual = {"not": {"selector_matches": _OTHER_WAYS}}
    found = [
        {"where": {"and": [places, usual]}, "eagerness": "moderate"},
        {"where": {"and": [places, usual, {"selector_matches": FOCUSED}]}, "eagerness": "immediate"},
    ]
    response = JsonResponse({"prefetch": found}, content_type="application/speculationrules+json")
    patch_cache_control(response, public=True, max_age=_SECONDS_KEPT)
    return response


def _pathnames() -> Iterator[str]:
    """The addresses of PREFETCHED as patterns of browsers: `/staff/studies/:pk/`."""
    for name, route in _routes(get_resolver().url_patterns, "", ""):
        if name in PREFETCHED:
            yield f"/{_ARGUMENT.sub(r':\1', route)}"


def _routes(patterns: Any, room: str, before: str) -> Iterator[tuple[str, str]]:
    for one in patterns:
        route = f"{before}{one.pattern}"
        if isinstance(one, URLResolver):
            yield from _routes(one.url_patterns, f"{one.namespace}:" if one.namespace else room, route)
        elif isinstance(one, URLPattern):
            yield f"{room}{one.name}", route
