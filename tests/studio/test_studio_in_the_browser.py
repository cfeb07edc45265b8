"""The studio in a real browser: accessibility, narrow screens, the board and graphs."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from engine.prove.qualification.findings import Finding
from playtest.jobs.models import JobStatus
from playtest.people.roles import Role
from playtest.play.clock import now
from playtest.rules.pipeline import Need
from playtest.studio.models import (
    Environment,
    Exploration,
    Qualification,
    RandomPlay,
    Recording,
    StageMove,
)
from playtest.studio.services import qualifications
from playtest.studio.services.waivers import waive
from tests import make
from tests.browsing import ORIGIN, browse, settled
from tests.insight.stages import NOTE
from tests.live.games import WALK
from tests.staff import signed_in, staff

pytestmark = pytest.mark.django_db

NARROW = {"width": 390, "height": 800}
GRAPH = {
    "nodes": [
        {"kind": "open", "depth": 0, "frame": "5" * 4096},
        {"kind": "win", "depth": 1, "frame": "e" * 4096},
        {"kind": "open", "depth": 1, "frame": None, "beyond": 2},
    ],
    "edges": [[0, 1, 1], [0, 2, 2], [2, 0, 1], [0, 0, 1]],
    "tree": [[0, 1, [6, 3, 4]], [0, 2, [1, None, None]]],
}
REPORT = {
    "nodes": 3,
    "edges": 5,
    "fully_explored": True,
    "shortest_win": 1,
    "faults": [],
    "p_win": {"lower": 0.125, "upper": 0.125, "exact": f"1/8{'0' * 60}"},
    "p_win_within": {"steps": 1000, "lower": 0.1, "upper": 0.125, "exact": None},
}
STOPPED = {"nodes": 20_000, "fully_explored": False, "stopped_by": "nodes", "frontier": 9}


@pytest.fixture
def walk() -> Environment:
    """One that came back from External, with everything on its pages."""
    found = make.environment()
    found.note, found.owner = NOTE, staff(Role.DESIGNER)
    found.save()
    StageMove.objects.create(
        environment=found, before="internal", after="specification", reason="Too early.", moved_at=now()
    )
    waive(found, Need.CARD, "It is a test.", None)
    return found


@pytest.fixture
def explored(walk: Environment) -> list[str]:
    """The pages of a whole exploration and of one that stopped."""
    whole = {"level": 2, "report": REPORT, "limits": {"nodes": 10}}
    part = {"level": 3, "report": REPORT | STOPPED, "limits": {"nodes": 20_000}}
    found = []
    for facts in (whole, part):
        asked = {"version": walk.current, "seed": 1, "requested_at": now(), "graph": GRAPH}
        made = Exploration.objects.create(**asked, **facts, status=JobStatus.DONE)
        found.append(reverse("studio:exploration", args=["wk01", made.pk]))
    return found


def test_graphs_are_read_and_environments_moved(page: Page, explored: list[str]) -> None:
    page.set_viewport_size(NARROW)  # type: ignore[arg-type]
    browse(page, signed_in(Role.LEAD))
    page.goto(f"{ORIGIN}{explored[0]}")
    settled(page)
    page.get_by_role("button", name="State 1, 1 action from the start, won").press("Enter")
    expect(page.locator(".chosen")).to_contain_text("won, by click 3, 4.")
    assert page.locator(".chosen canvas").evaluate(
        "canvas => [...canvas.getContext('2d').getImageData(9, 9, 1, 1).data]"
    ) == [0x4F, 0xCC, 0x30, 0xFF]

    page.goto(f"{ORIGIN}{explored[1]}")
    expect(page.get_by_role("heading", name="The first 3 of 20,000 states")).to_be_visible()
    expect(page.locator("dl")).to_contain_text("among the 20,000 states seen")
    beyond = "State 2, 1 action from the start, goes on, 2 actions lead beyond this drawing"
    expect(page.get_by_role("button", name=beyond)).to_be_visible()

    page.goto(f"{ORIGIN}{reverse('insight:board')}")
    expect(page.locator("#wk01")).to_contain_text("Sent back from Internal: Too early.")
    page.get_by_role("button", name="Move wk01 to Internal").click()
    expect(page.get_by_role("status")).to_contain_text("wk01 is now in Internal.")
    page.locator("#wk01").get_by_text("Move back to Specification").click()
    page.locator("#wk01").get_by_label("Reason").fill("Still too early.")
    page.get_by_role("button", name="Move wk01 back to Specification").click()
    expect(page.locator("#wk01")).to_contain_text("Still too early.")


def test_a_qualification_page_shows_findings_during_the_run(page: Page, walk: Environment) -> None:
    assert walk.current is not None
    run = qualifications.create(walk.current, seed=1, steps=50)
    client = signed_in(Role.ENGINEER)
    browse(page, client)
    page.goto(f"{ORIGIN}{reverse('studio:qualification', args=['wk01', run.pk])}")
    expect(page.locator(".progress-text")).to_contain_text("It waits for a worker for less than a minute")
    part = qualifications.claim(run.parts.get(regime="fuzz").pk)
    assert part is not None
    qualifications.keep(part, [Finding("fuzz", "bad_frame", "It drew no frame.", 2)])
    expect(page.locator("#so-far")).to_contain_text("It drew no frame.")
    expect(page.locator(".progress-text")).to_have_text("It is under way: 50 of 200 steps; 1 finding so far")
    page.context.set_offline(True)
    expect(page.get_by_role("status")).to_have_text("The server does not answer. Trying again.")
    page.context.set_offline(False)
    expect(page.get_by_role("status")).to_be_empty()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("The qualification of wk01 was cancelled")
    page.get_by_role("button", name="Repeat with the same seed").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("wk01 is being qualified")
    assert Qualification.objects.latest("pk").seed == 1
    client.logout()
    expect(page.get_by_role("link", name="Sign in again")).to_be_visible()


def test_random_play_says_why_it_waits_and_can_be_cancelled(page: Page, walk: Environment) -> None:
    assert walk.current is not None
    Recording.objects.create(
        version=walk.current, kind="win", name="win", actions=[[act, None, None] for act in WALK],
        levels_completed=[done // 3 for done in range(len(WALK) + 1)], made_at=now(),
    )  # fmt: skip
    client = signed_in(Role.ENGINEER)
    browse(page, client)
    page.goto(f"{ORIGIN}{reverse('studio:random-play', args=['wk01', 2])}")
    page.get_by_role("button", name="Start random play").click()
    expect(page.locator(".progress-text")).to_contain_text("for less than a minute; it is next")
    RandomPlay.objects.update(status="running", done=200, started_at=now(), heartbeat_at=now())
    expect(page.locator(".progress-text")).to_contain_text("It is under way")
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("wk01 level 2: no random tries that count")
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0)
