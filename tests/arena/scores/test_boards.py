"""Boards: who may enter, what is derived, and what stays of a removed entry."""

from typing import Any

import pytest
from django.urls import reverse

from playtest.arena.models import Board, BoardEntry, Disclosure, Scorecard
from playtest.arena.queries.boards import development, frontier, standings
from playtest.arena.services.boards import enter, remove
from playtest.people.roles import Role
from playtest.play.errors import Refusal
from playtest.play.models import AgentNote, Attempt
from playtest.rules.score import Reading, Variant
from playtest.studio.models import Environment, ReleaseSet
from tests.arena.scores import agents
from tests.staff import signed_in, staff

pytestmark = pytest.mark.django_db

HALF = "b" * 7 + "+"
WELL = "bbb+" + "b" * 5 + "W"


def member(code: str, release_set: str) -> None:
    """An environment of two levels in a set, with the baseline 4 and 6."""
    version = agents.version(code)
    version.metadata = {**version.metadata, "baseline_actions": [4, 6]}
    version.levels = 2
    version.save()
    Environment.objects.filter(code=code).update(release_set=release_set)


@pytest.fixture(autouse=True)
def environments() -> None:
    member("wk01", ReleaseSet.PUBLIC)
    member("ck01", ReleaseSet.PRIVATE)


def played(
    name: str,
    *,
    sets: tuple[str, ...] = ("private",),
    cost: float | None = None,
    play: str = WELL,
    **fields: Any,
) -> Scorecard:
    """A closed competition card on which every environment of its sets was played."""
    card = agents.card(name, competition=True, sets=list(sets), **fields)
    for code in [{"private": "ck01", "public": "wk01"}[one] for one in sets]:
        run = agents.run(card, [play], code)
        if cost is not None:
            AgentNote.objects.create(
                attempt=run.plays.get().attempt, seq=1, reasoning=f'{{"cost": {{"total_cost": {cost}}}}}'
            )
    return agents.closed(card)


def put(card: Scorecard, board: str = Board.OFFICIAL, **changes: str) -> BoardEntry:
    given = {"agent": card.key.name, "description": "A search.", "code_url": "https://example.org/agent"}
    return enter(card, board, staff(Role.LEAD), **(given | changes))


def refused(card: Scorecard, board: str = Board.OFFICIAL, **changes: str) -> str:
    with pytest.raises(Refusal) as found:
        put(card, board, **changes)
    assert not BoardEntry.objects.filter(card=card).exists()
    assert not Disclosure.objects.filter(card=card).exists()
    return found.value.code


def test_an_entry_has_the_score_that_its_journal_gives() -> None:
    put(card := played("search"))
    [standing] = standings(Board.OFFICIAL, Reading())
    assert (standing.score.total, standing.score.baselines) == (100, "ck01 metadata")
    [other] = standings(Board.OFFICIAL, Reading(Variant.SECOND_BEST))
    assert other.score.total == 0
    assert standings(Board.COMMUNITY, Reading()) == []
    assert Disclosure.objects.get(card=card).release_set == ReleaseSet.PRIVATE


@pytest.mark.parametrize(
    ("board", "changes", "code"),
    [
        ("best", {}, "board_unknown"),
        ("official", {"agent": " "}, "agent_missing"),
        ("official", {"description": "\n"}, "description_missing"),
        ("community", {"code_url": ""}, "code_url_missing"),
        ("community", {"code_url": "javascript:alert(1)"}, "code_url_invalid"),
        ("official", {"code_url": "https://"}, "code_url_invalid"),
        ("official", {"code_url": "https://[::1"}, "code_url_invalid"),
    ],
)
def test_an_incomplete_entry_is_refused(board: str, changes: dict[str, str], code: str) -> None:
    assert refused(played("search"), board, **changes) == code


def test_public_open_and_normal_cards_do_not_enter_the_official_board() -> None:
    assert refused(played("public", sets=("public",))) == "public_set_on_official_board"
    assert refused(played("both", sets=("public", "private"))) == "public_set_on_official_board"
    normal = agents.card("normal")
    agents.run(normal, [WELL], "ck01")
    assert refused(normal) == "card_open"
    assert refused(agents.closed(normal), Board.COMMUNITY) == "card_not_in_competition"


def test_a_public_score_enters_the_community_board_once() -> None:
    card = played("public", sets=("public",))
    entry = put(card, Board.COMMUNITY)
    with pytest.raises(Refusal, match="on a board"):
        put(card, Board.COMMUNITY)
    remove(entry, staff(Role.LEAD), " Its code is gone. ")
    with pytest.raises(Refusal) as found:
        put(card, Board.COMMUNITY)
    assert found.value.code == "already_entered"


