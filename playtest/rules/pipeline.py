"""The stages an environment goes through from an idea to a release (report 3.2)."""

from enum import StrEnum


class Stage(StrEnum):
    SPECIFICATION = "specification"
    INTERNAL = "internal"
    EXTERNAL = "external"
    DONE = "done"
