"""Reads of specification cards: for their pages, for the gate, and for code that asks about mechanics."""

import secrets
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, QuerySet

from playtest.rules.cards import (
    SIGN_OFFS,
    CardContent,
    Mechanic,
    changed_parts,
    content_of,
    introduced,
    missing,
)
from playtest.rules.pipeline import Fact
from playtest.studio.models import (
    CardComment,
    CardRevision,
    CardSignOff,
    CardWaiver,
    Environment,
    SpecificationCard,
)


@dataclass(frozen=True)
class ListedCard:
    """A row of the list: the card, how many signed its latest revision, and when that was saved."""

    card: SpecificationCard
    signed: int
    saved_at: datetime
    complete: bool

    @property
    def approved(self) -> bool:
        return self.signed >= SIGN_OFFS


@dataclass(frozen=True)
class History:
    """A revision with what changed in it and its sign-offs, withdrawn ones too."""

    revision: CardRevision
    changed: tuple[str, ...]
    sign_offs: tuple[CardSignOff, ...]


def listed_cards() -> list[ListedCard]:
    """Every card, the one saved last first."""
    cards = SpecificationCard.objects.select_related("environment", "author")
    signed = _signers([card.environment_id for card in cards])
    latest = {
        revision.card_id: revision for revision in CardRevision.objects.filter(number=F("card__revision"))
    }
    rows = [
        ListedCard(
            card,
            len(signed[card.environment_id]),
            latest[card.pk].saved_at,
            not missing(content_of(latest[card.pk].content)),
        )
        for card in cards
    ]
    return sorted(rows, key=lambda row: row.saved_at, reverse=True)


def latest_revision(card: SpecificationCard) -> CardRevision:
    return card.revisions.get(number=card.revision)


def content_of_environment(environment: Environment) -> CardContent | None:
    """What the latest revision of its card says; None without a card."""
    return contents_of([environment]).get(environment.pk)


def contents_of(environments: Collection[Environment]) -> dict[int, CardContent]:
    """The same of several, by the environment's pk, without those that have no card."""
    latest = CardRevision.objects.filter(card__environment__in=environments, number=F("card__revision"))
    rows = latest.values_list("card__environment", "content")
    return {pk: content_of(content) for pk, content in rows}


def mechanics_by_level(environment: Environment) -> dict[int, tuple[Mechanic, ...]]:
    """The mechanics that each level introduces, by the latest revision of the card; empty without a card.

    Every other part of the product that asks which mechanic a level is about asks here.
    """
    content = content_of_environment(environment)
    return introduced(content) if content else {}


def history(card: SpecificationCard) -> list[History]:
    """Every revision, the latest first."""
    revisions = list(card.revisions.order_by("number"))
    signed: defaultdict[int, list[CardSignOff]] = defaultdict(list)
    for one in CardSignOff.objects.filter(revision__card=card).select_related("staff").order_by("pk"):
        signed[one.revision_id].append(one)
    contents = [CardContent(), *(content_of(revision.content) for revision in revisions)]
    rows = [
        History(revision, tuple(changed_parts(before, after)), tuple(signed[revision.pk]))
        for revision, before, after in zip(revisions, contents, contents[1:], strict=False)
    ]
    return rows[::-1]


def comments(card: SpecificationCard) -> QuerySet[CardComment]:
    """The comments on any revision, the first one first."""
    found = CardComment.objects.filter(revision__card=card).select_related("author", "revision")
    return found.defer("revision__content").order_by("pk")


def facts(environments: Collection[Environment]) -> dict[int, Fact]:
    """What the gate to Internal asks of the card of each environment, by its pk."""
    pks = [environment.pk for environment in environments]
    cards = {card.environment_id: card for card in SpecificationCard.objects.filter(environment__in=pks)}
    waived = dict(CardWaiver.objects.filter(environment__in=pks).values_list("environment", "reason"))
    signers, lapsed = _signers(pks), _lapsed(pks)
    return {pk: _fact(cards.get(pk), waived.get(pk), signers[pk], lapsed[pk]) for pk in pks}


def _fact(card: SpecificationCard | None, waived: str | None, signers: list[str], lapsed: int) -> Fact:
    if card is not None and len(signers) >= SIGN_OFFS:
        sentence = f"Revision {card.revision} of its card is signed by {' and '.join(signers)}."
        return Fact(True, sentence, {"revision": card.revision, "signed_by": signers})
    if waived is not None:
        return Fact(True, f"It needs no card: {waived}", {"waived": waived})
    if card is None:
        return Fact(False, "It needs a specification card.")
    left = SIGN_OFFS - len(signers)
    sentence = f"Its card needs {left} more sign-off{'' if left == 1 else 's'}"
    because = f": {lapsed} lapsed when revision {card.revision} was saved." if lapsed else "."
    return Fact(False, sentence + because, {"revision": card.revision, "signed_by": signers})


def _signers(environments: Iterable[int]) -> defaultdict[int, list[str]]:
    """Who signed the latest revision and has not withdrawn, by the environment's pk."""
    rows = _sign_offs(environments).filter(revision__number=F("revision__card__revision"))
    found: defaultdict[int, list[str]] = defaultdict(list)
    for environment, name in rows.values_list("revision__card__environment", "staff__username"):
        found[environment].append(name)
    return found


def _lapsed(environments: Iterable[int]) -> defaultdict[int, int]:
    """How many signed the revision before the latest one, by the environment's pk."""
    rows = _sign_offs(environments).filter(revision__number=F("revision__card__revision") - 1)
    found: defaultdict[int, int] = defaultdict(int)
    for environment in rows.values_list("revision__card__environment", flat=True):
        found[environment] += 1
    return found


def _sign_offs(environments: Iterable[int]) -> QuerySet[CardSignOff]:
    known = CardSignOff.objects.filter(revision__card__environment__in=environments, withdrawn_at=None)
    return known.order_by("pk")


_LETTERS = "bcdfghjkmnpqrstvwxz"
_DIGITS = "23456789"
_TRIES = 20


def suggested_id() -> str:
    """Two consonants and two digits, which no environment has; empty if none is found soon."""
    made = {
        "".join(secrets.choice(letters) for letters in (_LETTERS, _LETTERS, _DIGITS, _DIGITS))
        for _ in range(_TRIES)
    }
    taken = set(Environment.objects.filter(code__in=made).values_list("code", flat=True))
    return next(iter(made - taken), "")