def test_a_removed_entry_stays_with_its_reason() -> None:
    entry = put(played("search"))
    for why, code in (("  ", "why_missing"), ("", "why_missing")):
        with pytest.raises(Refusal) as found:
            remove(entry, None, why)
        assert found.value.code == code
    remove(entry, staff(Role.LEAD), "It used a tool.")
    assert standings(Board.OFFICIAL, Reading()) == []
    with pytest.raises(Refusal, match="already"):
        remove(entry, None, "Again.")
    entry.refresh_from_db()
    assert (entry.why_removed, entry.removed_by) == ("It used a tool.", staff(Role.LEAD))
    page = signed_in(Role.RESEARCHER).get(reverse("arena:boards")).content.decode()
    assert "It used a tool." in page


def test_the_frontier_has_the_best_score_up_to_each_cost() -> None:
    for name, cost, play in (
        ("cheap", 1.0, HALF),
        ("worse and dearer", 2.0, "bb"),
        ("best", 5.0, WELL),
        ("as good and dearer", 9.0, WELL),
        ("of unknown cost", None, WELL),
    ):
        put(played(name, cost=cost, play=play))
    found = standings(Board.OFFICIAL, Reading())
    assert [one.entry.agent for one in frontier(found)] == ["cheap", "best"]
    csv = signed_in(Role.RESEARCHER).get(reverse("arena:boards-figure", args=["cost", "csv"]))
    rows = csv.content.decode().splitlines()
    assert rows[0] == "label,group,x,y,frontier,reading"
    assert "best,official,5.0,100.0,True,toolkit" in rows
    assert len(rows) == 5  # not the one of unknown cost


def test_development_is_compared_with_held_out_sets() -> None:
    played("trained", sets=("public", "private"))
    second = played("trained", sets=("public",), play=HALF)
    played("elsewhere", sets=("private",))
    found = {one.agent: one for one in development(Reading())}
    of = found["trained"]
    assert of.public.mean is not None
    half = 100 * (4 / 8) ** 2 / 3
    assert (of.cards, of.public.environments, of.held_out.mean) == (2, 1, 100)
    assert of.public.mean == pytest.approx((100 + half) / 2)
    assert of.drop == pytest.approx(of.public.mean - 100)
    assert found["elsewhere"].drop is None
    assert second.key.name == "trained"


def test_the_pages_enter_and_remove_for_those_who_manage_keys() -> None:
    card = played("search")
    page, address = reverse("arena:card", args=[card.card_id]), reverse("arena:enter", args=[card.card_id])
    assert "Enter this scorecard" not in signed_in(Role.RESEARCHER).get(page).content.decode()
    engineer = signed_in(Role.ENGINEER)
    assert "Enter this scorecard" in engineer.get(page).content.decode()
    form = {"board": "community", "agent": "Search", "description": "It searches.", "code_url": ""}
    answer = engineer.post(address, form)
    assert answer.status_code == 400
    assert "code_url_missing" in answer.content.decode()
    assert "It searches." in answer.content.decode()
    answer = engineer.post(address, form | {"board": "official", "score": "99"}, follow=True)
    assert "Search is on the official board." in answer.content.decode()
    entry = BoardEntry.objects.get()
    removal = reverse("arena:entry-remove", args=[entry.pk])
    assert "why_missing" in engineer.post(removal, {}, follow=True).content.decode()
    assert "no longer" in engineer.post(removal, {"why": "A test."}, follow=True).content.decode()


def test_pages_of_nothing_say_what_will_be_there() -> None:
    assert not Attempt.objects.exists()
    client = signed_in(Role.RESEARCHER)
    assert "No agent has played yet" in client.get(reverse("arena:cards")).content.decode()
    assert "Nothing is on this board" in client.get(reverse("arena:boards")).content.decode()
    assert (
        "No agent has played this version"
        in client.get(reverse("arena:environment", args=["wk01"])).content.decode()
    )
    empty = reverse("arena:card", args=[agents.card().card_id])
    assert "Nothing was played" in client.get(empty).content.decode()
    assert (
        client.get(reverse("arena:card", args=["0" * 8 + "-0000-0000-0000-" + "0" * 12])).status_code == 404
    )
    assert client.get(reverse("arena:environment", args=["none"])).status_code == 404
