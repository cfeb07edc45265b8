"""What the pages of replays, reviews and data are called in the trail above a page."""

from playtest.people.trail import add_titles
from playtest.review.models import Collection


def name_pages() -> None:
    add_titles(
        {
            "review:attempt": "Attempt {pk}",
            "review:attempt-exports": "Exports",
            "review:stored-recording": "Recording {pk}",
            "review:collection": _collection,
            "review:case": "Session {pk}",
            "review:agreement": "Agreement",
            "review:decisions": "Decisions",
            "review:signed-day": "{day}",
        }
    )


def _collection(pk: int) -> str:
    return Collection.objects.values_list("name", flat=True).filter(pk=pk).first() or ""
