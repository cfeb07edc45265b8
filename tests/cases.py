"""Cases of a test as a table, each beside its name."""

from collections.abc import Mapping
from typing import Any

import pytest


def cases(names: str | tuple[str, ...], table: Mapping[str, Any]) -> pytest.MarkDecorator:
    """As `pytest.mark.parametrize`, with the values of each case by its id."""
    return pytest.mark.parametrize(names, list(table.values()), ids=list(table))
