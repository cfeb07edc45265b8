"""Forms that people reach by a link of a message, or have left open, are sent in Chromium and accepted."""

import json

import pytest
from playwright.sync_api import Page, expect

from tests.live.server import PASSWORD, Server

pytestmark = pytest.mark.once

_MAKE = """
import json
from datetime import timedelta
from playtest.center.schedule.messages import handed_out
from playtest.center.schedule.models import Booking, Slot
from playtest.people import accounts
from playtest.people.models import Staff
from playtest.people.services import new_participant
from playtest.play.clock import now
from tests import make
slot = Slot.objects.create(study=make.study(people=12), capacity=3, created_at=now(),
    starts_at=now() + timedelta(days=1), ends_at=now() + timedelta(days=1, hours=2))
Booking.objects.create(slot=slot, participant=new_participant(), kind="invited",
    created_at=now(), changed_at=now())
[(_, link)] = handed_out(slot.bookings.all(), None)
account = Staff(username="newcomer", role="designer")
account.set_unusable_password()
account.save()
print(json.dumps([link.split("/", 3)[3], accounts.link_of(account), make.session(slot.study).pk]))
"""


def test_they_are_accepted(server: Server, port: int, page: Page) -> None:
    root = f"http://127.0.0.1:{port}"
    invitation, password, session = json.loads(server.command("shell", "--no-imports", "-c", _MAKE))
    for button, heading in (("I will come", "You will come"), ("I cannot come", "You cannot come")):
        page.goto(f"{root}/{invitation}")
        page.get_by_role("button", name=button).click()
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
    page.goto(f"{root}{password}")
    for field in page.locator("input[type=password]").all():
        field.fill("a long enough passphrase")
    page.locator("main form button").first.click()
    expect(page).not_to_have_url(f"{root}{password}")
    assert "form_expired" not in page.content()
    server.seed(staff="proctor", password=PASSWORD)
    page.context.clear_cookies()
    sign_in(page, root)
    page.goto(f"{root}/staff/sessions/{session}/")
    note = page.get_by_role("textbox", name="Note")
    note.fill("The lamp flickers.")
    elsewhere = page.context.new_page()
    page.context.clear_cookies()
    sign_in(elsewhere, root)
    note.press("Enter")
    expect(page.get_by_text("Note added.")).to_be_visible()


def sign_in(page: Page, root: str) -> None:
    page.goto(f"{root}/staff/sign-in/")
    page.get_by_label("Name").fill("proctor")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_label("Password").press("Enter")
    expect(page).to_have_url(f"{root}/staff/")
