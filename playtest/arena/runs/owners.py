"""What the owner of a key changes about its cards: marks, withdrawals, links for others; lists of cards."""

from collections.abc import Collection
from dataclasses import dataclass, replace

from django.core.signing import BadSignature, Signer
from django.db.models import QuerySet

from playtest.arena.models import BoardEntry, OwnerChange, Scorecard
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.rules.text import whole_number

LONGEST_MARK = 200
STATES = ("open", "closed", "withdrawn")
_SIGNER = Signer(salt="playtest.arena.shared-card", sep=".")
_KINDS = OwnerChange.Kind


@dataclass(frozen=True, slots=True)
class OwnerSays:
    """What is in force for a card. `link` names it to whoever has it, "" while it is not shared."""

    mark: str = ""
    withdrawn: bool = False
    link: str = ""

    def after(self, change: OwnerChange) -> "OwnerSays":
        if change.kind == _KINDS.MARKED:
            return replace(self, mark=change.text)
        if change.kind == _KINDS.RESTORED:
            return replace(self, withdrawn=False)
        link = _SIGNER.sign(str(change.pk)) if change.kind == _KINDS.SHARED else ""
        return replace(self, link=link, withdrawn=self.withdrawn or change.kind == _KINDS.WITHDRAWN)


def owner_says(cards: Collection[int]) -> dict[int, OwnerSays]:
    """What the owners of keys changed about these cards (primary keys), in one query."""
    found = dict.fromkeys(cards, OwnerSays())
    for one in OwnerChange.objects.filter(card__in=cards).order_by("pk"):
        found[one.card_id] = found[one.card_id].after(one)
    return found


def change_card(card: Scorecard, kind: str, text: str = "") -> None:
    """Stores what the owner of its key changes. `text` is a mark, cut at LONGEST_MARK characters.

    Refusal: change_unknown, card_on_board, card_withdrawn.
    """
    if kind not in _KINDS:
        raise Refusal("change_unknown", "Load the page again: it has no such button.", status=400)
    if kind == _KINDS.WITHDRAWN and BoardEntry.objects.filter(card=card, removal=None).exists():
        message = "This scorecard is on a board. Ask whoever runs this server to take it off first."
        raise Refusal("card_on_board", message)
    if kind == _KINDS.SHARED and owner_says([card.pk])[card.pk].withdrawn:
        raise Refusal("card_withdrawn", "A withdrawn scorecard is not shared: restore it first.")
    OwnerChange.objects.create(card=card, kind=kind, at=now(), text=" ".join(text.split())[:LONGEST_MARK])


def card_of_link(link: str) -> Scorecard | None:
    """The card that a link shows; None once it was taken back, or the key revoked."""
    try:
        number = whole_number(_SIGNER.unsign(link)) or 0
    except BadSignature:
        return None
    changes = OwnerChange.objects.select_related("card__key")
    made = changes.filter(pk=number, card__key__revoked_at=None).first()
    return made.card if made and owner_says([made.card_id])[made.card_id].link == link else None


def listed(cards: QuerySet[Scorecard], search: str, tag: str, state: str) -> tuple[list[int], list[str]]:
    """Those of these cards (primary keys, newest first) that match, and the tags that any of them has.

    `search`: every word of it is in their id, tags, mark, source or the name of the key.
    """
    columns = ("pk", "card_id", "tags", "source_url", "key__name", "closed_at")
    rows = list(cards.order_by("-opened_at", "-pk").values_list(*columns))
    says = owner_says([row[0] for row in rows])
    found, wanted = [], search.lower().split()
    for pk, card_id, tags, source, key, closed_at in rows:
        searched = " ".join((str(card_id), *tags, source, key, says[pk].mark)).lower()
        states = ["closed" if closed_at else "open", *["withdrawn"] * says[pk].withdrawn]
        if all(word in searched for word in wanted) and tag in ("", *tags) and state in ("", *states):
            found.append(pk)
    return found, sorted({one for row in rows for one in row[2]})
