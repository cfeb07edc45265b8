"""Participants' pages are in the language chosen before consent, and nothing of them lacks a translation."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import Client
from django.utils import translation
from django.utils.translation import gettext
from django.utils.translation.template import templatize

from playtest.people.languages import texts_of_scripts
from playtest.people.models import Consent
from playtest.people.services import new_participant
from playtest.play.models import Session
from playtest.play.sessions.services import create_session
from playtest.rules import debrief
from playtest.rules.protocol import DEFAULT
from playtest.rules.survey_questions import PAPERS, QUESTIONS
from tests import make

pytestmark = [pytest.mark.django_db, pytest.mark.once]

TEMPLATES = [
    "participant.html",
    "center/welcome.html",
    *(f"play/{path.name}" for path in (settings.BASE_DIR / "templates/play").glob("*.html")),
]
PYTHON = ["playtest/play/sessions/page_content.py", "playtest/rules/protocol_text.py"]
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
    assert same <= {"No"}  # the same in Spanish
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
