"""Reads of specification cards: for their pages, for the gate, and for code that asks about mechanics."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.db.models import F, QuerySet

from playtest.people.manifests import Waits, waiting
from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.rules.cards import (
    FEWEST_GAMES,
    SIGN_OFFS,
    CardContent,
    Mechanic,
    changed_parts,
    content_of,
    introduced,
    is_title,
    missing,
    says_how,
    titles,
)
from playtest.rules.pipeline import Fact, Need, Stage
from playtest.rules.sketches import LEAST_SHARE, alike
from playtest.studio.models import (
    CardComment,
    CardRevision,
    CardSignOff,
    Environment,
    SpecificationCard,
)
from playtest.studio.queries.waivers import granted

FIRST_GAMES = (Path(__file__).parent / "known_games.txt").read_text(encoding="utf-8").splitlines()
"""Titles that the list of known games begins with."""


@dataclass(frozen=True)
class ListedCard:
    """A row of the list: the card, who signed its latest revision, and when that was saved."""

    card: SpecificationCard
    signers: list[str]
    saved_at: datetime
    complete: bool

    @property
    def signed(self) -> int:
        return len(self.signers)

    @property
    def approved(self) -> bool:
        return self.signed >= SIGN_OFFS


@dataclass(frozen=True)
class History:
    """A revision with what changed in it and its sign-offs, withdrawn ones too."""

    revision: CardRevision
    changed: tuple[str, ...]
    sign_offs: tuple[CardSignOff, ...]


def listed_cards(chosen: QuerySet[SpecificationCard] | None = None) -> list[ListedCard]:
    """Every card, or the chosen ones, the one saved last first."""
    found = SpecificationCard.objects.all() if chosen is None else chosen
    cards = list(found.select_related("environment", "author").defer("environment__note"))
    signed = _signers([card.environment_id for card in cards])
    latest = {
        revision.card_id: revision
        for revision in CardRevision.objects.filter(card__in=cards, number=F("card__revision"))
    }
    unsigned = [card for card in cards if len(signed[card.environment_id]) < SIGN_OFFS]
    open_ones = _lacks({card.pk: content_of(latest[card.pk].content) for card in unsigned})
    rows = [
        ListedCard(card, signed[card.environment_id], latest[card.pk].saved_at, not open_ones.get(card.pk))
        for card in cards
    ]
    return sorted(rows, key=lambda row: row.saved_at, reverse=True)


def waiting_for(reader: Staff) -> Waits:
    """How many complete cards of environments in Specification this person can sign."""
    if not reader.may(Right.REVIEW_CARDS):
        return Waits(0, "")
    specified = SpecificationCard.objects.filter(environment__stage=Stage.SPECIFICATION)
    unsigned = [
        row.card.environment
        for row in listed_cards(specified.exclude(author=reader))
        if row.complete and not row.approved and reader.get_username() not in row.signers
    ]
    waived = granted(unsigned)
    asked = [one for one in unsigned if Need.CARD not in waived[one.pk]]
    return waiting(len(asked), "card", "for your signature")


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


def lacks(card: SpecificationCard, content: CardContent) -> list[str]:
    """What a card lacks before it can be signed, compared with other cards and with what reviewers named."""
    return _lacks({card.pk: content})[card.pk]


def _lacks(contents: Mapping[int, CardContent]) -> dict[int, list[str]]:
    """The same of several cards, by the card's pk. A sketch is of the card that showed it first.

    Titles are known from the first list, from what reviewers named and from other cards.
    """
    if not contents:
        return {}
    drawn: defaultdict[str, dict[int, str]] = defaultdict(dict)
    listed: defaultdict[str, set[int]] = defaultdict(set)
    latest = CardRevision.objects.filter(number=F("card__revision")).order_by("card")
    for card, code, written in latest.values_list("card", "card__environment__code", "content"):
        for game in written.get("known_games", ()):
            listed[game["name"].casefold()].add(card)
        for sketch in written.get("sketches", ()):
            drawn[sketch["cells"]][card] = code
    games: defaultdict[int, dict[str, None]] = defaultdict(dict)
    for card, game in (
        CardComment.objects.exclude(game="").order_by("pk").values_list("revision__card", "game")
    ):
        games[card][game] = None
    first = {title.casefold() for named in (FIRST_GAMES, *games.values()) for title in named}

    return {
        card: [
            *missing(content),
            *_copied(card, content, drawn),
            *_unlisted(
                content, [title for title in titles(content) if title in first or listed[title] - {card}]
            ),
            *_unanswered(content, games[card]),
        ]
        for card, content in contents.items()
    }


def _copied(card: int, content: CardContent, drawn: Mapping[str, Mapping[int, str]]) -> Iterator[str]:
    for cells in dict.fromkeys(one.cells for one in content.sketches):
        others = {pk: code for one in alike(cells, drawn) for pk, code in drawn[one].items() if pk != card}
        if others and (owner := _first(cells, {card, *others})) != card:
            yield (
                f"Draw it anew: however a sketch is turned, mirrored or recoloured, {LEAST_SHARE:.0%} of"
                f" what is drawn must differ from each of {others[owner]}."
            )


def _unlisted(content: CardContent, known: Collection[str]) -> Iterator[str]:
    if len(known) < FEWEST_GAMES <= len(titles(content)) and not says_how(content):
        yield f"Name {FEWEST_GAMES} known games of the list, or say how you searched for others."


def _unanswered(content: CardContent, games: Iterable[str]) -> Iterator[str]:
    named = {one.name.casefold() for one in content.known_games}
    for game in games:
        if game.casefold() not in named:
            yield f"A reviewer named {game}: say what is new compared with it."


def _first(cells: str, cards: Collection[int]) -> int:
    """Which of the cards had a sketch in its earliest revision."""
    revisions = CardRevision.objects.filter(card__in=cards).order_by("pk")
    rows = revisions.values_list("card", "content__sketches")
    return next(card for card, found in rows if alike(cells, (one["cells"] for one in found or ())))


def known_games() -> list[str]:
    """Titles of known games: of a first list, of all cards, and those that reviewers named."""
    contents = CardRevision.objects.filter(number=F("card__revision")).values_list("content", flat=True)
    found = [game["name"] for content in contents for game in content.get("known_games", ())]
    found += CardComment.objects.exclude(game="").values_list("game", flat=True)
    titles = {name.casefold(): name for name in [*found, *FIRST_GAMES] if is_title(name)}
    return sorted(titles.values(), key=str.casefold)


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
    signers = _signers(pks)
    unsigned = {pk: card for pk, card in cards.items() if len(signers[pk]) < SIGN_OFFS}
    lapsed = _lapsed(unsigned)
    contents = contents_of([one for one in environments if one.pk in unsigned])
    open_ones = _lacks({card.pk: contents[pk] for pk, card in unsigned.items()})
    return {
        pk: _fact(card, signers[pk], lapsed[pk], open_ones.get(card.pk, []) if card else [])
        for pk in pks
        for card in [cards.get(pk)]
    }


def _fact(card: SpecificationCard | None, signers: list[str], lapsed: int, open_ones: list[str]) -> Fact:
    if card is not None and len(signers) >= SIGN_OFFS:
        sentence = f"Revision {card.revision} of its card is signed by {' and '.join(signers)}."
        return Fact(True, sentence, {"revision": card.revision, "signed_by": signers})
    if card is None:
        return Fact(False, "It needs a specification card.")
    if open_ones:
        return Fact(False, f"Its card is not complete. {open_ones[0]}", {"lacks": open_ones})
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
