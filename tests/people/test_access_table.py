"""The page of roles is what the application declares; sockets and their messages are declared too."""

import pytest
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST

from playtest.people import access_table
from playtest.people.access import declared_access, requires
from playtest.people.roles import Access, Audience, Right, Role
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]

OF_PLAY = {
    "action",
    "edit",
    "finish",
    "give_up",
    "next",
    "observed",
    "painted",
    "ping",
    "prompt_answered",
    "prompt_shown",
    "resync",
    "set_aside",
    "take_up",
}
SOCKETS: dict[str, tuple[Access, set[str]]] = {
    "/ws/session/": (Audience.SEAT, OF_PLAY),
    "/ws/internal/…/": (Right.PLAY_INTERNALLY, OF_PLAY),
    "/ws/station/": (Audience.STATION, {"ping"}),
    "/ws/wall/": (Right.RUN_SESSIONS, {"drawn", "view"}),
}
"""Every socket with its access and the messages that it takes.

A new socket needs a row here, and its consumer `access = Right...` (or Audience...) and `messages = (...)`.
"""


def test_every_socket_and_message_is_declared_as_expected() -> None:
    found = {socket.address: (socket.access, set(socket.messages)) for socket in access_table.sockets()}
    assert found == SOCKETS, "declare access and messages in the consumer, and add a row to SOCKETS"
    assert all(socket.does for socket in access_table.sockets()), "the consumer needs a docstring"


def test_every_address_of_the_api_needs_a_key_but_those_that_tell_nothing() -> None:
    found = {entry.address: entry.access for entry in access_table.elsewhere()}
    assert set(found.values()) == {Audience.KEY, Audience.ANYONE}
    open_to_all = {address for address, access in found.items() if access == Audience.ANYONE}
    assert open_to_all == {"/api/healthcheck", "/api/openapi.json"}
    assert all(entry.does for entry in access_table.elsewhere()), "the endpoint needs a docstring"


@pytest.mark.parametrize("role", [Role.LEAD, Role.PROCTOR])
def test_the_page_of_roles_names_every_page_and_message(role: Role) -> None:
    page = signed_in(role).get(reverse("people:roles"))
    text = page.content.decode()
    entries = [*access_table.pages(), *access_table.sockets(), *access_table.elsewhere()]
    assert sum(len(group.entries) for group in access_table.groups()) == len(entries)
    assert [entry.address for entry in entries if f"<code>{entry.address}</code>" not in text] == []
    assert f"<strong>{role.label}</strong>" in text
    assert text.count('<span aria-hidden="true">✓</span>') == sum(
        len(group.roles) for group in access_table.groups()
    )


def test_a_view_without_a_declaration_is_noticed() -> None:
    def page(request: HttpRequest) -> HttpResponse:
        return HttpResponse()

    assert declared_access(page) is None
    assert declared_access(require_POST(requires(Right.WITHDRAW)(page))) == Right.WITHDRAW


def test_a_refusal_names_the_right_and_the_roles_that_have_it() -> None:
    page = signed_in(Role.ENGINEER).get(reverse("review:attempts"))
    assert "list attempts and watch replays" in page.content.decode()
    assert "Lead, Researcher, Designer" in page.content.decode()
