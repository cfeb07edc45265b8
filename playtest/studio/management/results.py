"""What the commands that import say of each environment or task."""

import json
from collections.abc import Sequence

from django.core.management.base import OutputWrapper

from playtest.studio.services.loading import LoadResult


def print_results(output: OutputWrapper, results: Sequence[LoadResult], *, as_json: bool, none: str) -> None:
    """A line for each result, or one of JSON for all; `none` is said where there is no result."""
    if as_json:
        output.write(json.dumps([result.as_json() for result in results]))
        return
    for result in results:
        reason = f" ({result.reason})" if result.reason else ""
        output.write(f"{result.environment_id}: {result.status.replace('_', ' ')}{reason}")
    if not results:
        output.write(none)
