"""The search finds everything by id and by words, and nobody anything that they may not open."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import resolve, reverse
from playwright.sync_api import Page, expect

from engine.play.source import from_parts
from playtest.arena.models import Scorecard
from playtest.arena.runs.keys import create_key
from playtest.center.models import Station
from playtest.center.schedule.bookings import book
from playtest.center.schedule.slots import create_slots
from playtest.center.schedule.times import local
from playtest.insight.models import Release
from playtest.people.access import declared_access
from playtest.people.models import Contact, Staff
from playtest.people.roles import Audience, Right, Role
from playtest.people.search import MOST_OF_A_KIND, Query, query_of
from playtest.people.search_views import kinds, search
from playtest.people.services import new_participant
from playtest.play.clock import now
from playtest.play.models import Study
from playtest.review.models import Collection
from playtest.studio.models import Environment, Import
from playtest.studio.services import qualifications
from playtest.studio.services.cards import create_card_of
from tests import make
from tests.accessibility import violations
from tests.arena.runs.played import on_a_card, write_run
from tests.browsing import ORIGIN, browse, settled
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def titles(typed: str, role: Role = Role.LEAD) -> dict[str, list[str]]:
    """What is found, by kind."""
    return {group.plural: [one.title for one in group.found] for group in search(typed, staff(role))}


@pytest.mark.parametrize(
    ("typed", "query"),
    [
        ("  Attempt   17 ", Query("attempt 17", 17, "attempt")),
        ("#17", Query("#17", 17)),
        ("attempt17", Query("attempt17", 17, "attempt")),
        ("17", Query("17", 17)),
        ("2147483647", Query("2147483647", 2**31 - 1)),
        ("2147483648", Query("2147483648")),
        ("9" * 5000, Query("9" * 80)),
        ("a\0b", Query("a b")),
        ("", Query("")),
    ],
)
def test_what_was_typed_is_read(typed: str, query: Query) -> None:
    assert query_of(typed) == query


def test_only_the_beginning_of_a_digest_is_hexadecimal() -> None:
    assert query_of("BEEF").hexadecimal == "beef"
    assert query_of("0bad-beef").hexadecimal == "0badbeef"
    assert query_of("bee").hexadecimal == query_of("a" * 65).hexadecimal == query_of("wxyz").hexadecimal == ""


@pytest.fixture(scope="module")
def world(module_db: None) -> dict[str, Any]:
    """One of each thing, of the environment wk01."""
    session = make.session(make.study(name="Pilot of spring"))
    attempt = make.play(session, [4, 4, 4])
    Station.objects.create(number=7, room="Blue room")
    environment = Environment.objects.get(code="wk01")
    environment.title, environment.note = "Walking", "A note on doors."
    environment.save()
    lead = staff(Role.LEAD)
    create_card_of(environment, lead)
    version = attempt.version
    numbers = {"completers": 4, "upper_median": 9, "best": 5, "fewest_known": 5, "fewest_is_proven": False}
    levels = [{"level": level, **numbers, "low": 5, "high": 12} for level in range(1, version.levels + 1)]
    Release.objects.create(
        version=version, environment=environment, number=3, rule_version="1", people=4, asked=10,
        levels=levels, inputs_digest="0" * 64, released_at=now(),
    )  # fmt: skip
    qualification = qualifications.create(version, 1, 1)
    imported = Import.objects.create(requested_at=now())
    Collection.objects.create(name="Telling ends", note="Stuck at the doors", author=lead, created_at=now())
    key, _ = create_key("Team Alpha", staff=lead)
    card = Scorecard.objects.create(key=key, opened_at=now(), used_at=now())
    run = write_run(version, [4, 4])
    on_a_card(run, name="Nimble")
    play = make.play_internally(version, staff(Role.ENGINEER), [4])
    return {
        "run": run, "play": play,
        "session": session, "attempt": attempt, "person": session.participant.label, "version": version,
        "qualification": qualification, "import": imported, "card": card, "key": key,
    }  # fmt: skip


def test_everything_is_found_by_its_id(world: dict[str, Any]) -> None:
    session, attempt, person = world["session"], world["attempt"], world["person"]
    assert titles(f"attempt {attempt.pk}") == {"Attempts": [f"Attempt {attempt.pk}: wk01 by {person}"]}
    run, play = world["run"].pk, world["play"].pk
    assert titles(f"run {run}") == {"Runs of agents": [f"Run {run}: wk01 by Nimble"]}
    own = {"Internal plays": [f"Internal play {play}: wk01 by engineer"]}
    assert titles(f"play {play}") == titles(f"internal play {play}") == titles(f"attempt {play}") == own
    assert titles(f"attempt {run}") == titles(f"run {run}")
    assert titles(f"#{run}")["Runs of agents"] == titles(f"run {run}")["Runs of agents"]
    assert titles(f"a{attempt.pk}")["Attempts"] == titles(f"#{attempt.pk}")["Attempts"]
    assert titles(f"session {session.pk}") == {
        "Sessions": [f"Session {session.pk} of {person}"],
        "Sessions to review": [f"Effort in session {session.pk} of {person}"],
    }
    assert titles(person.upper())["People"] == [f"Attempts of {person}"]
    assert titles(person[:4])["Sessions"] == [f"Session {session.pk} of {person}"]
    assert titles("WK01")["Environments"] == ["wk01 Walking"]
    assert titles("wk01")["Cards"] == ["Card of wk01"]
    assert titles("wk01 r3") == {"Releases": ["Release 3 of wk01"]}
    digest = world["version"].digest
    assert titles(digest[:8])["Versions"] == [f"Version {digest[:8]} of wk01"]
    assert titles(f"wk01-{digest[:4]}")["Versions"] == [f"Version {digest[:8]} of wk01"]
    assert titles("station 7") == {"Stations": ["Station 7"]}
    number = world["qualification"].pk
    assert titles(f"qualification {number}") == {"Qualifications": [f"Qualification {number} of wk01"]}
    assert titles(f"import {world['import'].pk}") == {"Imports": [f"Import {world['import'].pk}"]}
    card_id = str(world["card"].card_id)
    assert titles(card_id)["Scorecards"] == titles(card_id[:10])["Scorecards"] == [f"Scorecard {card_id[:8]}"]
    assert titles(f"study {session.study_id}") == {"Studies": ["Pilot of spring"]}


@pytest.mark.parametrize("typed", ["wk01-9607627b", "WK01-9607", "9607627b"])
def test_a_version_is_found_by_its_official_id(world: dict[str, Any], typed: str) -> None:
    known = world["version"]
    source = from_parts({"game_id": "wk01-9607627b"}, f"{known.source}\n", "wk01.py")
    version = make.store_version(known.environment, source, known.levels, known.available_actions)
    assert titles(typed)["Versions"] == [f"Version {version.digest[:8]} of wk01"]


def test_things_are_found_by_words(world: dict[str, Any]) -> None:
    attempt, person = world["attempt"], world["person"]
    assert titles("walk")["Environments"] == titles("doors note")["Environments"] == ["wk01 Walking"]
    assert titles("spring") == {"Studies": ["Pilot of spring"]}
    assert titles("doors")["Collections"] == ["Telling ends"]
    assert titles("alpha")["Keys"] == ["Key Team Alpha"]
    assert titles("blue") == {"Stations": ["Station 7"]}
    assert titles(f"wk01 {person}") == {"Attempts": [f"Attempt {attempt.pk}: wk01 by {person}"]}
    assert titles("work board")["Pages"] == ["Board"]
    assert titles("doors of nobody") == {}


def test_people_are_found_by_surname_and_by_address_where_sessions_are_run(world: dict[str, Any]) -> None:
    person = new_participant("Anna Kowalska")
    Contact.objects.create(participant=person, email="a.k@example.org", stored_at=now())
    found = [f"Anna Kowalska ({person.label})"]
    assert titles("kowal", Role.PROCTOR) == titles("a.k@exam", Role.PROCTOR) == {"Participants": found}
    assert titles("ko", Role.PROCTOR) == titles("a.k@exam", Role.RESEARCHER) == {}
    begins = local(now()) + timedelta(days=1)
    [slot] = create_slots(
        make.study(people=9), None, days=[begins.date()], begins=begins.time(), minutes=120, capacity=3
    )
    book(slot, person, None)
    (group,) = search("kowalska", staff(Role.PROCTOR))
    assert (group.found[0].address, group.found[0].detail) == (
        reverse("center:slot", args=[slot.pk]),
        str(slot),
    )


def test_the_kind_with_the_best_match_is_first(world: dict[str, Any]) -> None:
    Study.objects.create(name="After the wk01 trial", created_at=now())
    assert next(iter(titles("wk01"))) == "Environments"
    assert "Studies" in titles("wk01")


def test_a_kind_lists_a_few_and_says_that_there_are_more() -> None:
    for number in range(MOST_OF_A_KIND + 1):
        Study.objects.create(name=f"Series {number}", created_at=now())
    (group,) = search("series", staff(Role.LEAD))
    assert (len(group.found), group.has_more) == (MOST_OF_A_KIND, True)
    Study.objects.filter(name="Series 0").update(name="Another")
    (group,) = search("series", staff(Role.LEAD))
    assert (len(group.found), group.has_more) == (MOST_OF_A_KIND, False)


def test_strange_texts_find_nothing(world: dict[str, Any]) -> None:
    lead = signed_in(Role.LEAD)
    for typed in ("' or 1=1 --", "%", "_", "\\", "\0", "☃", "attempt 99999999999999999999", "x" * 5000):
        assert titles(typed) == {}, typed
        if "\0" not in typed:  # which no address may have
            assert lead.get(reverse("people:search"), {"q": typed}).status_code == 200, typed


@pytest.mark.parametrize("role", list(Role))
def test_each_role_finds_only_what_it_may_open(world: dict[str, Any], role: Role) -> None:
    reader, card_id = staff(role), str(world["card"].card_id)
    texts = ("wk01", world["person"], "doors", "alpha", "room", "wall", "e", "1", "7", card_id, "spring")
    addresses = {one.address for text in texts for group in search(text, reader) for one in group.found}
    assert addresses
    of_each_name = {}
    for address in addresses:
        found = resolve(address.partition("?")[0])
        access, of_each_name[found.view_name] = declared_access(found.func), address
        assert access is Audience.SIGNED_IN or (isinstance(access, Right) and reader.may(access))
    client = signed_in(role)
    for address in of_each_name.values() if role in (Role.LEAD, Role.PROCTOR) else ():  # most and least
        assert client.get(address).status_code == 200, address


def test_environments_are_pictured_for_those_who_may_read_about_them(world: dict[str, Any]) -> None:
    address = reverse("insight:level-picture", args=["wk01", 1])
    for typed in ("walking", f"attempt {world['attempt'].pk}"):
        (group, *_) = search(typed, staff(Role.RESEARCHER))
        assert group.found[0].picture.startswith(address)
    page = signed_in(Role.RESEARCHER).get(reverse("people:search"), {"q": "walking"}).content.decode()
    assert f'<img class="first-frame" src="{address}' in page
    assert all(not one.picture for group in search("spring", staff(Role.RESEARCHER)) for one in group.found)
    for group in search(world["person"], staff(Role.PROCTOR)):
        assert [one.picture for one in group.found] == ["" for _ in group.found]


def test_an_environment_without_a_version_has_no_picture(world: dict[str, Any]) -> None:
    Environment.objects.create(code="zz99", title="Nowhere yet")
    (group,) = search("nowhere", staff(Role.LEAD))
    assert (group.found[0].environment, group.found[0].picture) == ("zz99", "")


def test_a_proctor_is_not_told_titles_of_environments(world: dict[str, Any]) -> None:
    answer = signed_in(Role.PROCTOR).get(reverse("people:search-found"), {"q": "wk01"})
    assert answer.json() == {"groups": []}


def test_every_kind_declares_its_right() -> None:
    assert {kind.name for kind in kinds() if kind.right is None} == {"page"}
    assert len({(kind.name, kind.plural) for kind in kinds()}) == len(kinds())


@pytest.mark.services
def test_ids_are_found_on_every_database(world: dict[str, Any]) -> None:
    card_id, digest = str(world["card"].card_id), world["version"].digest
    assert titles(card_id[:13])["Scorecards"] == [f"Scorecard {card_id[:8]}"]
    assert titles(digest[:8])["Versions"]
    assert titles(world["person"][:4])["People"]


def test_the_number_of_queries_does_not_grow_with_what_is_found(
    world: dict[str, Any], django_assert_max_num_queries: Any
) -> None:
    for number in range(20):
        Study.objects.create(name=f"wk01 again {number}", created_at=now())
    with django_assert_max_num_queries(20):
        search("wk01", Staff.objects.get(role=Role.LEAD))


def test_the_page_of_results_works_without_a_script(world: dict[str, Any]) -> None:
    lead, address = signed_in(Role.LEAD), reverse("people:search")
    assert "What are you looking for?" in lead.get(address).content.decode()
    assert "Nothing was found for “zzzz”" in lead.get(address, {"q": "zzzz"}).content.decode()
    page = lead.get(address, {"q": "walking"}).content.decode()
    assert "2 things found for “walking”" in page
    assert reverse("insight:environment", args=["wk01"]) in page


def test_who_is_not_signed_in_finds_nothing() -> None:
    assert Client().get(reverse("people:search-found"), {"q": "wk01"}).status_code == 302


def test_a_thing_is_opened_from_any_page_by_keys_alone(page: Page, world: dict[str, Any]) -> None:
    browse(page, signed_in(Role.LEAD))
    page.goto(f"{ORIGIN}{reverse('play:studies')}")
    settled(page)
    page.keyboard.press("Control+k")
    field = page.get_by_role("combobox", name="Search ids and words")
    expect(field).to_be_focused()
    page.keyboard.type("wk01")
    expect(page.get_by_role("option", name="wk01 Walking", exact=False).first).to_be_visible()
    settled(page)
    assert violations(page) == []
    pictures = page.get_by_role("option").locator("img.first-frame")
    expect(pictures.first).to_be_visible()
    assert pictures.first.evaluate("(image) => image.complete && image.naturalWidth > 0")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("option", selected=True)).to_have_text("wk01 Walking specification")
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("option", selected=True)).to_have_count(0)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{reverse('insight:environment', args=['wk01'])}")


def test_without_an_answer_it_says_so_and_enter_leads_to_the_page(page: Page) -> None:
    browse(page, signed_in(Role.LEAD))
    page.goto(f"{ORIGIN}{reverse('people:roles')}")
    settled(page)
    page.context.set_offline(True)
    page.keyboard.press("Control+k")
    page.keyboard.type("nothing")
    expect(page.get_by_text("The search does not answer. Press Enter to try again.")).to_be_visible()
    page.context.set_offline(False)
    page.keyboard.type(" like this")
    expect(page.get_by_text("Nothing is found. Type an id")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("listbox", name="Search results")).to_be_hidden()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Nothing was found for “nothing like this”")).to_be_visible()
    settled(page)
    assert violations(page) == []
