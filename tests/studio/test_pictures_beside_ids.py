"""Environments are recognised by their first frame, which stands beside their id wherever they are listed."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from playtest.people.roles import Role
from playtest.play.models import Study
from playtest.rules.attempt import Outcome
from playtest.studio.models import Environment, Sighting
from tests import make
from tests.accessibility import violations
from tests.browsing import ORIGIN, browse, settled
from tests.live.games import WALK
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]

LISTS = ("review:attempts", "insight:portfolio", "insight:board", "insight:baselines", "arena:exposure")
PICTURE = re.compile(r'<img class="first-frame" src="([^"]+)"')
COLOURS = """async (image) => {
    await image.decode();
    const canvas = new OffscreenCanvas(64, 64), drawing = canvas.getContext("2d");
    drawing.drawImage(image, 0, 0, 64, 64);
    return new Set(new Uint32Array(drawing.getImageData(0, 0, 64, 64).data.buffer)).size;
}"""


@pytest.fixture
def study() -> Study:
    """A study that one person has played."""
    study = make.study()
    make.play(make.session(study), [4] * 40, Outcome.GAVE_UP)
    return study


def pictures(role: Role, name: str) -> list[str]:
    """The addresses of the pictures on a page."""
    return PICTURE.findall(signed_in(role).get(reverse(name)).content.decode())


def test_lists_show_first_frames(study: Study) -> None:
    shown = {name: pictures(Role.LEAD, name) for name in LISTS}
    assert all(shown.values())
    (address,) = {address for found in shown.values() for address in found}
    version = make.environment().current
    assert version is not None
    assert address == f"/staff/environments/wk01/levels/1.png?version={version.digest}"
    answer = signed_in(Role.LEAD).get(address)
    assert answer["Content-Type"] == "image/png"
    assert {"immutable", "private"} <= set(answer["Cache-Control"].split(", "))


def test_who_may_not_read_about_environments_sees_ids_alone(study: Study) -> None:
    address = reverse("center:session", args=[study.sessions.get().pk])
    assert PICTURE.search(signed_in(Role.LEAD).get(address).content.decode())
    page = signed_in(Role.PROCTOR).get(address).content.decode()
    assert "<code>wk01</code>" in page
    assert not PICTURE.search(page)
    picture = reverse("insight:level-picture", args=["wk01", 1])
    assert signed_in(Role.PROCTOR).get(picture).status_code == 403
    assert Environment.objects.get().code == "wk01"


def test_an_account_that_is_shown_a_first_frame_has_seen_the_environment(study: Study) -> None:
    (address,) = set(pictures(Role.ENGINEER, "insight:portfolio"))
    assert not Sighting.objects.exists()
    signed_in(Role.ENGINEER).get(address)
    assert Sighting.objects.get().environment.code == "wk01"


def test_a_filter_shows_the_environments_it_offers(page: Page, study: Study) -> None:
    other = make.environment("ck01")
    browse(page, signed_in(Role.DESIGNER))
    page.goto(f"{ORIGIN}{reverse('review:attempts')}?environment={make.environment().pk}")
    settled(page)
    choice = page.locator("#id_environment")
    assert choice.locator("selectedcontent img").evaluate(COLOURS) > 1
    choice.focus()
    page.keyboard.press("Space")
    settled(page)
    assert choice.get_by_role("option", name="ck01").locator("img").evaluate(COLOURS) > 1
    assert violations(page) == []
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: f"environment={other.pk}&" in url)


def test_lists_of_attempts_show_last_frames_to_who_may_watch_them(study: Study) -> None:
    (session,) = study.sessions.all()
    attempt = session.attempts.get()
    frame = f"{reverse('review:picture', args=[attempt.pk])}?action={attempt.actions}"
    addresses = (
        reverse("center:session", args=[session.pk]),
        reverse("review:case", args=[session.pk]),
        reverse("insight:environment", args=["wk01"]),
        reverse("insight:level", args=["wk01", 2]),
    )
    for address in addresses:
        assert frame in signed_in(Role.LEAD).get(address).content.decode(), address
    assert frame not in signed_in(Role.PROCTOR).get(addresses[0]).content.decode()
    assert frame not in signed_in(Role.ENGINEER).get(addresses[2]).content.decode()


def test_a_completed_level_is_shown_before_the_next_one_begins() -> None:
    attempt = make.play(make.session(make.study()), WALK, Outcome.COMPLETED)
    page = signed_in(Role.LEAD).get(reverse("insight:level", args=["wk01", 1])).content.decode()
    assert f"{reverse('review:picture', args=[attempt.pk])}?action=3&amp;frame=1&amp;scale=1" in page


def test_the_figure_that_names_environments_shows_them(page: Page, study: Study) -> None:
    browse(page, signed_in(Role.LEAD))
    page.goto(f"{ORIGIN}{reverse('insight:study', args=[study.pk])}")
    bars = page.locator("insight-figure").first
    expect(bars.locator("svg.plot")).to_be_visible()
    version = make.environment().current
    assert version is not None
    address = f"/staff/environments/wk01/levels/1.png?version={version.digest}"
    expect(bars.locator("svg image")).to_have_attribute("href", address)
    with page.expect_download() as saved:
        bars.get_by_role("button", name="SVG").click()
    assert 'href="data:image/png;base64,' in saved.value.path().read_text()
