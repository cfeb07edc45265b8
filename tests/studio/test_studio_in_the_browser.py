"""The studio in a real browser: accessibility, narrow screens, the board and graphs."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from engine.prove.qualification.findings import Finding
from playtest.jobs.models import JobStatus
from playtest.people.roles import Role
from playtest.play.clock import now
from playtest.studio.models import (
    Environment,
    Exploration,
    Import,
    Qualification,
    RandomPlay,
    Recording,
    StageMove,
)
from playtest.studio.services import qualifications, random_plays
from playtest.studio.services.cards import waive_card
from tests import make
from tests.accessibility import violations
from tests.browsing import ORIGIN, browse, settled
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
FINDING = {
    "check": "fuzz",
    "code": "bad_frame",
    "passed": False,
    "note": False,
    "message": "It drew no frame.",
    "mend": "Draw one.",
    "level": 2,
    "count": 1,
}


@pytest.fixture
def walk() -> Environment:
    """One that came back from External, with everything on its pages."""
    found = make.environment()
    found.note, found.owner = "Walk to the goal.", staff(Role.DESIGNER)
    found.save()
    StageMove.objects.create(
        environment=found, before="internal", after="specification", reason="Too early.", moved_at=now()
    )
    waive_card(found, "It is a test.", None)
    return found


@pytest.fixture
def addresses(walk: Environment) -> list[str]:
    make.environment("ck01")
    version = walk.current
    assert version is not None
    actions = [[act, None, None] for act in WALK]
    won = Recording.objects.create(version=version, kind="win", name="win", actions=actions, made_at=now())
    asked = {"version": version, "seed": 1, "requested_at": now()}
    done = Qualification.objects.create(
        **asked,
        status=JobStatus.DONE,
        passed=False,
        steps=1000,
        report={"checks": [FINDING | {"recording": won.pk}]},
    )
    waiting = qualifications.create(version, seed=1, steps=100)
    results = [
        {"id": "wk01", "status": "imported", "reason": ""},
        {"id": "x", "status": "rejected", "reason": "Y"},
    ]
    uploaded = {
        "names": ["a.zip"],
        "requested_at": now(),
        "heartbeat_at": now(),
        "total": 3,
        "results": results,
    }
    imported = [
        Import.objects.create(status=status, **uploaded) for status in (JobStatus.RUNNING, JobStatus.DONE)
    ]
    tried = make.session(make.study("rn01"))
    make.play(tried, [2] * 31)
    Environment.objects.filter(code="rn01").update(stage="done")
    graph = Exploration.objects.create(
        **asked, level=2, status=JobStatus.DONE, report=REPORT, graph=GRAPH, limits={"nodes": 10}
    )
    unfinished = REPORT | {"nodes": 20_000, "fully_explored": False, "stopped_by": "nodes", "frontier": 9}
    part = Exploration.objects.create(
        **asked, level=3, status=JobStatus.DONE, report=unfinished, graph=GRAPH, limits={"nodes": 20_000}
    )
    tries = {"tries": 1_000, "wins": [[3, 4]], "lost": 9, "stuck": 0, "actions": 9_000, "faults": {}}
    for number, status in enumerate((JobStatus.DONE, JobStatus.WAITING)):
        RandomPlay.objects.create(
            **asked, level=2, number=number, budget=5, total=1_000, status=status, report=tries
        )
    return [
        reverse("insight:board"),
        f"{reverse('insight:board')}?q=wk01",
        f"{reverse('insight:board')}?q=nothing",
        reverse("studio:random-play", args=["wk01", 2]),
        reverse("studio:random-play", args=["wk01", 3]),
        reverse("studio:exploration", args=["wk01", part.pk]),
        reverse("studio:environment", args=["wk01"]),
        reverse("studio:edit", args=["wk01"]),
        reverse("studio:import"),
        reverse("studio:qualification", args=["wk01", done.pk]),
        reverse("studio:qualification", args=["wk01", waiting.pk]),
        reverse("review:stored-recording", args=[won.pk]),
        reverse("studio:recording-change", args=["wk01", won.pk]),
        f"{reverse('insight:redundancy')}?first=wk01&second=ck01",
        reverse("insight:sets"),
        f"{reverse('insight:sets')}?public=1&semi_private=0&private=0",
        *(reverse("studio:import-job", args=[upload.pk]) for upload in imported),
        reverse("studio:exploration", args=["wk01", graph.pk]),
    ]


@pytest.mark.long
def test_every_state_of_the_studio_is_accessible_and_fits_a_narrow_screen(
    page: Page, addresses: list[str]
) -> None:
    """In short, a card's page and an environment's are judged in tests/pages."""
    page.set_viewport_size(NARROW)  # type: ignore[arg-type]
    browse(page, signed_in(Role.LEAD))
    found = {}
    for address in addresses:
        page.goto(f"{ORIGIN}{address}")
        found[address] = violations(settled(page))
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            found[address].append("wider than the screen")
    assert {address: problems for address, problems in found.items() if problems} == {}


def test_graphs_are_read_and_environments_moved(page: Page, addresses: list[str]) -> None:
    page.set_viewport_size(NARROW)  # type: ignore[arg-type]
    browse(page, signed_in(Role.LEAD))
    page.goto(f"{ORIGIN}{addresses[-1]}")
    settled(page)
    page.get_by_role("button", name="State 1, 1 action from the start, won").press("Enter")
    expect(page.locator(".chosen")).to_contain_text("won, by click 3, 4.")
    assert page.locator(".chosen canvas").evaluate(
        "canvas => [...canvas.getContext('2d').getImageData(9, 9, 1, 1).data]"
    ) == [0x4F, 0xCC, 0x30, 0xFF]

    page.goto(f"{ORIGIN}{addresses[5]}")
    expect(page.get_by_role("heading", name="The first 3 of 20,000 states")).to_be_visible()
    expect(page.locator("dl")).to_contain_text("among the 20,000 states seen")
    beyond = "State 2, 1 action from the start, goes on, 2 actions lead beyond this drawing"
    expect(page.get_by_role("button", name=beyond)).to_be_visible()

    page.goto(f"{ORIGIN}{addresses[0]}")
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
    expect(page.locator(".progress-text")).to_have_text("It waits for a worker: 0 of 200 steps")
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


def test_cancelled_random_play_keeps_its_tries(page: Page, walk: Environment) -> None:
    assert walk.current is not None
    Recording.objects.create(
        version=walk.current, kind="win", name="win", actions=[[act, None, None] for act in WALK],
        levels_completed=[done // 3 for done in range(len(WALK) + 1)], made_at=now(),
    )  # fmt: skip
    client = signed_in(Role.ENGINEER)
    browse(page, client)
    page.goto(f"{ORIGIN}{reverse('studio:random-play', args=['wk01', 2])}")
    page.get_by_label("More tries").fill("1200")
    page.get_by_role("button", name="Start random play").click()
    expect(page.locator(".progress-text")).to_have_text("It waits for a worker: 0 of 1,200 tries")
    claimed = random_plays.claim(RandomPlay.objects.get(number=1).pk)
    assert claimed is not None
    report = {"tries": 200, "wins": [], "lost": 200, "stuck": 0, "actions": 900, "faults": {}}
    random_plays.keep(claimed, report)
    expect(page.locator(".progress-text")).to_have_text("It is under way: 200 of 1,200 tries")
    expect(page.locator("#so-far")).to_contain_text("no win in 200 tries of 15 actions")
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("wk01 level 2: 0 wins in 200 random tries")
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0)
