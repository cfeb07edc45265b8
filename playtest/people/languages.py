"""The words of scripts on participants' pages, in the language of the page (docs/languages.md)."""

import re
from functools import cache

from django.conf import settings
from django.utils.translation import gettext

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
