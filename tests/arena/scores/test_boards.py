"""Boards: who may enter, what is derived, and what stays of a removed entry."""

from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.urls import reverse

from playtest.arena.models import Board, BoardEntry, Declaration, Disclosure, Harness, Scorecard
from playtest.arena.scores.boards import adopt_harness, declare, enter, remove, standings
from playtest.arena.scores.comparisons import development_of
from playtest.people.roles import Role
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.journal.triggers import set_triggers
from playtest.play.models import AgentNote, Attempt
from playtest.rules.score import Reading, Variant
from playtest.studio.models import Environment, ReleaseSet
from tests.arena.scores import agents
from tests.review.tampering import unprotect
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

HALF = "b" * 7 + "+"
WELL = "bbb+" + "b" * 5 + "W"


def member(code: str, release_set: str) -> None:
    """An environment of two levels in a set, with the baseline 4 and 6."""
    version = agents.version(code)
    version.metadata = {**version.metadata, "baseline_actions": [4, 6]}
    version.levels = 2
    unprotect()
    version.save()
    set_triggers(connection)
    Environment.objects.filter(code=code).update(release_set=release_set)


@pytest.fixture(autouse=True, scope="module")
def environments(module_db: None) -> None:
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
    """On the official board, another person declares it."""
    given = {"agent": card.key.name, "description": "A search.", "code_url": "https://example.org/agent"}
    entry = enter(card, board, staff(Role.ENGINEER), **(given | changes))
    if board == Board.OFFICIAL:
        declare(entry, bench(), staff(Role.LEAD), no_tools=True, evidence="Read three runs.")
    return entry


def bench(version: str = "1") -> Harness:
    known = Harness.objects.filter(name="bench", version=version).first()
    return known or adopt_harness("bench", version, "https://example.org/bench", staff(Role.LEAD))


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
    entry = BoardEntry.objects.get()
    assert (entry.removal.why, entry.removal.removed_by) == ("It used a tool.", staff(Role.LEAD))
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
    csv = signed_in(Role.RESEARCHER).get(reverse("arena:boards-figure", args=["cost", "csv"]))
    rows = csv.content.decode("utf-8-sig").splitlines()
    assert rows[0] == "label,group,x,y,frontier,reading"
    assert 'best,official,5.0,100.0,True,"toolkit, undo counted"' in rows
    assert [row.split(",")[0] for row in rows if ",True," in row] == ["best", "cheap"]
    assert len(rows) == 5  # not the one of unknown cost


@pytest.mark.services
def test_development_is_compared_with_held_out_sets() -> None:
    played("trained", sets=("public", "private"))
    second = played("trained", sets=("public",), play=HALF)
    played("elsewhere", sets=("private",))
    found = {one.agent: one for one in development_of(["trained", "elsewhere", "nobody"], Reading())}
    of = found["trained"]
    assert of.public.mean is not None
    half = 100 * (4 / 8) ** 2 / 3
    assert (of.cards, of.public.environments, of.held_out.mean) == (2, 1, 100)
    assert of.public.mean == pytest.approx((100 + half) / 2)
    assert of.drop == pytest.approx(of.public.mean - 100)
    assert found["elsewhere"].drop is None
    assert second.key.name == "trained"
    Environment.objects.update(release_set=ReleaseSet.NONE)  # a run keeps the set in which it began
    [again] = development_of(["trained"], Reading())
    assert (again.public.mean, again.held_out.mean) == (of.public.mean, of.held_out.mean)
    page = signed_in(Role.RESEARCHER).get(reverse("arena:development")).content.decode()
    assert "elsewhere" in page
    assert "2 runs" in page


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
    assert "waits for a second person" in answer.content.decode()
    entry = BoardEntry.objects.get()
    removal = reverse("arena:entry-remove", args=[entry.pk])
    assert "why_missing" in engineer.post(removal, {}, follow=True).content.decode()
    assert "no longer" in engineer.post(removal, {"why": "A test."}, follow=True).content.decode()


