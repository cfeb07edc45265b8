"""The comparison of two environments, and the claim that they are redundant with its answers."""

import numpy as np
import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from playtest.insight.pages.board.board import board
from playtest.insight.pages.board.redundancy import compare
from playtest.insight.services.pipeline import move
from playtest.jobs.models import JobStatus
from playtest.people.roles import Role
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.rules.baseline import Fewest
from playtest.rules.redundancy import Standing
from playtest.studio.models import Exploration, Recording, RedundancyMark, Version
from playtest.studio.queries.redundancy import marks_of, ranked
from playtest.studio.services.cards import create_card_of, save_revision
from playtest.studio.services.first_frames import store_first_frames
from playtest.studio.services.likeness import measure_pairs
from tests import make
from tests.browsing import ORIGIN, browse
from tests.insight.stages import ready_inside, record
from tests.insight.up_to_date import up_to_date
from tests.live.games import WALK
from tests.staff import signed_in, staff
from tests.studio.sketch_texts import content

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def shown(role: Role = Role.DESIGNER, **asked: str) -> str:
    return signed_in(role).get(reverse("insight:redundancy"), asked).content.decode()


def mark(reason: str, role: Role = Role.DESIGNER, other: str = "ck01") -> str:
    address = reverse("insight:redundancy-mark", args=["wk01", other])
    return signed_in(role).post(address, {"reason": reason}, follow=True).content.decode()


def test_the_page_compares_two_environments_level_by_level() -> None:
    walk, lamps = make.environment("wk01"), make.environment("ck01")
    assert walk.current is not None
    make.play(make.session(make.study()), WALK[:3])
    for level, actions in ((1, 5), (2, 3)):
        Recording.objects.create(
            version=walk.current,
            kind="optimal",
            name=f"Level {level}",
            level=level,
            actions=[[2, None, None]] * actions,
            levels_completed=[level - 1] * actions + [level],
            made_at=now(),
        )
    report = {"nodes": 7, "fully_explored": True, "p_win": {"lower": 0.125, "upper": 0.125, "exact": "1/8"}}
    Exploration.objects.create(
        version=walk.current, seed=0, level=2, status=JobStatus.DONE, report=report, requested_at=now()
    )
    up_to_date()
    (first, other), (second, _), *_ = compare(walk, lamps).levels
    assert first is not None
    assert second is not None
    assert other is not None
    assert (first.fewest, first.exploration) == (
        Fewest(3, proven=False),
        None,
    )  # a person's, who needed fewer
    assert (second.fewest, other.fewest) == (Fewest(3, proven=False), None)
    text = shown(first="wk01", second="ck01")
    assert "1/8" in text
    assert reverse("insight:level-picture", args=["wk01", 1]) in text


def answer(role: Role, reason: str, *, lift: bool = False) -> str:
    address = reverse("insight:redundancy-answer", args=[RedundancyMark.objects.latest("pk").pk])
    said = {"reason": reason} | ({"lift": "1"} if lift else {})
    return signed_in(role).post(address, said, follow=True).content.decode()


def on_board(code: str = "wk01") -> tuple[tuple[str, ...], tuple[tuple[str, Standing], ...]]:
    """What the card of an environment lacks in front of its gate, and its marks in force."""
    cards = {card.environment.code: card for column in board() for card in column.cards}
    marks = tuple((one.other, one.marked.standing) for one in cards[code].redundant)
    return cards[code].blocks, marks


def test_a_mark_keeps_both_from_their_gate_until_a_second_person_agrees() -> None:
    walk, lamps = make.environment("wk01"), make.environment("ck01")
    ready_inside(walk)
    assert "reason_missing" in mark(" ")
    assert "pair_of_one" in mark("the same", other="wk01")
    assert "Both are walks." in mark("Both are walks.")
    awaits = "Whether it is redundant with ck01 awaits a second person."
    assert on_board() == ((awaits,), (("ck01", Standing.OPEN),))
    assert on_board("ck01")[1] == (("wk01", Standing.OPEN),)
    with pytest.raises(Refusal, match="awaits a second person"):
        move(walk, "internal", staff(Role.DESIGNER), "")
    assert "marked_already" in mark("Both are dull.", Role.LEAD)
    assert "own_mark" in answer(Role.DESIGNER, "I am sure.")
    assert "reason_missing" in answer(Role.LEAD, " ")
    assert "Both end at a goal." in answer(Role.LEAD, "Both end at a goal.")
    assert "answered_already" in answer(Role.LEAD, "Again.")
    assert on_board() == ((), (("ck01", Standing.AGREED),))
    made = move(walk, "internal", staff(Role.DESIGNER), "")
    assert made.evidence["distinct"]["data"] == {"agreed": ["ck01"]}
    (found,) = compare(lamps, walk).marks
    assert (found.mark.reason, found.by) == ("Both are walks.", "designer")
    assert [(one.answered_by, one.agrees) for one in found.answers] == [(staff(Role.LEAD), True)]


