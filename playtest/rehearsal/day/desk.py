"""The proctor of a day: an account for its time, and a browser that uses the staff pages."""

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus

from django.contrib.auth.hashers import make_password

from playtest.people.models import Staff
from playtest.people.roles import Role
from playtest.rehearsal.browser import Browser, Page, RehearsalFailed

NAME = "rehearsal-proctor"
_REFUSED = re.compile(r'class="notice" role="status">([^<]*\([a-z_]+\))')
"""A page's message with a code is a refusal."""
_NOBODY = "(nobody)"


@contextmanager
def proctor() -> Iterator[tuple[Staff, str]]:
    """An account with the rights of a proctor and its password; nobody can use it afterwards."""
    password = secrets.token_urlsafe(18)
    values = {"role": Role.PROCTOR, "password": make_password(password), "is_active": True}
    staff, _ = Staff.objects.update_or_create(username=NAME, defaults=values)
    try:
        yield staff, password
    finally:
        Staff.objects.filter(pk=staff.pk).update(is_active=False, password=make_password(None))


class Desk:
    """The browser at the proctor's desk. Every method raises RehearsalFailed if a page refuses."""

    def __init__(self, root: str) -> None:
        self._browser = Browser(root)

    async def sign_in(self, password: str) -> None:
        await self._browser.get("/staff/sign-in/")
        page = await self._browser.post("/staff/sign-in/", username=NAME, password=password)
        if page.status != HTTPStatus.OK or page.path == "/staff/sign-in/":
            raise RehearsalFailed(f"The proctor could not sign in: {page.path} ({page.status}).")

    async def see(self, path: str) -> Page:
        return self._accepted(path, await self._browser.get(path))

    async def press(self, path: str, **fields: str) -> Page:
        """Sends the form of a control."""
        token = secrets.token_urlsafe(9)
        return self._accepted(path, await self._browser.post(path, form_token=token, **fields))

    async def control(self, session: int, control: str, **fields: str) -> Page:
        """Uses a control of one station."""
        return await self.press(f"/staff/sessions/{session}/{control}/", **fields)

    async def control_slot(self, slot: int, control: str, **fields: str) -> Page:
        """Uses a control for everybody in a slot; nothing happens if everybody has left."""
        return await self.press(f"/staff/room-controls/{control}/", slot=str(slot), **fields)

    def _accepted(self, path: str, page: Page) -> Page:
        if page.status != HTTPStatus.OK:
            raise RehearsalFailed(f"{path} answered {page.status}.")
        if (found := _REFUSED.search(page.text)) and not found.group(1).endswith(_NOBODY):
            raise RehearsalFailed(f"{path} refused: {found.group(1)}")
        return page
