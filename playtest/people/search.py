"""The search of staff pages: each room says, when it starts, what of its things can be found, and how."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import islice

from playtest.people.models import Staff
from playtest.people.roles import Right

MOST_LETTERS = 80
MOST_OF_A_KIND = 6
MOST_READ = MOST_OF_A_KIND + 1
"""One more than is listed tells that there are more."""
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


@dataclass(frozen=True, slots=True)
class Group:
    """What was found of one kind. `has_more`: not all of it is listed."""

    plural: str
    found: tuple[Found, ...]
    has_more: bool


type Pictures = Callable[[Collection[str], Staff], Mapping[str, str]]
"""Where the first frames of environments are, by their codes: of those that the reader may see."""

_KINDS: list[Kind] = []
_PICTURES: list[Pictures] = []


def show_pictures(pictures: Pictures) -> None:
    """Declares where first frames are: the room that knows environments does so when it starts."""
    _PICTURES[:] = [pictures]


def add_kind(name: str, plural: str, right: Right | None, find: Find, *, also: tuple[str, ...] = ()) -> None:
    """Declares what can be found. `right` None: `find` itself asks what the reader may open."""
    kind = Kind(name, plural, right, find, also)
    if kind not in _KINDS:
        _KINDS.append(kind)


def kinds() -> tuple[Kind, ...]:
    """All that was declared."""
    return tuple(_KINDS)


def query_of(typed: str) -> Query:
    """Reads what was typed; letters after the eightieth are passed over."""
    text = " ".join(typed.replace("\0", " ").lower().split())[:MOST_LETTERS]
    numbered = _NUMBERED.fullmatch(text)
    if numbered is None:
        return Query(text)
    number = int(numbered["number"])
    return Query(text, number if number <= _LARGEST_NUMBER else None, numbered["kind"] or "")


def search(typed: str, staff: Staff) -> list[Group]:
    """What this person may open of what fits, by kind: the kind with the best match first."""
    query = query_of(typed)
    if not query.text:
        return []
    may_open = [kind for kind in _KINDS if kind.right is None or staff.may(kind.right)]
    named = [kind for kind in may_open if query.kind and kind.is_called(query.kind)]
    groups = [_group(kind, query, staff) for kind in named or may_open]
    found = sorted((group for group in groups if group.found), key=lambda group: group.found[0].match)
    return _with_pictures(found, staff)


def _group(kind: Kind, query: Query, staff: Staff) -> Group:
    if not kind.may_be_called(query.kind):
        query = Query(query.text)  # "ke52" is no attempt 52, and "a17" is
    found = list(islice(kind.find(query, staff), MOST_READ))
    best = sorted(found, key=lambda one: one.match)[:MOST_OF_A_KIND]
    return Group(kind.plural, tuple(best), has_more=len(found) > MOST_OF_A_KIND)


def _with_pictures(groups: list[Group], staff: Staff) -> list[Group]:
    codes = {one.environment for group in groups for one in group.found if one.environment}
    pictures = _PICTURES[0](codes, staff) if codes and _PICTURES else {}
    if not pictures:
        return groups
    return [
        replace(
            group,
            found=tuple(replace(one, picture=pictures.get(one.environment, "")) for one in group.found),
        )
        for group in groups
    ]
