"""The pages of the arena in their reading order, as its own navigation shows them."""

from playtest.people.navigation import Page
from playtest.people.roles import Right

PAGES = (
    Page("Keys", "arena:keys", Right.MANAGE_KEYS),
    Page("Exposure", "arena:exposure", Right.READ_BOARDS),
)
