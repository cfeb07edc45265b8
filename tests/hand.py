"""One member of staff at a page, each of whose clicks, key chords and fields counts one."""

from pathlib import Path

from playwright.sync_api import Error, Locator, Page

from playtest.people.roles import Role
from tests.browsing import ORIGIN, browse, settled
from tests.staff import signed_in

HOME = "/staff/"


class Hand:
    """Does what a person does with mouse and keyboard, and counts it in `steps`.

    A field counts one however much is typed, and so does a choice in a list; going to the home after sign-in
    counts nothing, nor does reading.
    """

    def __init__(self, page: Page, role: Role) -> None:
        self.page = browse(page, signed_in(role))
        self.steps = 0
        page.goto(f"{ORIGIN}{HOME}")
        settled(page)

    def click(self, target: Locator) -> None:
        """Click a link, a button or a box."""
        target.click()
        self._done()

    def follow(self, name: str, *, exact: bool = False, within: Locator | None = None) -> None:
        """Click the first link of this name."""
        self.click((within or self.page).get_by_role("link", name=name, exact=exact).first)

    def press_button(self, name: str) -> None:
        """Click the button of this name."""
        self.click(self.page.get_by_role("button", name=name))

    def press(self, keys: str) -> None:
        """Press a key, or several at once."""
        self.page.keyboard.press(keys)
        self._done()

    def type(self, field: str, text: str) -> None:
        """Fill in the field of this label."""
        self.page.get_by_label(field).fill(text)
        self._done()

    def type_on(self, text: str) -> None:
        """Type into what has the focus."""
        self.page.keyboard.type(text)
        self._done()

    def choose(self, field: str, option: str) -> None:
        """Choose an option in the list of this label."""
        self.page.get_by_label(field, exact=True).select_option(label=option)
        self._done()

    def give_file(self, field: str, file: Path) -> None:
        """Choose a file."""
        self.page.get_by_label(field).set_input_files(file)
        self._done()

    def _done(self) -> None:
        self.steps += 1
        try:
            settled(self.page)
        except Error:  # the page was left for the next one meanwhile
            settled(self.page)
