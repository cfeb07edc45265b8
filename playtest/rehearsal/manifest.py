"""What rehearsals add to pages: a session to try the product."""

from playtest.people.manifests import Manifest, Part
from playtest.rehearsal.try_out import offer

MANIFEST = Manifest(parts=(Part("welcome", "rehearsal/try-out.html", offer),))
