"""Each page belongs to one stage and leads to the next; browsers do not cache it."""

import pytest
from django.core.cache import cache
from django.test import Client

from playtest.center.views import TRIES
from playtest.people.services import new_participant
from playtest.play.models import Session, SessionEnd, Study
from playtest.play.sessions.ends import end_session
from playtest.play.sessions.seats import COOKIE
from playtest.play.sessions.services import create_session
from tests import make

pytestmark = pytest.mark.once

PAGES = ["consent", "survey", "tutorial", "play", "thanks"]


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    cache.clear()


@pytest.fixture
def code(db: None) -> str:
    study = make.study(consent_text="First.\n\nSecond.")
    return create_session(study, new_participant(), None)[1]


@pytest.fixture
def seated(client: Client, code: str) -> Client:
    client.post("/", {"code": code})
    return client


def stage(client: Client) -> str:
    """Returns the address of the session's current page."""
    return str(client.get("/session/").headers["Location"])


def test_a_session_leads_from_page_to_page(client: Client, code: str) -> None:
    assert client.post("/", {"code": code}).headers["Location"] == "/session/"
    for page, posted in [
        ("consent", {"answer": "agree"}),
        ("survey", {"age": "18-24"}),
        ("tutorial", {}),
    ]:
        assert stage(client) == f"/session/{page}/"
        assert client.get(f"/session/{page}/").status_code == 200
        assert client.post(f"/session/{page}/", posted).headers["Location"] == "/session/"
    assert stage(client) == "/session/play/"
    assert client.get("/session/play/").status_code == 200
    session = Session.objects.get()
    assert session.attempts.count() == 1, "Start opens the first environment"
    assert session.consent is not None
    assert session.survey is not None
    assert session.survey.answers == {"age": "18-24"}


@pytest.mark.parametrize("place", PAGES[1:])
@pytest.mark.parametrize("method", ["get", "post"])
def test_a_page_of_another_stage_redirects_to_the_current_one(
    seated: Client, place: str, method: str
) -> None:
    answer = getattr(seated, method)(f"/session/{place}/")
    if method == "post" and place in ("play", "thanks"):
        assert answer.status_code == 405
    else:
        assert answer.headers["Location"] == "/session/"
    assert stage(seated) == "/session/consent/"


@pytest.mark.django_db
@pytest.mark.parametrize("place", ["", *(f"{place}/" for place in PAGES)])
@pytest.mark.parametrize("seat", ["", "1.nonsense", "x", "99999999999999999999.x"])
def test_every_page_redirects_to_the_code_without_a_seat(client: Client, place: str, seat: str) -> None:
    client.cookies[COOKIE] = seat
    assert client.get(f"/session/{place}").headers["Location"] == "/"


def test_pages_are_not_cached_by_the_browser(seated: Client) -> None:
    for address in ["/", "/session/", "/session/consent/", "/session/play/"]:
        assert "no-store" in seated.get(address).headers["Cache-Control"]


def test_consent_shows_the_studys_text_in_paragraphs(seated: Client) -> None:
    page = seated.get("/session/consent/").content.decode()
    assert "<p>First.</p>" in page
    assert "<p>Second.</p>" in page


def test_a_consent_form_without_an_answer_is_shown_again(seated: Client) -> None:
    assert seated.post("/session/consent/").status_code == 200
    assert stage(seated) == "/session/consent/"


def test_declining_consent_ends_the_session_and_frees_the_seat(seated: Client) -> None:
    seated.post("/session/consent/", {"answer": "decline"})
    assert stage(seated) == "/session/thanks/"
    assert "You chose not to take part" in seated.get("/session/thanks/").content.decode()
    assert seated.get("/").status_code == 200
    assert stage(seated) == "/"


def test_the_tutorial_asks_for_what_the_studys_environments_offer_together(seated: Client, code: str) -> None:
    """Bit i is action i: directions of wk01, click and undo of ck01, RESET, no ACTION5."""
    Study.objects.get().pool.add(make.environment("ck01"))
    seated.post("/session/consent/", {"answer": "agree"})
    seated.post("/session/survey/", {})
    page = seated.get("/session/tutorial/").content.decode()
    assert f'data-actions="{0b11011111}"' in page
    assert [f'data-lesson="{lesson}"' in page for lesson in (30, 32, 64, 128, 1)] == [
        True,
        False,
        True,
        True,
        True,
    ]


def test_a_seated_browser_continues_without_a_code(seated: Client) -> None:
    assert seated.get("/").headers["Location"] == "/session/"


def test_the_next_person_can_check_in_after_an_ended_session(seated: Client) -> None:
    end_session(Session.objects.get(), SessionEnd.ENDED_BY_STAFF)
    assert seated.get("/").status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("text", "status", "error", "message"),
    [
        ("", 400, "code_malformed", "six letters and digits"),
        ("K7M-2Q", 400, "code_malformed", "six letters and digits"),
        ("x" * 5000, 400, "code_malformed", "six letters and digits"),
        ("000-000", 409, "code_unknown", "ask a member of staff"),
    ],
)
def test_a_wrong_code_is_explained(client: Client, text: str, status: int, error: str, message: str) -> None:
    answer = client.post("/", {"code": text})
    assert answer.status_code == status
    page = answer.content.decode()
    assert f'data-code="{error}"' in page
    assert message in page


@pytest.mark.services
def test_a_code_works_once(seated: Client, code: str) -> None:
    answer = Client().post("/", {"code": code})
    assert answer.status_code == 409
    assert "This code has been used." in answer.content.decode()
    assert stage(seated) == "/session/consent/"


@pytest.mark.services
def test_guessing_codes_is_slowed_down(client: Client, code: str) -> None:
    for _ in range(TRIES):
        assert client.post("/", {"code": "000000"}).status_code == 409
    refused = client.post("/", {"code": code})
    assert refused.status_code == 429
    assert "Please wait a minute" in refused.content.decode()
    assert Client(REMOTE_ADDR="10.0.0.9").post("/", {"code": code}).status_code == 302
