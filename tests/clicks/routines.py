"""The everyday work whose steps are counted, by the way that the pages offer."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Locator, expect

from playtest.arena.models import ApiKey
from playtest.center.models import Booking
from playtest.insight.models import Release
from playtest.people.roles import Role
from playtest.review.models import Export
from tests.clicks.hand import Hand
from tests.clicks.world import SEATS, World, roster


class Routine(NamedTuple):
    """A piece of work by its title in docs/clicks.md. `do` begins at the home and asserts that it is done."""

    title: str
    role: Role
    do: Callable[[Hand, World, Path], None]


def seat(hand: Hand, world: World, folder: Path) -> None:
    file = folder / "roster.csv"
    file.write_text(roster())
    hand.follow("Import a roster")
    hand.give_file("CSV file", file)
    hand.press_button("Check roster")
    hand.press_button(f"Import {SEATS} lines")
    make_cards(hand, world)


def make_cards(hand: Hand, world: World) -> None:
    with hand.page.expect_download() as download:
        hand.press_button("Make cards (PDF)")
    assert download.value.suggested_filename.endswith(".pdf")
    assert Booking.objects.filter(slot=world.empty, session__isnull=False).count() == SEATS


def replace_code(hand: Hand, world: World, folder: Path) -> None:
    open_slot(hand)
    hand.click(hand.page.get_by_role("row", name="R-17").get_by_role("button", name="New code"))
    expect(hand.page.get_by_label("Check-in code")).to_be_visible()


def open_slot(hand: Hand) -> None:
    """Open the slot of today with people."""
    slots = hand.page.get_by_role("region", name="Slots of today")
    hand.click(slots.get_by_role("rowheader").get_by_role("link").first)


def make_receipt(hand: Hand, world: World, folder: Path) -> None:
    open_slot(hand)
    hand.follow(world.finished.participant.label)
    hand.click(hand.page.locator("#session-pay table a").first)
    hand.press_button("Make the original")
    expect(hand.page.get_by_text("This is the original")).to_be_visible()


def watch_who_left(hand: Hand, world: World, folder: Path) -> None:
    left = hand.page.get_by_role("region", name="People who left").get_by_role("row")
    hand.click(left.filter(has_text="level 4 of 6").get_by_role("link").first)
    replays_end_of_level_4(hand, world)


def replays_end_of_level_4(hand: Hand, world: World) -> None:
    hand.page.wait_for_url(f"**/attempts/{world.left[-1].pk}/**")
    expect(hand.page.get_by_role("heading", level=1)).to_contain_text("3 of 6 levels completed")
    expect(hand.page.locator("replay-player output")).to_contain_text("level 4")


def watch_all_who_left(hand: Hand, world: World, folder: Path) -> None:
    hand.follow("Results", exact=True, within=own(hand, "wk01"))
    hand.follow("Watch how people left level 4")
    expect(hand.page.locator("level-ends .endings li")).to_have_count(2)


def own(hand: Hand, code: str) -> Locator:
    """Return what the home shows of an environment that the designer owns."""
    return hand.page.get_by_role("listitem").filter(has_text=code)


def read_blocks(hand: Hand, world: World, folder: Path) -> None:
    hand.follow("It needs a specification card.")
    hand.page.wait_for_url(re.compile("rn01.*#card$"))
    expect(hand.page.get_by_role("button", name="Write its card")).to_be_visible()


def compare_versions(hand: Hand, world: World, folder: Path) -> None:
    hand.follow("Compare versions", within=own(hand, "wk01"))
    expect(hand.page.get_by_role("region", name="Level by level")).to_be_visible()


def read_flag(hand: Hand, world: World, folder: Path) -> None:
    hand.click(hand.page.get_by_role("link", name="session to review"))
    shows_flag(hand)


def shows_flag(hand: Hand) -> None:
    expect(hand.page.get_by_role("heading", name="Flags")).to_be_visible()
    expect(hand.page.locator("replay-player:not([data-seq='0'])[data-seq]")).to_be_visible()


def watch_three(hand: Hand, world: World, folder: Path) -> None:
    hand.follow("wk01 left by")
    hand.page.locator("replay-player[data-seq]").wait_for()
    for _ in range(2):
        hand.press("n")
        hand.page.locator("replay-player[data-seq]").wait_for()
    expect(hand.page.get_by_role("navigation", name="List", exact=True)).to_contain_text(", 3 of ")


def export_data(hand: Hand, world: World, folder: Path) -> None:
    hand.follow("Export data of Spring sessions")
    hand.press_button("Export data")
    assert Export.objects.get().study == world.study


def read_departures(hand: Hand, world: World, folder: Path) -> None:
    hand.follow("departure")
    expect(hand.page.get_by_role("heading", level=1)).to_contain_text("departure")


def release_baseline(hand: Hand, world: World, folder: Path) -> None:
    hand.follow("wk01 Walk")
    release_shown(hand)


def release_shown(hand: Hand) -> None:
    hand.click(hand.page.get_by_text("Release this baseline"))
    hand.press_button("Release baseline 1")
    expect(hand.page.get_by_role("status")).to_contain_text("Baseline 1 is released")
    assert Release.objects.get().environment.code == "wk01"


def approve_pay(hand: Hand, world: World, folder: Path) -> None:
    hand.click(hand.page.get_by_role("link", name="adjustment of pay"))
    hand.press_button("Approve")
    expect(hand.page.get_by_role("heading", name="No adjustment waits")).to_be_visible()


def issue_key(hand: Hand, world: World, folder: Path) -> None:
    hand.follow("New key")
    name_key(hand)


def name_key(hand: Hand) -> None:
    hand.type("Name", "Laboratory")
    hand.press("Enter")
    expect(hand.page.get_by_label("Key", exact=True)).to_be_visible()
    assert ApiKey.objects.filter(name="Laboratory").exists()


def read_failure(hand: Hand, world: World, folder: Path) -> None:
    hand.follow(f"Qualification {world.failed.pk}")
    expect(hand.page.get_by_text("The worker ended without a report.")).to_be_visible()


ROUTINES = (
    Routine("Seat 34 people", Role.PROCTOR, seat),
    Routine("Give a new code to somebody who has lost theirs", Role.PROCTOR, replace_code),
    Routine("Make the receipt of somebody who has finished", Role.PROCTOR, make_receipt),
    Routine("Find the replay of whoever left at level 4", Role.DESIGNER, watch_who_left),
    Routine("Watch how everybody left level 4, together", Role.DESIGNER, watch_all_who_left),
    Routine("Find out why an environment is blocked", Role.DESIGNER, read_blocks),
    Routine("Compare two versions", Role.DESIGNER, compare_versions),
    Routine("See why a session was flagged", Role.RESEARCHER, read_flag),
    Routine("Watch three people who left, one after another", Role.RESEARCHER, watch_three),
    Routine("Export the data of a study", Role.RESEARCHER, export_data),
    Routine("See what departs from the plan of a study", Role.RESEARCHER, read_departures),
    Routine("Release a baseline", Role.LEAD, release_baseline),
    Routine("Approve an adjustment of pay", Role.LEAD, approve_pay),
    Routine("Issue a key", Role.ENGINEER, issue_key),
    Routine("Find out why a job failed", Role.ENGINEER, read_failure),
)
