"""`manage.py play_agent NAME --url URL --key KEY`: plays a reference agent on one scorecard."""

import json
import math
import os
from collections.abc import Callable, Mapping
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from playtest.arena.agents.agent import Agent
from playtest.arena.agents.client import Client
from playtest.arena.agents.connection import Connection
from playtest.arena.agents.errors import AgentError
from playtest.arena.agents.frontier.agent import FrontierAgent
from playtest.arena.agents.llm.agent import Limits, LlmAgent
from playtest.arena.agents.llm.endpoint import Endpoint
from playtest.arena.agents.llm.usage import Prices
from playtest.arena.agents.random_agent import RandomAgent
from playtest.arena.agents.replay.sources import best_agent, optimal_agent
from playtest.arena.agents.report import as_json, as_table
from playtest.arena.agents.runner import run
from playtest.studio.management.termination import termination_interrupts

SECONDS_FOR_A_REPLY = 600.0
INTERRUPTED = 130
"""The exit status after Ctrl-C, as shells have it."""

type Options = Mapping[str, Any]


class Command(BaseCommand):
    help = (
        "Plays a reference agent on a server with the official REST API and prints what its scorecard says "
        "when it is closed. replay_best and replay_optimal read the database of this installation."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("agent", choices=sorted(AGENTS), metavar="NAME", help=", ".join(sorted(AGENTS)))
        parser.add_argument("--url", required=True, help="the server, without /api")
        parser.add_argument(
            "--key", default=os.environ.get("ARC_API_KEY"), help="the API key; default: $ARC_API_KEY"
        )
        parser.add_argument(
            "--environment",
            action="append",
            default=[],
            metavar="ID",
            help="an environment, with or without its version; may be repeated; default: all of the key",
        )
        parser.add_argument("--competition", action="store_true", help="open the card in competition mode")
        parser.add_argument("--actions", type=_positive, metavar="N", help="at most N in an environment")
        parser.add_argument("--seed", type=int, default=0, help="of random and frontier; default: 0")
        parser.add_argument("--tag", action="append", default=[], help="another tag of the card")
        parser.add_argument("--json", action="store_true", help="print the result as JSON")
        parser.add_argument("--study", type=int, metavar="ID", help="replay_best: the people of one study")
        _add_model_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["key"]:
            raise CommandError("key_missing: give a key with --key, or set ARC_API_KEY.")
        try:
            with (
                termination_interrupts(),
                Connection(options["url"], {"X-API-Key": options["key"]}) as connection,
            ):
                agent = AGENTS[options["agent"]](options)
                client = Client(connection)
                result = run(
                    client,
                    agent,
                    client.games(options["environment"]),
                    competition=options["competition"],
                    actions=options["actions"],
                    tags=options["tag"],
                    progress=lambda played: self.stderr.write(f"{played.game.game_id}: {played.ended}"),
                )
        except AgentError as error:
            raise CommandError(f"{error.code}: {error.message}") from error
        self.stdout.write(json.dumps(as_json(result)) if options["json"] else as_table(result))
        if result.interrupted:
            raise CommandError("interrupted: the card is closed.", returncode=INTERRUPTED)


def _add_model_arguments(parser: CommandParser) -> None:
    model = parser.add_argument_group("llm")
    model.add_argument("--endpoint", metavar="URL", help="an OpenAI-compatible API, up to /v1")
    model.add_argument("--model", metavar="NAME")
    model.add_argument(
        "--key-variable",
        default="OPENAI_API_KEY",
        metavar="NAME",
        help="the environment variable with the endpoint's key; default: OPENAI_API_KEY",
    )
    model.add_argument("--request", type=_object, default={}, metavar="JSON", help="sent with each request")
    model.add_argument("--input-price", type=_dollars, metavar="DOLLARS", help="for a million tokens")
    model.add_argument("--cached-price", type=_dollars, metavar="DOLLARS", help="default: --input-price")
    model.add_argument("--output-price", type=_dollars, metavar="DOLLARS", help="for a million tokens")
    model.add_argument("--cost-limit", type=_dollars, metavar="DOLLARS", help="for the whole run")
    model.add_argument(
        "--level-actions",
        type=_positive,
        default=Limits.level_actions,
        metavar="N",
        help="where the server discloses no baseline; default: 100",
    )
    model.add_argument(
        "--context",
        type=_positive,
        default=Limits.context,
        metavar="CHARACTERS",
        help="of a request; default: 100,000",
    )


def _llm(options: Options) -> Agent:
    """Raises AgentError: endpoint_missing, prices_missing."""
    if not options["endpoint"] or not options["model"]:
        raise AgentError("endpoint_missing", "The agent llm needs --endpoint and --model.")
    priced = options["input_price"] is not None and options["output_price"] is not None
    if options["cost_limit"] is not None and not priced:
        raise AgentError("prices_missing", "--cost-limit needs --input-price and --output-price.")
    key = os.environ.get(options["key_variable"])
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    connection = Connection(options["endpoint"], headers, seconds=SECONDS_FOR_A_REPLY)
    prices = Prices(options["input_price"] or 0.0, options["output_price"] or 0.0, options["cached_price"])
    limits = Limits(options["level_actions"], options["context"], cost=options["cost_limit"])
    return LlmAgent(
        Endpoint(connection, options["model"], options["request"]), options["model"], prices, limits
    )


AGENTS: dict[str, Callable[[Options], Agent]] = {
    "random": lambda options: RandomAgent(options["seed"]),
    "frontier": lambda options: FrontierAgent(options["seed"]),
    "replay_best": lambda options: best_agent(options["study"]),
    "replay_optimal": lambda options: optimal_agent(),
    "llm": _llm,
}


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def _dollars(text: str) -> float:
    amount = float(text)
    if not math.isfinite(amount) or amount < 0:
        raise ValueError(text)
    return amount


def _object(text: str) -> dict[str, Any]:
    found = json.loads(text)
    if not isinstance(found, dict):
        raise ValueError(text)
    return found