def test_an_official_entry_has_a_rank_once_a_second_person_has_declared_it() -> None:
    engineer, lead = staff(Role.ENGINEER), staff(Role.LEAD)
    entry = enter(played("search"), Board.OFFICIAL, engineer, agent="Search", description="It searches.")
    assert standings(Board.OFFICIAL, Reading()) == []

    def refusal(by: Any, **changes: Any) -> str:
        given: dict[str, Any] = {"no_tools": True, "evidence": "Read it."} | changes
        with pytest.raises(Refusal) as found:
            declare(entry, bench(), by, **given)
        return found.value.code

    assert refusal(engineer) == "own_run"
    assert refusal(lead, no_tools=False) == "tools_used"
    assert refusal(lead, evidence=" ") == "evidence_missing"
    with pytest.raises(DatabaseError, match="another person"), transaction.atomic():
        Declaration.objects.create(
            entry=entry, harness=bench(), evidence="x", declared_at=now(), declared_by=engineer
        )
    client = signed_in(Role.LEAD)
    form = {"harness": bench().pk, "no_tools": "on", "evidence": "Read three runs."}
    answer = client.post(reverse("arena:entry-declare", args=[entry.pk]), form, follow=True)
    assert "Search has a rank" in answer.content.decode()
    assert "Run by engineer; lead declared: no tools. Read three runs." in " ".join(
        answer.content.decode().split()
    )
    assert refusal(lead) == "already_declared"
    community = put(played("public", sets=("public",)), Board.COMMUNITY)
    with pytest.raises(Refusal, match="official"):
        declare(community, bench(), lead, no_tools=True, evidence="x")


def test_agents_of_different_harnesses_are_not_ranked_together() -> None:
    put(played("older"))
    newer = enter(played("newer"), Board.OFFICIAL, staff(Role.ENGINEER), agent="newer", description="It is.")
    declare(newer, bench("2"), staff(Role.LEAD), no_tools=True, evidence="Read it.")
    client = signed_in(Role.RESEARCHER)
    shown = client.get(reverse("arena:boards"))
    assert [one.entry.agent for _, one, _, _ in shown.context["rows"]] == ["newer"]
    older = client.get(reverse("arena:boards"), {"harness": bench("1").pk})
    assert [one.entry.agent for _, one, _, _ in older.context["rows"]] == ["older"]
    with pytest.raises(Refusal, match="already"):
        adopt_harness(" bench ", "2", "", None)
    with pytest.raises(Refusal, match="version"):
        adopt_harness("bench", " ", "", None)


def test_a_card_that_was_chosen_of_several_says_so() -> None:
    put(played("search", play=WELL))
    played("search", play=HALF)
    shown = signed_in(Role.RESEARCHER).get(reverse("arena:boards"))
    [(rank, standing, again, _)] = shown.context["rows"]
    half = 100 * (4 / 8) ** 2 / 3
    assert (rank, standing.score.total, len(again.cards)) == (1, 100, 2)
    assert again.totals == [pytest.approx(half), 100]
    assert again.score.mean == pytest.approx((100 + half) / 2)
    address = reverse("arena:card", args=[standing.score.card.card_id])
    page = signed_in(Role.RESEARCHER).get(address).content.decode()
    assert "closed 2 competition cards over the same sets" in page
    assert "an interval needs at least 3 runs of each" in page
    played("search", play=HALF)
    page = signed_in(Role.RESEARCHER).get(address).content.decode()
    assert "to 100.0 (over runs): 95 % t interval over the runs of these environments" in page
    assert "3 runs of 1 environment" in page
    assert "(over runs)" in signed_in(Role.RESEARCHER).get(reverse("arena:boards")).content.decode()


def test_a_board_of_many_entries_has_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("playtest.arena.pages.boards._ENTRIES_A_PAGE", 2)
    for number in range(3):
        put(played(f"agent {number}", sets=("public",)), Board.COMMUNITY)
    client = signed_in(Role.RESEARCHER)
    first, second = (client.get(reverse("arena:boards"), {"page": page}) for page in (1, 2))
    assert [len(one.context["rows"]) for one in (first, second)] == [2, 1]
    assert second.context["rows"][0][0] == 3
    assert "Lower scores" in first.content.decode()


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
