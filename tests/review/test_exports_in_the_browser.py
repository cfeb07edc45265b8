"""Everything that is taken away or taken out, walked through once in a real browser."""

from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect
from pytest_django import Settings

from playtest.jobs import lifecycle
from playtest.people.roles import Role
from playtest.play.models import Attempt
from playtest.review.models import Export
from playtest.review.services.export_files import folder
from tests import make
from tests.browsing import ORIGIN, browse
from tests.review.replaying import BLUE
from tests.staff import signed_in

pytestmark = pytest.mark.django_db

COLOUR = """([x, y]) => {
    const picture = document.querySelector("figure.moment img");
    const board = new OffscreenCanvas(picture.naturalWidth, picture.naturalHeight).getContext("2d");
    board.drawImage(picture, 0, 0);
    return [...board.getImageData(x * 4, y * 4, 1, 1).data].slice(0, 3);
}"""


TAKE = """async (link) => {
    const answer = await fetch(link.href);
    return [answer.headers.get("Content-Disposition"), (await answer.blob()).size];
}"""


def downloaded(row: Locator) -> list[str | int]:
    """What the row's link leads to: its name, its size."""
    found: list[str | int] = row.get_by_role("link", name="Download").evaluate(TAKE)
    return found


@pytest.fixture(autouse=True)
def data_folder(settings: Settings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path


@pytest.fixture
def attempts() -> list[Attempt]:
    """A short one, of which a film is made at once, and one that a worker has to make."""
    study = make.study()
    return [make.play(make.session(study), acts) for acts in ([4, 4, 4, 2], [2] * 201)]


def test_a_film_and_a_picture_of_what_is_watched(page: Page, attempts: list[Attempt]) -> None:
    short, long = attempts
    browse(page, signed_in(Role.RESEARCHER))
    page.goto(f"{ORIGIN}{reverse('review:attempt', args=[short.pk])}?a=1")
    page.wait_for_selector("replay-player[data-seq]")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("e")
    expect(page.get_by_label("After action")).to_have_value("1")
    expect(page.locator("figure.moment img")).to_have_js_property("naturalWidth", 256)
    assert page.evaluate(COLOUR, [16 + 4, 8 + 4]) == BLUE, "where the walker stands after one step"
    page.get_by_label("After action").fill("99")
    page.get_by_role("button", name="Show picture").click()
    expect(page.get_by_role("alert")).to_contain_text("moment_unknown")

    expect(page.get_by_label("Speed")).to_have_value("2")
    page.get_by_label("File").select_option("gif")
    page.get_by_role("button", name="Make film").click()
    row = page.get_by_role("row", name=short.participant.label)
    expect(row).to_contain_text("GIF animation 2x")
    expect(row).to_contain_text("done")
    size = (folder() / Export.objects.get().file).stat().st_size
    assert downloaded(row) == [f'attachment; filename="wk01-attempt-{short.pk}.gif"', size]

    page.goto(f"{ORIGIN}{reverse('review:attempt-exports', args=[long.pk])}")
    page.get_by_role("button", name="Make film").click()
    row = page.get_by_role("row", name=long.participant.label)
    expect(row).to_contain_text("waiting")
    made = Export.objects.get(attempt=long)
    mine = Export.objects.filter(pk=made.pk)
    lease = lifecycle.claim(mine)
    assert lease is not None
    lease.heartbeat(done=4, total=10)
    expect(row.get_by_label("Progress")).to_have_js_property("position", 0.4)
    row.get_by_role("button", name="Cancel").click()
    expect(row).to_contain_text("cancelled")
    expect(row.get_by_role("link", name="Download")).to_have_count(0)
