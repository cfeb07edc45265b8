"""Everything that is taken away or taken out, walked through once in a real browser."""

from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect
from pytest_django import Settings

from playtest.jobs import lifecycle
from playtest.people.models import Withdrawal
from playtest.people.roles import Role
from playtest.play.models import Attempt
from playtest.review.models import Collection, Export
from playtest.review.services.collections import add_item, create_collection
from playtest.review.services.export_files import folder
from playtest.review.tasks.exports import make_export
from tests import make
from tests.browsing import ORIGIN, browse
from tests.review import cases
from tests.review.replaying import BLUE
from tests.staff import signed_in, staff

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


def test_the_data_of_a_study_is_asked_for_and_arrives(page: Page, attempts: list[Attempt]) -> None:
    browse(page, signed_in(Role.LEAD))
    page.goto(f"{ORIGIN}{reverse('review:data')}")
    page.get_by_text("level_results").click()
    expect(page.get_by_role("cell", name="Number of resets of the level.")).to_be_visible()
    page.get_by_label("Files").select_option("study_csv")
    page.get_by_role("button", name="Export data").click()
    row = page.get_by_role("row", name=attempts[0].session.study.name)
    expect(row).to_contain_text("waiting")
    export = Export.objects.get()
    make_export(export.pk)
    export.refresh_from_db()
    expect(row).to_contain_text(export.digest[:16])
    name = f"study-{attempts[0].session.study_id}.zip"
    assert downloaded(row) == [f'attachment; filename="{name}"', (folder() / export.file).stat().st_size]


def test_a_collection_is_put_in_order_and_watched_one_after_another(
    page: Page, attempts: list[Attempt]
) -> None:
    collection = create_collection(staff(Role.RESEARCHER), "Into the wall")
    for attempt, seq in zip(attempts, (3, 7), strict=True):
        add_item(collection.pk, attempt, seq)
    browse(page, signed_in(Role.RESEARCHER))
    page.goto(f"{ORIGIN}{reverse('review:collections')}")
    page.get_by_role("link", name="Into the wall").click()
    page.get_by_role("button", name="Move down").first.click()
    page.get_by_label("Note", exact=True).first.fill("hammers")
    page.get_by_role("button", name="Save note").first.click()
    page.get_by_role("link", name=attempts[1].participant.label).click()
    player = page.locator("replay-player")
    expect(player).to_have_attribute("data-seq", "7")
    place = page.get_by_role("navigation", name="Collection")
    expect(place).to_contain_text("Into the wall, 1 of 2: hammers")
    place.get_by_role("link", name="Next").click()
    expect(place).to_contain_text("2 of 2")
    expect(player).to_have_attribute("data-seq", "3")
    place.get_by_role("link", name="Into the wall").click()
    page.get_by_role("button", name="Remove replay").last.click()
    expect(page.locator("h1")).to_have_text("Into the wall: 1 replay")
    page.get_by_role("button", name="Change name and note", exact=True).click()
    page.get_by_role("button", name="Delete collection").click()
    expect(page.locator("h1")).to_have_text("0 collections of replays")
    assert not Collection.objects.exists()


def test_a_person_is_taken_out(page: Page, attempts: list[Attempt]) -> None:
    person = attempts[0].participant
    cases.ended(attempts[0].session)
    browse(page, signed_in(Role.LEAD))
    page.goto(f"{ORIGIN}{reverse('review:withdrawal')}")
    page.get_by_label("Pseudonym or recruiter's reference").fill(person.label.lower())
    page.get_by_role("button", name="Find participant").click()
    expect(page.locator("dl.facts")).to_contain_text("Actions")
    confirm = page.get_by_label("This cannot be undone")
    confirm.fill("somebody else")
    page.get_by_role("button", name="Delete data").click()
    expect(page.get_by_role("alert")).to_contain_text("confirmation_wrong")
    assert not Withdrawal.objects.exists()
    confirm.fill(person.label)
    page.get_by_role("button", name="Delete data").click()
    expect(page.get_by_text(f"All data of {person.label} was deleted.")).to_be_visible()
    expect(page.get_by_role("row", name=person.label)).to_contain_text("lead")
    assert not Attempt.objects.filter(participant=person).exists()
