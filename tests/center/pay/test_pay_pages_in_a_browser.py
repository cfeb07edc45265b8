"""The pages of pay in a browser: for everyone, on small screens, printed."""

from decimal import Decimal

import pytest
from django.urls import reverse
from playwright.sync_api import Page, ViewportSize, expect

from playtest.center.models import AdjustmentReason, PayAccount
from playtest.center.pay.services import decide_adjustment, enter_adjustment, make_batch, set_budget
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.models import Session, SessionEnd, Study
from playtest.play.sessions.services import create_session, end_session
from playtest.rules.attempt import Outcome
from tests import make
from tests.accessibility import violations
from tests.browsing import ORIGIN, browse, settled
from tests.live.games import WALK
from tests.staff import signed_in, staff

pytestmark = pytest.mark.django_db

PHONE, DESK = ViewportSize(width=390, height=800), ViewportSize(width=1280, height=800)
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
WHY = "Agreed with the sponsor."


def paid_session(study: Study) -> Session:
    """A session with a bonus, an approved adjustment and one that waits."""
    session = make.session(study, new_participant("R-17"))
    make.play(session, WALK, Outcome.COMPLETED)
    end_session(session, SessionEnd.ENDED_BY_STAFF)
    for amount in ("10", "-7.50"):
        last = enter_adjustment(session, Decimal(amount), AdjustmentReason.WAITED, WHY, staff(Role.PROCTOR))
        if amount == "10":
            decide_adjustment(last, approved=True, text="", staff=staff(Role.LEAD))
    return session


def opened_page(page: Page, name: str, *arguments: int) -> None:
    """Judges a page in both widths and both colour schemes."""
    page.goto(f"{ORIGIN}{reverse(f'center:{name}', args=arguments)}")
    settled(page)
    for size in (DESK, PHONE):
        page.set_viewport_size(size)
        assert page.evaluate(OVERFLOW) <= 0, name
    assert violations(page) == [], name


def test_pages_of_pay_are_accessible_and_fit_a_small_screen(page: Page) -> None:
    browse(page, signed_in(Role.LEAD))
    opened_page(page, "pay")
    opened_page(page, "pay-batch-new")
    study = make.study(people=100)
    opened_page(page, "pay-study", study.pk)
    session = paid_session(study)
    account = PayAccount.objects.get()
    set_budget(study, Decimal(400), 60, WHY, staff(Role.LEAD))
    create_session(study, new_participant(), None)
    opened_page(page, "pay")
    opened_page(page, "pay-batch-new")
    set_budget(study, Decimal(200), 60, WHY, staff(Role.LEAD))
    batch = make_batch(None, None, None, staff(Role.LEAD))
    for name, number in (
        ("pay-study", study.pk),
        ("session", session.pk),
        ("pay-receipt", account.pk),
        ("pay-batch", batch.pk),
    ):
        opened_page(page, name, number)
    page.goto(f"{ORIGIN}{reverse('center:pay-receipt', args=[account.pk])}")
    page.get_by_role("button", name="Make the original").click()
    settled(page)
    page.emulate_media(media="print")
    expect(page.get_by_text("Received, date and signature")).to_be_visible()
    expect(page.get_by_role("navigation", name="Places", include_hidden=True)).to_be_hidden()
    assert page.pdf(format="A4").count(b"/Type /Page\n") == 1
