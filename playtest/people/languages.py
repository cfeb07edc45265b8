"""The languages of participants' pages, and the words of their scripts (docs/languages.md)."""

import re
from functools import cache

from django.conf import settings
from django.conf.locale import LANG_INFO
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext

from playtest.people.cookies import set_own_cookie

ENGLISH_NAMES = {code: LANG_INFO[code]["name"] for code, _ in settings.LANGUAGES}
"""What staff call each language, by its code."""
COOKIE = "language"
"""That of the session in this browser, for pages of errors: they must not need the database."""


def offered(text: str | None) -> str:
    """The code of an offered language that is named by its code or by what it is called; "" if none is."""
    wanted = (text or "").strip().casefold()
    for code, own_name in settings.LANGUAGES:
        if wanted in (code, own_name.casefold(), ENGLISH_NAMES[code].casefold()):
            return code
    return ""


def chosen_on_page(request: HttpRequest) -> str:
    """The language that was chosen on the first page; "" before."""
    return offered(request.POST.get("language") or request.GET.get("language"))


def remember_language(response: HttpResponse, language: str) -> None:
    """Keeps the language for pages of errors, as long as the browser is open."""
    set_own_cookie(response, COOKIE, language)


SCRIPTS = ("static/play", "static/center/welcome.js", "static/center/idle.js", "static/center/code-pad.js")
"""Where scripts of participants are; what they say is an argument of `gettext`, one literal on one line."""
_SAID = re.compile(r'\bgettext\("((?:[^"\\]|\\.)*)"')


@cache
def texts_of_scripts() -> tuple[str, ...]:
    """What scripts say in English, each text once."""
    places = [settings.BASE_DIR / each for each in SCRIPTS]
    files = [file for place in places for file in (sorted(place.rglob("*.js")) or [place])]
    return tuple(dict.fromkeys(text for file in files for text in _SAID.findall(file.read_text("utf-8"))))


def words_of_scripts() -> dict[str, str]:
    """Each of these texts with its translation."""
    return {text: gettext(text) for text in texts_of_scripts()}
