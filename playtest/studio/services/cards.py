"""Specification cards: created, saved as revisions, commented on, signed by others.

Only the author saves. A sign-off belongs to the revision that was signed, so a later one begins without any.
"""

import json
from pathlib import Path

from django.db import IntegrityError, transaction
from django.utils import timezone

from engine.texts import TextError, text_of
from playtest.people.models import Staff
from playtest.rules.cards import LONGEST_NAME, CardContent, check_id, content_of, is_title
from playtest.rules.errors import RuleError
from playtest.rules.text import storable
from playtest.studio.models import (
    CardComment,
    CardRevision,
    CardSignOff,
    Environment,
    SpecificationCard,
)
from playtest.studio.queries.cards import lacks

NOTHING = CardContent()
CARD_FILE = "card.json"
"""A card beside the source of an environment: the JSON of its content."""
LONGEST_COMMENT = 5_000


def create_card(code: str, title: str, author: Staff) -> SpecificationCard:
    """A card with an empty first revision, and the environment whose id it reserves; the author owns it.

    RuleError: id_malformed, id_taken.
    """
    check_id(code)
    try:
        with transaction.atomic():
            environment = Environment.objects.create(code=code, title=title.strip(), owner=author)
            return _create(environment, author)
    except IntegrityError as error:
        raise RuleError("id_taken", f"The id {code} is taken: choose another one.") from error


def create_card_of(environment: Environment, author: Staff) -> SpecificationCard:
    """The card of an environment that exists without one. RuleError: card_exists."""
    try:
        with transaction.atomic():
            return _create(environment, author)
    except IntegrityError as error:
        raise RuleError("card_exists", f"{environment.code} has a card already.") from error


def take_card_file(environment: Environment, file: Path, author: Staff) -> SpecificationCard | None:
    """The card of an environment, with what the file beside its source says; None if it has a card.

    RuleError as `rules.cards.content_of`, and card_malformed for a file that is not JSON.
    """
    try:
        content = content_of(json.loads(text_of(file.read_bytes())))
    except (ValueError, TextError) as error:
        raise RuleError("card_malformed", f"{file} is not JSON.") from error
    if SpecificationCard.objects.filter(environment=environment).exists():
        return None
    with transaction.atomic():
        return _create(environment, author, content)


def save_revision(card: SpecificationCard, based_on: int, document: object, by: Staff) -> CardRevision:
    """Stores the next revision, if `based_on` is still the latest; unchanged content stays in its revision.

    Saving the same again, because no answer arrived, returns what the first request stored. RuleError as
    `rules.cards.content_of`; card_not_yours, card_changed.
    """
    if by.pk != card.author_id:
        raise RuleError("card_not_yours", "Only its author changes a card: write a comment instead.")
    content = content_of(document)
    with transaction.atomic():
        locked = SpecificationCard.objects.select_for_update().get(pk=card.pk)
        latest = locked.revisions.get(number=locked.revision)
        if latest.digest == content.digest and based_on in (latest.number, latest.number - 1):
            return latest
        if based_on != locked.revision:
            message = f"Revision {locked.revision} was saved meanwhile, perhaps in another tab."
            raise RuleError("card_changed", message)
        locked.revision += 1
        locked.save(update_fields=["revision"])
        return _store(locked, content)


def sign_off(card: SpecificationCard, number: int, by: Staff) -> CardSignOff:
    """Signs the latest revision, which is the one that was read; twice has no further effect.

    RuleError: own_card, card_changed, card_incomplete.
    """
    if by.pk == card.author_id:
        raise RuleError("own_card", "Somebody else than its author signs a card.")
    with transaction.atomic():
        revision = _latest(card, number)
        if open_ones := lacks(card, content_of(revision.content)):
            raise RuleError("card_incomplete", " ".join(open_ones))
        in_force = {"revision": revision, "staff": by, "withdrawn_at": None}
        return CardSignOff.objects.get_or_create(**in_force, defaults={"signed_at": timezone.now()})[0]


def withdraw_sign_off(card: SpecificationCard, by: Staff) -> None:
    """Withdraws one's own sign-off of the latest revision. RuleError: not_signed."""
    with transaction.atomic():
        locked = SpecificationCard.objects.select_for_update().get(pk=card.pk)
        mine = CardSignOff.objects.filter(
            revision__card=locked, revision__number=locked.revision, staff=by, withdrawn_at=None
        )
        if not mine.update(withdrawn_at=timezone.now()):
            raise RuleError("not_signed", "You have no sign-off of this revision.")


def comment(card: SpecificationCard, number: int, text: str, by: Staff, game: str = "") -> CardComment:
    """Comments on a revision, and may name a known game that is near.

    RuleError: comment_empty, comment_too_long, game_untitled, revision_unknown.
    """
    text, game = text.strip(), " ".join(game.split())
    if game and not (is_title(game) and len(game) <= LONGEST_NAME and storable(game)):
        raise RuleError("game_untitled", "Name the game by its title.")
    if not text or not storable(text):
        raise RuleError("comment_empty", "Write something.")
    if len(text) > LONGEST_COMMENT:
        message = f"A comment has at most {LONGEST_COMMENT:,} characters: shorten it."
        raise RuleError("comment_too_long", message)
    revision = card.revisions.filter(number=number).first()
    if revision is None:
        raise RuleError("revision_unknown", "There is no such revision: load the page again.")
    return CardComment.objects.create(
        revision=revision, author=by, text=text, game=game, made_at=timezone.now()
    )


def _create(environment: Environment, author: Staff, content: CardContent = NOTHING) -> SpecificationCard:
    card = SpecificationCard.objects.create(
        environment=environment, author=author, revision=1, created_at=timezone.now()
    )
    _store(card, content)
    return card


def _store(card: SpecificationCard, content: CardContent) -> CardRevision:
    return CardRevision.objects.create(
        card=card,
        number=card.revision,
        content=content.as_json(),
        digest=content.digest,
        saved_at=timezone.now(),
    )


def _latest(card: SpecificationCard, number: int) -> CardRevision:
    """The latest revision, with its card locked. RuleError: card_changed."""
    locked = SpecificationCard.objects.select_for_update().get(pk=card.pk)
    if number != locked.revision:
        message = f"Revision {locked.revision} was saved meanwhile: read it before you sign it."
        raise RuleError("card_changed", message)
    return locked.revisions.get(number=number)
