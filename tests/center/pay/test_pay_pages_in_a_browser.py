"""A receipt on paper."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from playtest.center.models import PayAccount
from playtest.people.roles import Role
from playtest.play.models import SessionEnd
from playtest.play.sessions.ends import end_session
from playtest.rules.attempt import Outcome
from tests import make
from tests.browsing import ORIGIN, browse, settled
from tests.live.games import WALK
from tests.staff import signed_in

pytestmark = pytest.mark.django_db


def test_a_receipt_is_one_sheet_to_be_signed(page: Page) -> None:
    session = make.session(make.study(people=100))
    make.play(session, WALK, Outcome.COMPLETED)
    end_session(session, SessionEnd.ENDED_BY_STAFF)
    browse(page, signed_in(Role.LEAD))
    page.goto(f"{ORIGIN}{reverse('center:pay-receipt', args=[PayAccount.objects.get().pk])}")
    page.get_by_role("button", name="Make the original").click()
    settled(page)
    page.emulate_media(media="print")
    expect(page.get_by_text("Received, date and signature")).to_be_visible()
    expect(page.get_by_role("navigation", name="Places", include_hidden=True)).to_be_hidden()
    assert page.pdf(format="A4").count(b"/Type /Page\n") == 1
