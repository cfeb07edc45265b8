"""The pages of keys and exposure in a browser: for everyone, on small screens; copying a key."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, ViewportSize, expect

from playtest.arena.models import ApiKey
from playtest.arena.runs.custody import disclose
from playtest.arena.runs.keys import key_of
from playtest.people.roles import Role
from tests.accessibility import violations
from tests.arena.scores import agents
from tests.browsing import ORIGIN, browse, settled
from tests.staff import signed_in

pytestmark = pytest.mark.django_db

PHONE, DESK = ViewportSize(width=390, height=800), ViewportSize(width=1280, height=800)
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def judge(page: Page, name: str) -> None:
    """Judges the shown page in both widths and both colour schemes."""
    settled(page)
    for size in (DESK, PHONE):
        page.set_viewport_size(size)
        assert page.evaluate(OVERFLOW) <= 0, name
    assert violations(page) == [], name


def test_a_key_is_created_copied_and_revoked(page: Page) -> None:
    browse(page, signed_in(Role.ENGINEER))
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{ORIGIN}{reverse('arena:keys')}")
    judge(page, "no keys")
    page.get_by_label("Name").fill("Laboratory")
    page.get_by_label("fully private").check()
    page.get_by_role("button", name="Create key").click()
    page.get_by_role("button", name="Copy key").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    judge(page, "created")
    key = key_of(page.evaluate("navigator.clipboard.readText()"))
    assert key is not None
    assert key.sets == ["public", "private"]
    agents.run(card := agents.card("Laboratory"), ["1+"])
    disclose(agents.closed(card))
    page.reload()  # the address is the key's: nothing is created again
    expect(page.get_by_role("heading", level=1)).to_contain_text("Laboratory saw 1 environment")
    judge(page, "one key")
    page.get_by_role("button", name="Revoke key").click()
    page.get_by_role("button", name="Revoke the key of Laboratory").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Laboratory is revoked")
    assert ApiKey.objects.get().revoked_at is not None
    for name in ("keys", "exposure"):
        page.goto(f"{ORIGIN}{reverse(f'arena:{name}')}")
        judge(page, name)
