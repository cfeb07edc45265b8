"""Calls reach everybody who may answer them, on whatever page they are, and say who answered and how fast."""

from datetime import timedelta

import pytest
from django.urls import reverse
from playwright.sync_api import Page, Route, expect

from playtest.center.calls import ABANDONED_AFTER, answers, waiting
from playtest.people.roles import Role
from playtest.play.clock import now, set_clock
from playtest.play.journal.heartbeat import signs
from playtest.play.models import Event, EventKind, Session
from playtest.play.sessions.events import answer_call, call_proctor
from tests import make
from tests.browsing import ORIGIN, browse, painted, settled
from tests.center.schedule.conftest import StandingClock
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def session() -> Session:
    found = make.session(make.study())
    Session.objects.filter(pk=found.pk).update(station=7)
    found.refresh_from_db()
    return found


def test_a_call_is_on_every_page_of_those_who_may_answer(session: Session) -> None:
    call_proctor(session)
    for role, seen in ((Role.PROCTOR, True), (Role.LEAD, True), (Role.DESIGNER, False)):
        shown = signed_in(role).get(reverse("people:help")).content.decode()
        assert ("staff-calls" in shown) == seen, role
    proctor = signed_in(Role.PROCTOR)
    assert "Station 7" in " ".join(proctor.get(reverse("center:calls")).content.decode().split())
    assert signed_in(Role.DESIGNER).get(reverse("center:calls")).status_code == 403
    proctor.post(reverse("center:session-answer", args=[session.pk]), {"form_token": "a"})
    assert waiting() == []
    assert Event.objects.get(kind=EventKind.CALL_ANSWERED).staff == staff(Role.PROCTOR)
    assert "I answer" not in proctor.get(reverse("center:calls")).content.decode()


def test_a_call_of_a_rehearsal_waits_behind_the_switch_of_the_wall() -> None:
    call_proctor(make.session(make.study(rehearsal=True)))
    proctor, address = signed_in(Role.PROCTOR), reverse("center:calls")
    assert "I answer" not in proctor.get(address).content.decode()
    assert "I answer" in proctor.get(f"{address}?rehearsals=1").content.decode()
    home = " ".join(proctor.get(reverse("people:home")).content.decode().split())
    assert "0 people in session" in home
    assert "Nobody needs help now" in home


def test_a_call_ends_when_its_page_is_long_gone(session: Session) -> None:
    call_proctor(session)
    signs.heard(session.pk, now())
    for passed, found in ((ABANDONED_AFTER - timedelta(seconds=5), 1), (ABANDONED_AFTER, 0)):
        before = set_clock(StandingClock(now() + passed))
        assert len(waiting()) == found
        set_clock(before)


def test_the_home_says_how_fast_calls_are_answered() -> None:
    begin = now()
    assert answers(begin, begin + timedelta(hours=1)) is None
    clock = StandingClock(begin)
    before = set_clock(clock)
    try:
        for number, wait in enumerate((10, 40, None), start=1):
            session = make.session(make.study(name=f"Study {number}"))
            call_proctor(session)
            if wait is not None:
                clock.advance(seconds=wait)
                answer_call(session, staff(Role.PROCTOR))
    finally:
        set_clock(before)
    found = answers(begin, begin + timedelta(hours=1))
    assert found is not None
    assert (found.calls, found.answered, found.median, found.longest) == (3, 2, 25, 40)


def test_the_title_counts_calls_and_a_tone_is_heard(page: Page, session: Session) -> None:
    page.add_init_script(
        "globalThis.tones = 0; globalThis.OscillatorNode = class extends OscillatorNode {"
        " constructor(...given) { super(...given); globalThis.tones += 1; } };"
    )
    browse(page, signed_in(Role.PROCTOR))
    page.clock.install(time=0)
    page.clock.pause_at(1)  # no request reaches its time limit while this machine is busy
    page.goto(f"{ORIGIN}{reverse('people:help')}")
    settled(page)  # it has asked once, and does not ask again before it has an answer
    title = page.title()
    call_proctor(session)
    page.clock.run_for(6_000)
    expect(page.get_by_role("button", name="I answer")).to_be_visible()
    expect(page).to_have_title(f"(1) Call: {title}")
    assert page.evaluate("tones") == 2
    page.get_by_role("button", name="I answer").click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert Event.objects.filter(kind=EventKind.CALL_ANSWERED).count() == 1


def test_a_page_asks_for_calls_again_once_it_has_an_answer(page: Page) -> None:
    asked: list[Route] = []
    page.route(f"**{reverse('center:calls')}", lambda route: asked.append(route))
    browse(page, signed_in(Role.PROCTOR))
    page.clock.install(time=0)
    page.clock.pause_at(1)
    page.goto(f"{ORIGIN}{reverse('people:help')}")
    page.clock.run_for(16_000)
    painted(page)
    assert len(asked) == 1
    asked[0].continue_()
    settled(page)
    with page.expect_request(f"**{reverse('center:calls')}"):
        page.clock.run_for(5_000)
