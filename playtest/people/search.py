"""What staff search for, and what is found: the kinds of things that each room's manifest declares."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import IntEnum

from django.db.models import Q

from playtest.people.models import Participant, Staff
from playtest.people.roles import Right

MOST_LETTERS = 80
MOST_OF_A_KIND = 6
MOST_READ = MOST_OF_A_KIND + 1
"""One more than is listed tells that there are more."""
_LEAST_WITHIN = 3
"""Fewer letters are in most references."""
_LARGEST_NUMBER = 2**31 - 1
"""Of the database's keys."""
_NUMBERED = re.compile(r"(?:(?P<kind>[a-z][a-z ]*?)\s*)?#?(?P<number>\d{1,10})")


class Match(IntEnum):
    """How well something fits what was typed; the best one is first."""

    ID = 0
    BEGINNING = 1
    WITHIN = 2


@dataclass(frozen=True, slots=True)
class Query:
    """What somebody typed: in lower case with single spaces, and the number in it.

    `kind` is what stands before the number ("attempt 17"), empty if nothing does.
    """

    text: str
    number: int | None = None
    kind: str = ""

    @property
    def terms(self) -> tuple[str, ...]:
        """The words, each of which must be in what is found."""
        return tuple(self.text.split())

    @property
    def hexadecimal(self) -> str:
        """The text as the beginning of a digest or of a UUID; empty if it cannot be one."""
        digits = self.text.replace("-", "")
        return digits if re.fullmatch(r"[0-9a-f]{4,64}", digits) else ""


@dataclass(frozen=True, slots=True)
class Found:
    """One thing: its name, a line about it, its page, and the code of its environment, if it has one.

    `picture` is where the environment's first frame is, for readers who may see it.
    """

    title: str
    address: str
    detail: str = ""
    match: Match = Match.WITHIN
    environment: str = ""
    picture: str = ""


def match_of(text: str, query: Query) -> Match:
    """How well a name fits what was typed, which is in it in any case."""
    lower = text.lower()
    if lower == query.text:
        return Match.ID
    return Match.BEGINNING if lower.startswith(query.text) else Match.WITHIN


type Find = Callable[[Query, Staff], Iterable[Found]]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of thing: its name for one, the right to open its pages, and how it is found, best first.

    `also` are other words that may stand before its number.
    """

    name: str
    plural: str
    right: Right | None
    find: Find
    also: tuple[str, ...] = ()

    def is_called(self, word: str) -> bool:
        """Whether this is a name of the kind."""
        return word in self._names

    def may_be_called(self, beginning: str) -> bool:
        """Whether a name of the kind begins so."""
        return any(name.startswith(beginning.removesuffix("s")) for name in self._names)

    @property
    def _names(self) -> tuple[str, ...]:
        return (self.name, self.plural.lower(), *self.also)


def query_of(typed: str) -> Query:
    """Reads what was typed; letters after the eightieth are passed over."""
    text = " ".join(typed.replace("\0", " ").lower().split())[:MOST_LETTERS]
    numbered = _NUMBERED.fullmatch(text)
    if numbered is None:
        return Query(text)
    number = int(numbered["number"])
    return Query(text, number if number <= _LARGEST_NUMBER else None, numbered["kind"] or "")


def participants_matching(query: Query, staff: Staff) -> Q:
    """Participants whose label or reference begins with the text, or whose reference has it as a part.

    Who may run sessions finds them by their address, too.
    """
    how = "icontains" if len(query.text) >= _LEAST_WITHIN else "istartswith"
    found = Q(label__istartswith=query.text) | Q(**{f"reference__{how}": query.text})
    if staff.may(Right.RUN_SESSIONS):
        found |= Q(**{f"contact__email__{how}": query.text})
    return found


def match_of_participant(participant: Participant, query: Query) -> Match:
    """How well the better one of a participant's label and reference fits."""
    return min(match_of(participant.label, query), match_of(participant.reference, query))
