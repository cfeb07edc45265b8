"""What the arena's pages are called in the trail above a page."""

from playtest.people.trail import add_titles


def name_pages() -> None:
    add_titles(
        {
            "arena:card": _card,
            "arena:environment": "{code}",
            "arena:task-board": "Static tasks",
            "arena:submission": "Answers {pk}",
            "arena:submission-new": "New answers",
            "arena:key": "Key {pk}",
            "arena:key-new": "New key",
        }
    )


def _card(card_id: object) -> str:
    return f"Scorecard {str(card_id)[:8]}"
