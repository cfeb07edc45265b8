"""Cards: revisions, sign-offs that belong to one, the gate that asks for them, and what needs none."""

import json
from itertools import combinations
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from playtest.people.models import Staff
from playtest.people.roles import Role
from playtest.rules.cards import content_of, titles
from playtest.rules.errors import RuleError
from playtest.rules.pipeline import Need
from playtest.rules.sketches import alike
from playtest.studio.models import Environment, Sighting, SpecificationCard
from playtest.studio.queries import gates
from playtest.studio.queries.cards import (
    FIRST_GAMES,
    history,
    known_games,
    lacks,
    listed_cards,
    mechanics_by_level,
    waiting_for,
)
from playtest.studio.queries.redundancy import marks_of
from playtest.studio.services.cards import (
    comment,
    create_card,
    create_card_of,
    save_revision,
    sign_off,
    withdraw_sign_off,
)
from tests import make
from tests.make import ENVIRONMENTS
from tests.staff import signed_in, staff
from tests.studio.sketch_texts import CELLS, content

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def card() -> SpecificationCard:
    """wk01's card by the designer, complete in revision 2; nothing is imported."""
    made = create_card("wk01", "Walk", staff(Role.DESIGNER))
    save_revision(made, 1, content(), made.author)
    made.refresh_from_db()
    return made


def sign(card: SpecificationCard, *roles: Role) -> None:
    for role in roles:
        sign_off(card, card.revision, staff(role))


def gate(code: str = "wk01") -> str:
    environment = Environment.objects.select_related("current").get(code=code)
    return gates.facts([environment], marks_of([environment]))[environment.pk][Need.CARD].sentence


def refused(do: Any, *args: Any) -> str:
    with pytest.raises(RuleError) as raised:
        do(*args)
    return raised.value.code


def test_a_card_reserves_its_id_and_the_import_is_linked_to_it(card: SpecificationCard) -> None:
    assert refused(create_card, "wk01", "", staff(Role.LEAD)) == "id_taken"
    assert refused(create_card, "Walk", "", staff(Role.LEAD)) == "id_malformed"
    assert refused(create_card, "mar1", "", staff(Role.LEAD)) == "id_misread"
    call_command("import_environments", str(ENVIRONMENTS / "wk01"), verbosity=0)
    found = Environment.objects.get(code="wk01")
    assert found.current is not None
    assert (found.card, found.owner) == (card, staff(Role.DESIGNER))
    assert [one.name for one in mechanics_by_level(found)[3]] == ["pits"]


def test_two_others_sign_and_a_change_makes_their_sign_offs_lapse(card: SpecificationCard) -> None:
    assert gate() == "Its card needs 2 more sign-offs."
    assert refused(sign_off, card, card.revision, card.author) == "own_card"
    sign(card, Role.LEAD, Role.LEAD)
    assert gate() == "Its card needs 1 more sign-off."
    sign(card, Role.ENGINEER)
    assert gate() == "Revision 2 of its card is signed by lead and engineer."
    withdraw_sign_off(card, staff(Role.ENGINEER))
    assert refused(withdraw_sign_off, card, staff(Role.ENGINEER)) == "not_signed"
    assert gate() == "Its card needs 1 more sign-off."
    sign(card, Role.ENGINEER)
    assert save_revision(card, 2, content(), card.author).number == 2  # nothing has changed
    save_revision(card, 2, content(concept="Walk around the ring."), card.author)
    assert gate() == "Its card needs 2 more sign-offs: 2 lapsed when revision 3 was saved."
    assert refused(sign_off, card, 2, staff(Role.LEAD)) == "card_changed"
    rows = history(card)
    assert [(row.revision.number, row.changed, len(row.sign_offs)) for row in rows] == [
        (3, ("concept",), 0),
        (2, ("concept", "mechanics", "priors", "controls", "known games", "sketches"), 3),
        (1, (), 0),
    ]
    (listed,) = listed_cards()
    assert (listed.signed, listed.complete, listed.approved) == (0, True, False)


@pytest.mark.services
def test_a_save_names_the_revision_that_it_is_based_on(card: SpecificationCard) -> None:
    mine, other = content(concept="Mine."), content(concept="Of another tab.")
    assert save_revision(card, 2, other, card.author).number == 3
    assert save_revision(card, 2, other, card.author).number == 3  # sent again, since no answer arrived
    assert refused(save_revision, card, 2, mine, card.author) == "card_changed"
    assert save_revision(card, 3, mine, card.author).number == 4
    assert refused(save_revision, card, 4, mine, staff(Role.LEAD)) == "card_not_yours"
    assert refused(save_revision, card, 4, {}, card.author) == "card_malformed"
    assert [row.revision.content["concept"] for row in history(card)] == [
        "Mine.", "Of another tab.", "Walk to the ring.", "",
    ]  # fmt: skip


