"""The pages of the arena in their reading order, as its own navigation shows them."""

from playtest.people.navigation import Page
from playtest.people.roles import Right

PAGES = (
    Page("Scorecards", "arena:cards", Right.READ_BOARDS),
    Page("Boards", "arena:boards", Right.READ_BOARDS),
    Page("Development", "arena:development", Right.READ_BOARDS),
    Page("Exports", "arena:exports", Right.READ_BOARDS),
    Page("Keys", "arena:keys", Right.MANAGE_KEYS),
    Page("Exposure", "arena:exposure", Right.READ_BOARDS),
)
