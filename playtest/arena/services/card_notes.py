"""Notes of staff on scorecards. They are only added."""

from playtest.arena.models import CardNote, Scorecard
from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal

LONGEST_NOTE = 2000


def add_note(card: Scorecard, text: str, staff: Staff) -> CardNote:
    """Adds a note to a card. Refusal (400): note_missing, note_too_long."""
    text = text.strip()
    if not text:
        raise Refusal("note_missing", "Write the note first.", status=400)
    if len(text) > LONGEST_NOTE:
        raise Refusal("note_too_long", f"A note has at most {LONGEST_NOTE:,} characters.", status=400)
    return CardNote.objects.create(card=card, text=text, written_at=now(), written_by=staff)
