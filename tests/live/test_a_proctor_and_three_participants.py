"""One proctor and three participants in their browsers at once, through every control."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.live.server import PASSWORD, Server

COVER = "Paused. A member of staff will continue in a moment. Your time is stopped."
PICTURE = "document.querySelector('canvas').toDataURL()"
CALL = "Call a member of staff"
STAFF_KINDS = (
    "paused", "resumed", "time_granted", "end_planned", "station_changed", "call_answered", "note_added",
    "attempt_ended", "attempt_voided", "code_reissued", "session_ended",
)  # fmt: skip


class Room:
    """A server with a proctor's browser and those of participants; an error of a script fails the test."""

    def __init__(self, browser: Browser, server: Server) -> None:
        self.browser, self.server = browser, server
        self.address = f"http://127.0.0.1:{server.start()}"
        self.errors: list[str] = []
        self.contexts: list[BrowserContext] = []

    def page(self, **cookies: str) -> Page:
        """A page of a browser of its own."""
        context = self.browser.new_context()
        self.contexts.append(context)
        for name, value in cookies.items():
            context.add_cookies([{"name": name, "value": value, "url": self.address}])
        page = context.new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        return page

    def participant(self, seat: str) -> Page:
        page = self.page(seat=seat)
        page.goto(f"{self.address}/")
        until_live(page)
        return page

    def proctor(self) -> Page:
        self.server.seed(staff="proctor", password=PASSWORD)
        page = self.page()
        page.goto(f"{self.address}/staff/sign-in/?next=/staff/sessions/")
        page.get_by_label("Name").fill("proctor")
        page.get_by_label("Password").fill(PASSWORD)
        page.keyboard.press("Enter")
        page.wait_for_url(f"{self.address}/staff/sessions/")
        return page

    def events(self, session: int) -> list[tuple[str, int | None, dict[str, Any]]]:
        """What the proctor did to a session: kind, number of the attempt, details."""
        names = ", ".join(f"'{kind}'" for kind in STAFF_KINDS)
        rows = self.server.rows(
            "SELECT e.kind, a.number, e.details FROM play_event e"
            f" LEFT JOIN play_attempt a ON a.id = e.attempt_id WHERE e.session_id = {session}"
            f" AND e.staff_id IS NOT NULL AND e.kind IN ({names}) ORDER BY e.id"
        )
        return [(kind, number, as_json(details)) for kind, number, details in rows]


def as_json(value: Any) -> Any:
    return json.loads(value) if isinstance(value, str) else value


@pytest.fixture
def room(browser: Browser, make_server: Callable[..., Server]) -> Iterator[Room]:
    room = Room(browser, make_server(ENGINE_HOSTS="2"))
    yield room
    for context in room.contexts:
        context.close()
    assert room.errors == []


def until_live(page: Page) -> None:
    page.wait_for_selector("main[data-stage=playing][data-connection=live]")


def press(page: Page) -> None:
    """One action, and its turn."""
    before = page.evaluate(PICTURE)
    page.keyboard.press("ArrowRight")
    page.wait_for_function(f"(before) => {PICTURE} !== before", arg=before)


def covered(*pages: Page) -> None:
    for page in pages:
        expect(page.get_by_role("heading", name=COVER)).to_be_visible()


def uncovered(*pages: Page) -> None:
    for page in pages:
        expect(page.get_by_role("heading", name=COVER)).to_be_hidden()


def use(page: Page, button: str, *, inside: str = "", **fields: str) -> None:
    """Presses a button of the controls, in the part `inside` that is opened first, and reads what it says."""
    page.evaluate("document.querySelector('staff-controls .notice')?.remove()")
    controls = page.locator(f"staff-controls {f'[data-control={inside}]' if inside else '.one-line'}")
    if inside:
        controls.locator("summary").click()
    for name, value in fields.items():
        field = controls.locator(f"[name={name}]:not([type=hidden])")
        if field.first.evaluate("(field) => field.localName") == "select":
            field.select_option(value)
        elif field.first.get_attribute("type") == "radio":
            controls.locator(f"[name={name}][value={value}]").check()
        else:
            field.fill(value)
    controls.locator(f"button:text-is('{button}')").click()
    expect(page.locator("staff-controls .notice")).to_be_visible()
    expect(page.locator("staff-controls .notice.bad")).to_have_count(0)


