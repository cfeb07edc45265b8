"""Participants' pages are in the language chosen before consent, and nothing of them lacks a translation."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import Client, RequestFactory
from django.utils import translation
from django.utils.translation import gettext
from django.utils.translation.template import templatize

from playtest.people.languages import COOKIE, SCRIPTS, texts_of_scripts
from playtest.people.models import Consent
from playtest.people.services import new_participant
from playtest.people.views import went_wrong
from playtest.play.models import Session, SessionEnd
from playtest.play.sessions.ends import end_session
from playtest.play.sessions.services import create_session
from playtest.rules import debrief
from playtest.rules.protocol import DEFAULT
from playtest.rules.survey_questions import PAPERS, QUESTIONS
from tests import make

pytestmark = [pytest.mark.django_db, pytest.mark.once]

TEMPLATES = [
    "participant.html",
    "center/welcome.html",
    *("400.html", "403_csrf.html", "404.html", "500.html", "rehearsal/try-out.html"),
    *(f"play/{path.name}" for path in (settings.BASE_DIR / "templates/play").glob("*.html")),
]
PYTHON = ["playtest/play/sessions/page_content.py", "playtest/rules/protocol.py"]
REFUSALS = [
    "playtest/play/sessions/services.py",
    "playtest/play/sessions/quota.py",
    "playtest/center/stations/seating.py",
    "playtest/center/views.py",
    "playtest/rules/codes.py",
]
"""Where participants are refused; what they are told says what to do."""
TO_DO = re.compile(r"Please|enter it again")
LITERAL = r'\(\s*(u?[\'"](?:[^\'"\\]|\\.)*[\'"])'
OTHERS = [name for name, _ in settings.LANGUAGES if name != "en"]


def found(pattern: str, text: str) -> Iterator[str]:
    for literal in re.findall(pattern + LITERAL, text):
        yield ast.literal_eval(literal)


def said() -> set[str]:
    """Every text of participants' pages in English."""
    texts = set(texts_of_scripts()) | {DEFAULT.consent_text, debrief.HOW_HARD, debrief.ABOUT_WHAT}
    texts |= {*debrief.STEPS.values(), "least", "most"}
    for name in TEMPLATES:
        path = settings.BASE_DIR / "templates" / name
        texts |= set(found("gettext", templatize(path.read_text("utf-8"), origin=str(path))))
    for name in PYTHON:
        texts |= set(found(r"\b(?:gettext|say)", (settings.BASE_DIR / name).read_text("utf-8")))
    for name in REFUSALS:
        nodes = ast.walk(ast.parse((settings.BASE_DIR / name).read_text("utf-8")))
        strings = (node.value for node in nodes if isinstance(node, ast.Constant))
        texts |= {text for text in strings if isinstance(text, str) and TO_DO.search(text)}
    for question in (*QUESTIONS, *PAPERS):
        texts |= {question.text, *(label for _, label in question.choices), *filter(None, question.ends)}
    return texts


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    cache.clear()


@pytest.mark.parametrize("language", OTHERS)
def test_every_text_has_a_translation_with_the_same_values(language: str) -> None:
    with translation.override(language):
        translated = {text: gettext(text) for text in said()}
    same = {text for text, other in translated.items() if text == other and any(map(str.isalpha, text))}
    assert same <= {"No", "magenta"}  # the same in Spanish
    values = re.compile(r"%\(\w+\)s|\{\w+\}")
    assert {
        text for text, other in translated.items() if {*values.findall(text)} != {*values.findall(other)}
    } == set()


@pytest.mark.parametrize("language", OTHERS)
def test_the_compiled_catalogue_is_that_of_the_text(language: str) -> None:
    folder = Path(settings.LOCALE_PATHS[0]) / language / "LC_MESSAGES"
    pairs = re.findall(
        r'^msgid ((?:".*"\n)+)msgstr ((?:".*"\n?)+)', (folder / "django.po").read_text("utf-8"), re.M
    )
    texts = {
        "".join(map(ast.literal_eval, one.splitlines())): "".join(map(ast.literal_eval, other.splitlines()))
        for one, other in pairs
    }
    with translation.override(language):
        assert {text: gettext(text) for text in texts if text} == {
            text: other for text, other in texts.items() if text
        }


def test_an_amount_of_money_in_arabic_keeps_its_currency_on_its_side() -> None:
    with translation.override("ar"):
        texts = [gettext(text) for text in said() if "{fee}" in text or "{bonus}" in text]
    assert [text for text in texts if not re.search("\u2068{(fee|bonus)}\u2069", text)] == []


