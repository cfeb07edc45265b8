"""What rehearsals add to pages: how far the demonstrations are, and a session to try the product."""

from playtest.people.manifests import Manifest, Part
from playtest.rehearsal.demonstration import progress
from playtest.rehearsal.try_out import offer

MANIFEST = Manifest(
    parts=(
        Part("staff", "rehearsal/demonstration.html", progress),
        Part("welcome", "rehearsal/try-out.html", offer),
    )
)
