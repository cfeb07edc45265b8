"""Names lines of a packed source as lines of the modules it was packed of, where those are at hand."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from engine.errors import SourceError
from engine.play.packing import is_packed, modules_of
from engine.play.source import Source
from engine.source_lines import IMPORT, PACKED, place_of


def in_modules(said: str, source: Source) -> str:
    """A message with its lines of a packed source as lines of the modules, where they are beside the source.

    A line that is in no module there stays as it is.
    """
    folder = Path(source.path).parent
    if not PACKED.search(said) or not is_packed(folder):
        return said
    try:
        modules = modules_of(folder, source.environment_id)
    except SourceError:
        return said

    def own(found: re.Match[str]) -> str:
        module, line = _own_line(source.text, int(found[1]), modules)
        return f"({module}, line {line})" if module else found[0]

    return PACKED.sub(own, said)


def _own_line(text: str, line: int, modules: Mapping[str, str]) -> tuple[str, int]:
    """The module and its line that a line of a packed source was; "" and 0 if it is in none of these."""
    name, from_the_end = place_of(text, line)
    if name in modules:
        return name, len(modules[name].rstrip().splitlines()) - from_the_end + 1
    if not name and (statement := IMPORT.match("".join(text.splitlines()[line - 1 : line]))):
        for path, module in modules.items():
            for number, one in enumerate(module.splitlines(), 1):
                if (found := IMPORT.match(one)) and found[1] == statement[1]:
                    return path, number
    return "", 0
