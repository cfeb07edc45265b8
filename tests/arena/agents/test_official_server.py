"""The agents play on the official local server as on ours."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import CommandError, call_command

type Play = Callable[..., dict[str, Any]]


def test_random_and_frontier_play_there(official: str, play_agent: Play) -> None:
    for agent in ("random", "frontier"):
        made = play_agent(agent, "--url", official, "--key", "k", "--actions", "25", "--environment", "mb62")
        (environment,) = made["environments"]
        assert environment["id"] == "mb62-b7ff69ed"
        assert (environment["actions"], environment["levels"]) == (25, 7)
        assert (environment["score"], environment["ended"]) == (0.0, "action_limit")
        assert (made["agent"], made["actions"], made["cost"], made["score"]) == (agent, 25, None, 0.0)


def test_an_environment_that_is_not_offered_has_a_code(official: str) -> None:
    with pytest.raises(CommandError, match=r"environment_unknown: .* only .*mb62-b7ff69ed"):
        call_command("play_agent", "random", url=official, key="k", environment=["zz99"])