def test_an_unfinished_card_is_not_signed_but_commented_on(card: SpecificationCard) -> None:
    save_revision(card, 2, content(sketches=[]), card.author)
    assert refused(sign_off, card, 3, staff(Role.LEAD)) == "card_incomplete"
    comment(card, 2, " The pits are hard to see. ", staff(Role.LEAD))
    assert refused(comment, card, 9, "?", staff(Role.LEAD)) == "revision_unknown"
    assert refused(comment, card, 2, " ", staff(Role.LEAD)) == "comment_empty"
    assert refused(comment, card, 2, "x" * 5_001, staff(Role.LEAD)) == "comment_too_long"
    page = signed_in(Role.DESIGNER).get(reverse("studio:card", args=["wk01"])).content.decode()
    assert "The pits are hard to see." in page
    assert "Draw at least one level." in page


def test_a_card_is_compared_with_others_and_with_what_reviewers_name(
    card: SpecificationCard,
) -> None:
    other = create_card("wk02", "", staff(Role.DESIGNER))
    save_revision(other, 1, content(), other.author)
    other.refresh_from_db()
    anew = (
        "Draw it anew: however a sketch is turned, mirrored or recoloured, 20% of what is drawn must differ"
    )
    assert lacks(other, content_of(content())) == [f"{anew} from each of wk01."]
    assert refused(sign_off, other, other.revision, staff(Role.LEAD)) == "card_incomplete"
    assert gate("wk02") == f"Its card is not complete. {anew} from each of wk01."
    assert waiting_for(staff(Role.LEAD)).number == 1  # wk01, which was drawn first
    assert "Sokoban" in known_games()
    assert refused(comment, card, 2, "Near.", staff(Role.LEAD), "games with pits") == "game_untitled"
    recoloured = {"level": 1, "caption": "", "cells": "7" + CELLS[:0:-1].translate(str.maketrans("0f", "f0"))}
    assert lacks(other, content_of(content(sketches=[recoloured]))) == [f"{anew} from each of wk01."]
    drawn = {"level": 1, "caption": "", "cells": "01" * 2048}
    save_revision(other, 2, content(sketches=[drawn]), other.author)
    unknown = [{"name": name, "new": "All."} for name in ("Quux Quest", "Sokoban")]
    assert lacks(other, content_of(content(sketches=[drawn], known_games=unknown))) == [
        "Name 2 known games of the list, or say how you searched for others."
    ]
    comment(card, 2, "Look at this one.", staff(Role.LEAD), "Quux Quest")
    assert "Quux Quest" in known_games()
    assert lacks(other, content_of(content(sketches=[drawn], known_games=unknown))) == []
    assert refused(sign_off, card, card.revision, staff(Role.LEAD)) == "card_incomplete"
    told = [*content()["known_games"], {"name": "Quux Quest", "new": "No quest."}]
    save_revision(card, 2, content(known_games=told), card.author)
    card.refresh_from_db()
    sign(card, Role.ENGINEER)


def test_each_shipped_card_draws_something_of_its_own_and_names_games_of_the_list() -> None:
    shipped = [content_of(json.loads(file.read_text())) for file in settings.GAMES_DIR.glob("*/card.json")]
    for own, other in combinations(shipped, 2):
        others = [one.cells for one in other.sketches]
        assert not any(alike(sketch.cells, others) for sketch in own.sketches)
    assert {title for content in shipped for title in titles(content)} <= {*map(str.casefold, FIRST_GAMES)}


def test_an_environment_without_a_card_can_get_one() -> None:
    walk = make.environment()
    designer = signed_in(Role.DESIGNER)
    assert "Write its card" in studio_page(designer)
    designer.post(reverse("studio:card-begin", args=["wk01"]))
    assert refused(create_card_of, walk, staff(Role.LEAD)) == "card_exists"
    assert "Read its card" in studio_page(designer)


def studio_page(client: Client) -> str:
    return client.get(reverse("studio:environment", args=["wk01"])).content.decode()


def test_who_reads_a_card_has_seen_the_environment(card: SpecificationCard) -> None:
    reader = signed_in(Role.RESEARCHER)
    assert reader.get(reverse("studio:card", args=["wk01"])).status_code == 200
    assert reader.get(reverse("studio:card", args=["wk01"]), {"revision": "7"}).status_code == 404
    reader.get(reverse("studio:environment", args=["wk01"]))
    seen = Sighting.objects.get(environment=card.environment)
    assert (seen.staff, seen.kind) == (staff(Role.RESEARCHER), "studio")


def test_only_the_author_opens_the_editor(card: SpecificationCard) -> None:
    another = Staff.objects.create(username="another", role=Role.DESIGNER)
    client = Client()
    client.force_login(another, backend="django.contrib.auth.backends.ModelBackend")
    page = client.get(reverse("studio:card-edit", args=["wk01"])).content.decode()
    assert "Only its author changes this card" in page
    assert "Save revision" not in page
    body = {"based_on": 2, "content": content(concept="Theirs.")}
    address = reverse("studio:card-save", args=["wk01"])
    answer = client.post(address, body, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (409, "card_not_yours")
    author = signed_in(Role.DESIGNER)
    for malformed in ("[]", "{", '{"based_on": true}', '{"based_on": 2}'):
        answer = author.post(address, malformed, content_type="application/json")
        assert (answer.status_code, answer.json()["code"]) == (409, "card_malformed")
    answer = author.post(address, body, content_type="application/json")
    assert answer.json() == {"revision": 3, "missing": []}
