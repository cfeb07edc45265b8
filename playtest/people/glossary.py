"""The terms of docs/glossary.md, and the help of staff pages, which shows them."""

import re
from functools import cache
from typing import NamedTuple

from django.conf import settings
from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from playtest.people.access import StaffRequest, signed_in

GLOSSARY = settings.BASE_DIR / "docs" / "glossary.md"
_HEAD = ("term", "---")
_LINK = re.compile(r" ?\(?\[[^\]]*\]\([^)]*\)\)?")
_FOR_DEVELOPERS = "Programs"


class Term(NamedTuple):
    """A term with its meaning, both in plain text."""

    term: str
    meaning: str


class Section(NamedTuple):
    title: str
    terms: list[Term]


@cache
def sections() -> list[Section]:
    """The glossary by section, read once."""
    return parsed(GLOSSARY.read_text())


def terms_of_pages() -> list[Term]:
    """All terms but those about the program, whose words mean something else on a page, such as room."""
    return [term for section in sections() if section.title != _FOR_DEVELOPERS for term in section.terms]


def parsed(text: str) -> list[Section]:
    """The tables of a glossary below each of its second-level headings."""
    found: list[Section] = []
    for line in text.splitlines():
        if line.startswith("## "):
            found.append(Section(line.removeprefix("## "), []))
        elif line.startswith("| ") and found:
            term, meaning = (
                _LINK.sub("", cell.strip()).replace("`", "") for cell in line.strip("| ").split(" | ", 1)
            )
            if term not in _HEAD:
                found[-1].terms.append(Term(term, meaning))
    return [section for section in found if section.terms]


@require_safe
@signed_in
def page(request: StaffRequest) -> HttpResponse:
    """All terms of the glossary, and where to read more."""
    return render(request, "people/help.html", {"sections": sections()})


@require_safe
@signed_in
def terms(request: StaffRequest) -> HttpResponse:
    """The terms as JSON, of which the help shows those that stand on a page."""
    found = [{"term": one.term, "meaning": one.meaning} for one in terms_of_pages()]
    return JsonResponse({"terms": found})
