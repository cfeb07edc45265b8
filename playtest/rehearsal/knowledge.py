"""What simulated people know: the stored winning recording of a version."""

from playtest.play.errors import Refusal
from playtest.rehearsal.people import Press, Ways
from playtest.rehearsal.people.ways import from_recording
from playtest.review.recording_document import winning_document
from playtest.studio.models import Version


def ways(version: Version) -> Ways:
    """The ways of this version's levels; none where no winning recording is stored, or none that plays."""
    try:
        document = winning_document(version)
    except Refusal:
        return Ways(version.environment.code)
    actions = [
        (entry["level"], Press(entry["action"], entry["x"] or 0, entry["y"] or 0))
        for entry in document["entries"][1:]
    ]
    return from_recording(version.environment.code, actions, version.levels)
