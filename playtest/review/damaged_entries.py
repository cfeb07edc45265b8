"""Entries that cannot be read: pages and files name the entry instead of failing."""

from collections.abc import Iterator
from contextlib import contextmanager

from engine.errors import EngineError, describe_exception
from playtest.play.errors import Refusal
from playtest.play.models import Entry


@contextmanager
def damage_refused(entry: Entry) -> Iterator[None]:
    """Turns whatever reading a damaged entry raises into a Refusal 409: record_damaged."""
    try:
        yield
    except Exception as error:  # a damaged row may raise anything
        why = error.message if isinstance(error, EngineError) else describe_exception(error)
        message = (
            f"Entry {entry.seq} of this attempt is damaged and cannot be read: {why}. "
            "Check the attempt on its page, and ask the person who runs the server."
        )
        raise Refusal("record_damaged", message) from error
