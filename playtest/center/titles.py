"""What the center's pages are called in the trail above a page."""

from playtest.people.trail import add_titles


def name_pages() -> None:
    add_titles(
        {
            "center:room-controls": "Everybody in the room",
            "center:slot": "Slot {pk}",
            "center:slots-new": "New slots",
            "center:roster": "Roster",
            "center:session": "Session {pk}",
            "center:session-new": "New session",
            "center:sessions-several": "Several sessions",
            "center:session-controls": "Controls",
            "center:same-person": "Records of one person",
            "center:station": "Station {number}",
            "center:pay-study": "Study {pk}",
            "center:pay-receipt": "Receipt {pk}",
            "center:pay-batch": "Batch {pk}",
            "center:pay-batch-new": "New batch",
        }
    )