@pytest.mark.long
def test_every_control_does_what_it_says_and_nothing_else(room: Room) -> None:
    """In short: tests/center/interventions/test_controls.py."""
    seeded = room.server.seed(pool=["wk01"], later=["ck01"], people=3, stage="playing")
    ada, ben, cem = (person["session"] for person in seeded["people"])
    at_ada, at_ben, at_cem = (room.participant(person["seat"]) for person in seeded["people"])
    for page in (at_ada, at_ben, at_cem):
        press(page)
    idle = room.page(station=room.server.seed(stations=[4])["stations"]["4"])
    idle.goto(f"{room.address}/")
    expect(idle.get_by_label("Enter your code")).to_be_visible()
    proctor = room.proctor()

    def open_session(session: int) -> None:
        proctor.goto(f"{room.address}/staff/sessions/{session}/")

    # Ada: pause, resume, time
    open_session(ada)
    use(proctor, "Pause session", reason="nose bleeds")
    covered(at_ada)
    clock = at_ada.locator(".clock").inner_text()
    at_ada.keyboard.press("ArrowRight")
    uncovered(at_ben, at_cem)
    at_cem.wait_for_timeout(1100)
    assert at_ada.locator(".clock").inner_text() == clock
    use(proctor, "Resume session")
    uncovered(at_ada)
    until_live(at_ada)
    press(at_ada)
    use(proctor, "Grant time", inside="grant", minutes="own", own_minutes="7", to="both", reason="nose")

    # Ben: calls, gets notes, his attempt is void, and a new code
    at_ben.get_by_role("button", name=CALL).click()
    open_session(ben)
    use(proctor, "Answer call")
    note = proctor.get_by_label("Note", exact=True)
    for text in ("asks about undo", "was told to read"):
        note.fill(text)
        note.press("Enter")
        expect(proctor.locator("#session-events")).to_contain_text(f"“{text}”")
        expect(note).to_be_focused()
        expect(note).to_have_value("")
    use(proctor, "Void attempt", inside="void", reason="disturbed", text="phone rang")
    at_ben.get_by_role("button", name="Next").click()
    until_live(at_ben)
    expect(proctor.locator("#session-attempts")).to_contain_text("phone rang")
    picture = at_ben.evaluate(PICTURE)
    use(proctor, "Create new code", inside="code")
    code = proctor.locator("staff-controls output").inner_text()
    at_ben.wait_for_url(f"{room.address}/")
    at_ben.get_by_label("Enter your code").fill(code)
    at_ben.keyboard.press("Enter")
    until_live(at_ben)
    at_ben.wait_for_function(f"(picture) => {PICTURE} === picture", arg=picture)

    # Cem: the environment ends, and the next one is not touched by a page that is behind
    open_session(cem)
    behind = proctor.context.new_page()
    behind.goto(proctor.url)
    behind.locator("[data-control=end-attempt] summary").click()
    use(proctor, "End environment 1", inside="end-attempt")
    at_cem.get_by_role("button", name="Next").click()
    until_live(at_cem)
    behind.locator("button:text-is('End environment 1')").click()
    expect(behind.locator("staff-controls .notice.bad")).to_contain_text("attempt_over")
    behind.close()

    # Ada moves in mid-level
    picture = at_ada.evaluate(PICTURE)
    open_session(ada)
    use(proctor, "Move session", inside="move", station="4", reason="broken key")
    until_live(idle)
    idle.wait_for_function(f"(picture) => {PICTURE} === picture", arg=picture)
    expect(at_ada.get_by_label("Enter your code")).to_be_visible()
    press(idle)
    playing = (idle, at_ben, at_cem)

    # everybody
    proctor.goto(f"{room.address}/staff/sessions/")
    use(proctor, "Pause everybody", reason="fire alarm")
    expect(proctor.locator("staff-controls .notice")).to_have_text("3 paused.")
    covered(*playing)
    use(proctor, "Resume everybody")
    uncovered(*playing)
    use(proctor, "Announce them, and end then", minutes="5")
    for page in playing:
        expect(page.get_by_text("About 5 minutes left")).to_be_visible()
    use(proctor, "End 3 sessions", inside="end")
    for page in playing:
        page.wait_for_url("**/thanks/")

    pause = {"reason": "fire alarm", "all": True}
    everybody = [
        ("paused", 2, pause),
        ("resumed", 2, {"all": True}),
        ("end_planned", 2, {"seconds": 300}),
    ]
    ended = ("session_ended", None, {"reason": "ended_by_staff", "all": True})
    assert room.events(ada) == [
        ("paused", 1, {"reason": "nose bleeds", "all": False}),
        ("resumed", 1, {"all": False}),
        ("time_granted", 1, {"seconds": 420, "environment": True, "session": True, "reason": "nose"}),
        ("station_changed", 1, {"from": 1, "to": 4, "reason": "broken key"}),
        *((kind, 1, details) for kind, _, details in everybody),
        ended,
    ]
    assert room.events(ben) == [
        ("call_answered", 1, {}),
        ("note_added", 1, {"text": "asks about undo"}),
        ("note_added", 1, {"text": "was told to read"}),
        ("attempt_ended", 1, {"outcome": "ended_by_staff"}),
        ("attempt_voided", 1, {"reason": "disturbed", "text": "phone rang"}),
        ("code_reissued", None, {}),
        *everybody,
        ended,
    ]
    assert room.events(cem) == [("attempt_ended", 1, {"outcome": "ended_by_staff"}), *everybody, ended]