def enter(client: Client, language: str) -> Session:
    code = create_session(make.study(consent_text=DEFAULT.consent_text), new_participant(), None)[1]
    client.post("/", {"code": code, "language": language})
    return Session.objects.get()


def test_the_language_of_the_first_page_is_that_of_the_session_and_of_the_consent(client: Client) -> None:
    assert 'dir="rtl"' in client.get("/?language=ar").content.decode()
    assert enter(client, "ar").language == "ar"
    page = client.get("/session/consent/").content.decode()
    assert '<html lang="ar" dir="rtl">' in page
    assert "I agree" not in page
    client.post("/session/consent/", {"answer": "agree"})
    with translation.override("ar"):
        assert Consent.objects.get().text == gettext(DEFAULT.consent_text)


def test_a_language_that_is_not_offered_leaves_english(client: Client) -> None:
    assert '<html lang="en">' in client.get("/?language=xx").content.decode()
    assert enter(client, "xx").language == "en"
    assert "I agree" in client.get("/session/consent/").content.decode()


SENTENCE = re.compile(r"""(?<!gettext\()(["`])([A-Z][a-z]+[ ,.?!…:][^"`\n]*)\1""")
NOT_SHOWN = re.compile(r"/\*.*?\*/|^\s*//.*?$|new \w*Error\(.*?$", re.S | re.M)


def test_no_script_says_a_sentence_outside_the_catalogue() -> None:
    """Also in states that no test brings about."""
    places = [settings.BASE_DIR / each for each in SCRIPTS]
    files = [file for place in places for file in (place.rglob("*.js") if place.is_dir() else [place])]
    texts = {file: SENTENCE.findall(NOT_SHOWN.sub("", file.read_text("utf-8"))) for file in files}
    assert {file.name: said for file, said in texts.items() if said} == {}


@pytest.mark.parametrize(
    ("address", "status", "code"),
    [("/nowhere/", 404, "page_unknown"), ("/?x=%00", 400, "malformed_request")],
)
@pytest.mark.parametrize("language", OTHERS)
def test_pages_of_errors_are_in_the_language_of_the_session(
    client: Client, address: str, status: int, code: str, language: str
) -> None:
    in_english = client.get(address).content.decode()
    enter(client, language)
    answer = client.get(address)
    page = answer.content.decode()
    assert (answer.status_code, f'<html lang="{language}"' in page) == (status, True)
    assert f"<code>{code}</code>" in page
    headings = [re.search("<h1>(.*)</h1>", each) for each in (page, in_english)]
    assert len({found[1] for found in headings if found}) == 2
    assert '<html lang="en">' in client.get("/staff/nowhere/", follow=True).content.decode()


def test_a_refused_form_and_a_failure_are_told_in_the_language_of_the_session() -> None:
    strict = Client(enforce_csrf_checks=True, raise_request_exception=False)
    strict.cookies[COOKIE] = "ar"
    answer = strict.post("/", {"code": "K7M2QX"})
    assert (answer.status_code, b'lang="ar" dir="rtl"' in answer.content) == (403, True)
    request = RequestFactory().get("/")
    request.COOKIES[COOKIE] = "ar"
    failure = went_wrong(request)
    assert (failure.status_code, b'lang="ar" dir="rtl"' in failure.content) == (500, True)


def test_staff_choose_a_language_that_holds_until_the_participant_chooses_another(client: Client) -> None:
    study = make.study(consent_text=DEFAULT.consent_text)
    code = create_session(study, new_participant(), None, language="ar")[1]
    client.post("/", {"code": code, "language": ""})
    assert 'lang="ar"' in client.get("/session/consent/").content.decode()
    client.post("/session/consent/", {"language": "es"})
    assert Session.objects.get().language == "es"
    assert 'lang="es"' in client.get("/session/consent/").content.decode()
    client.post("/session/consent/", {"answer": "agree"})
    client.post("/session/consent/", {"language": "en"})
    assert Session.objects.get().language == "es"


def test_the_next_person_at_a_browser_begins_in_english(client: Client) -> None:
    enter(client, "ar")
    end_session(Session.objects.get(), SessionEnd.ENDED_BY_STAFF)
    assert 'lang="ar"' in client.get("/session/thanks/").content.decode()
    assert COOKIE not in {name for name, cookie in client.cookies.items() if cookie.value}
    assert '<html lang="en">' in client.get("/").content.decode()