def test_a_lifted_mark_stays_on_record_and_the_pair_can_be_marked_again() -> None:
    walk = make.environment("wk01")
    make.environment("ck01")
    mark("Both are walks.")
    assert "1 mark awaits a second person" in shown()
    answer(Role.LEAD, "One has lamps.", lift=True)
    assert on_board()[1] == ()
    assert "answered_already" in answer(Role.LEAD, "After all.")
    mark("The lamps went.")
    assert on_board()[1] == (("ck01", Standing.OPEN),)
    studio = signed_in(Role.ENGINEER).get(reverse("studio:environment", args=["wk01"])).content.decode()
    for text in (shown(), shown(first="wk01", second="ck01"), studio):
        assert "Both are walks." in text
        assert "One has lamps." in text
        assert "The lamps went." in text
    assert "newer version" not in shown(first="wk01", second="ck01")
    Version.objects.filter(environment=walk).update(imported_at=now())
    assert "<code>wk01</code> has a newer version" in shown(first="wk01", second="ck01")


def test_cards_are_compared_too() -> None:
    walk, lamps = make.environment("wk01"), make.environment("ck01")
    for one, mechanic in ((walk, "Walking"), (lamps, "Lamps")):
        card = create_card_of(one, staff(Role.DESIGNER))
        save_revision(
            card, 1, content(mechanics=[{"name": mechanic, "level": 1, "description": "Told."}]), card.author
        )
    text = shown(first="wk01", second="ck01")
    assert "Walking" in text
    assert "Lamps" in text


def test_one_marks_and_another_agrees_on_a_narrow_screen(page: Page) -> None:
    walk, lamps = make.environment("wk01"), make.environment("ck01")
    for one in (walk, lamps):
        card = create_card_of(one, staff(Role.DESIGNER))
        save_revision(card, 1, content(), card.author)
    address = f"{ORIGIN}{reverse('insight:redundancy')}?first=wk01&second=ck01"
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.set_viewport_size({"width": 390, "height": 800})
    browse(page, signed_in(Role.DESIGNER))
    page.goto(address)
    page.get_by_label("Why they are redundant").fill("Both are walks to a goal.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("wk01 beside ck01: claimed to be redundant")
    expect(page.get_by_text("Somebody else agrees or lifts the mark.")).to_be_visible()
    expect(page.get_by_role("button", name="Agree to the mark")).to_have_count(0)
    browse(page, signed_in(Role.LEAD))
    page.goto(address)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_label("Why you agree, or what makes them different").fill("One solution solves both.")
    page.get_by_role("button", name="Agree to the mark").click()
    expect(page.locator("h1")).to_have_text("wk01 beside ck01: redundant")
    expect(page.locator("div.notice")).to_contain_text("lead agreed")
    page.goto(f"{ORIGIN}{reverse('insight:board')}")
    expect(page.locator("#wk01")).to_contain_text("Redundant with ck01, designer: Both are walks to a goal.")
    page.go_back()
    expect(page.get_by_role("button", name="Lift the mark")).to_be_visible()
    assert said == []


def test_pairs_are_ranked_by_what_is_measured_and_people_judge_the_first() -> None:
    walk, twin, lamps = make.environment("wk01"), make.environment("rn01"), make.environment("ck01")
    record(walk)
    record(twin)
    for environment, colours in ((walk, (5, 9)), (twin, (5, 9)), (lamps, (1, 2))):
        assert environment.current is not None
        ground = np.full((64, 64), colours[0], dtype=np.uint8)
        ground[:, 32:] = colours[1]
        store_first_frames(environment.current, {1: ground})
    assert measure_pairs() == 3
    assert measure_pairs() == 0
    first, *others = ranked()
    assert {first.first.code, first.second.code} == {"wk01", "rn01"}
    assert first.measured.appearance == 1
    assert max(one.measured.appearance for one in others) < 1
    assert (
        "1 pair waits to be compared" in signed_in(Role.DESIGNER).get(reverse("people:home")).content.decode()
    )
    assert "One program for both" in shown()
    address = reverse("insight:redundancy-mark", args=["wk01", "rn01"])
    signed_in(Role.DESIGNER).post(address, {"reason": "Other rules.", "different": "1"})
    assert next((one.judged, one.asked) for one in ranked()) == (True, False)
    assert RedundancyMark.objects.get().marked_by is None
    walk.refresh_from_db()
    assert not marks_of([walk])[walk.pk][0].standing.in_force
