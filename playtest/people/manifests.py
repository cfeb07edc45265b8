"""What each app adds to staff's pages, their search and the record's protection: its manifest.

An app declares it as `MANIFEST` in its `manifest.py`. Lower rooms read all of them with `manifests`.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Q

from playtest.people.append_only import Protected, installed
from playtest.people.models import Staff
from playtest.people.roles import Access
from playtest.people.search import Kind

type Title = str | Callable[..., str]
"""What an address shows: a text with the address's arguments in braces, or a function of them."""
type Values = Callable[[Staff | None, Any], dict[str, Any]]
"""The values of a template, from the reader (None: nobody is signed in) and the object of the page."""


class Waits(NamedTuple):
    """How many things wait, and what they are, after the number; what of the page lists them, and a note."""

    number: int
    things: str
    part: str = ""
    note: str = ""


type Waiting = Callable[[Staff], Waits]
"""What waits for this person behind an entry."""
type News = Callable[[Staff, datetime], int]
"""How much of something is new for this person since a moment."""
type Pictures = Callable[[Collection[str], Staff], Mapping[str, str]]
"""Where the first frames of environments are, by their codes: of those that the reader may see."""


def waiting(number: int, noun: str, what: str, part: str = "") -> Waits:
    """A `Waiting`'s answer in agreement with its number: "cards wait for your signature"."""
    return Waits(number, f"{noun} waits {what}" if number == 1 else f"{noun}s wait {what}", part)


@dataclass(frozen=True)
class Entry:
    """One page, action or socket. `access` is None if nothing is declared, `does` "" without a docstring.

    `messages` are the types of message that a socket takes.
    """

    name: str
    address: str
    does: str
    access: Access | None
    messages: tuple[str, ...] = ()


class Part(NamedTuple):
    """A template for every place `{% added_parts page %}`; `home-ROLE` are the parts of a role's home."""

    page: str
    template: str
    values: Values


def _no_addresses() -> Iterable[Entry]:
    return ()


@dataclass(frozen=True)
class Manifest:
    """What one room adds.

    `titles` name pages in the trail above a page, by URL name. `waiting` counts what waits behind an entry of
    the navigation, on every page; `waiting_at_home` does so on the home alone, which shows both: pairs of an
    entry and a count, several an entry, since no other page pays for them. `new_at_home` are an entry, what
    is new behind it in words ("session ended", whose plural is given, too), and a count.
    `pictures` finds the first frames of environments for what the search finds. `protected` are tables
    of the record. `addresses` are neither pages nor sockets, for the table of access.

    `not_counted` makes a condition on attempts that are in no quota, and `promised` counts the places of a
    study that were promised without a session (`play.sessions.quota`). `agent_names` are by attempt, where
    known. `exports` make files by kind of export (`review.services.export_files`), `report` has what is known
    of an item of the report (`insight.paper.report`), and `rebuilds` compute something of attempts again and
    say how much. `gate_facts` are all facts about an environment that its gates need, waivers included.
    """

    titles: Mapping[str, Title] = field(default_factory=dict)
    kinds: tuple[Kind, ...] = ()
    pictures: Pictures | None = None
    parts: tuple[Part, ...] = ()
    waiting: Mapping[str, Waiting] = field(default_factory=dict)
    waiting_at_home: tuple[tuple[str, Waiting], ...] = ()
    new_at_home: tuple[tuple[str, str, str, News], ...] = ()
    protected: tuple[Protected, ...] = ()
    addresses: Callable[[], Iterable[Entry]] = _no_addresses
    not_counted: tuple[Callable[[], Q], ...] = ()
    promised: tuple[Callable[[Any], int], ...] = ()
    agent_names: tuple[Callable[[Collection[int]], Mapping[int, str]], ...] = ()
    exports: Mapping[str, Callable[..., str]] = field(default_factory=dict)
    report: Mapping[str, Callable[[Any], Iterable[Any]]] = field(default_factory=dict)
    rebuilds: tuple[Callable[[Any], str], ...] = ()
    gate_facts: tuple[Callable[[Any], Mapping[Any, Any]], ...] = ()


def manifests() -> tuple[Manifest, ...]:
    """The manifests of all installed apps that declare one, lower rooms first."""
    return installed()


def parts_of(page: str) -> list[Part]:
    """What all rooms add to a page."""
    return [part for manifest in manifests() for part in manifest.parts if part.page == page]
