"""What the pages of studies and internal plays are called in the trail above a page."""

from playtest.people.trail import add_titles


def name_pages() -> None:
    add_titles(
        {
            "play:study-new": "New study",
            "play:study-edit": "Change",
            "play:survey-edit": "Survey",
            "play:protocol-versions": "Protocol",
            "play:internal-play": "Internal play {pk}",
        }
    )
