"""Effort flags on the wall: the room that knows them adds their source when it starts."""

from collections.abc import Callable, Collection, Mapping, Sequence

type Flags = Mapping[int, Sequence[str]]
"""The flags of sessions in words; a session without any may be absent."""
type Source = Callable[[Collection[int]], Flags]


def _none(_: Collection[int]) -> Flags:
    return {}


_source: Source = _none


def set_flags(source: Source) -> Source:
    """Sets where the flags of sessions come from, and returns the source before."""
    global _source
    before, _source = _source, source
    return before


def flags_of(sessions: Collection[int]) -> Flags:
    """The flags of these sessions in words."""
    return _source(sessions)
