"""`python -m playtest_agents NAME --url URL --key KEY`: plays a reference agent on one scorecard."""

import argparse
import json
import math
import os
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from playtest_agents.client import Client
from playtest_agents.connection import AgentError, Connection
from playtest_agents.frontier import FrontierAgent
from playtest_agents.game import Agent
from playtest_agents.llm import Endpoint, Limits, LlmAgent
from playtest_agents.llm_text import Prices
from playtest_agents.random_agent import RandomAgent
from playtest_agents.replay import ReplayAgent
from playtest_agents.runner import CardRun, as_json, as_table, run

SECONDS_FOR_A_REPLY = 600.0
INTERRUPTED = 130
"""The exit status after Ctrl-C, as shells have it."""

type Options = argparse.Namespace


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit status: 0, 1 after an error, 130 if the run was interrupted."""
    options = _parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        result = _play(options)
    except AgentError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(f"{json.dumps(as_json(result)) if options.json else as_table(result)}\n")
    if result.interrupted:
        sys.stderr.write("interrupted: the card is closed.\n")
    return INTERRUPTED if result.interrupted else 0


def _play(options: Options) -> CardRun:
    if not options.key:
        raise AgentError("key_missing", "Give a key with --key, or set ARC_API_KEY.")
    with Connection(options.url, {"X-API-Key": options.key}) as connection:
        agent = AGENTS[options.agent](options)
        client = Client(connection)
        return run(
            client,
            agent,
            client.games(options.environment),
            competition=options.competition,
            actions=options.actions,
            tags=options.tag,
            progress=lambda played: sys.stderr.write(f"{played.game.game_id}: {played.ended}\n"),
        )


def _interrupt(*_: object) -> NoReturn:
    raise KeyboardInterrupt


def _llm(options: Options) -> Agent:
    """Raises AgentError: endpoint_missing, prices_missing."""
    if not options.endpoint or not options.model:
        raise AgentError("endpoint_missing", "The agent llm needs --endpoint and --model.")
    priced = options.input_price is not None and options.output_price is not None
    if options.cost_limit is not None and not priced:
        raise AgentError("prices_missing", "--cost-limit needs --input-price and --output-price.")
    key = os.environ.get(options.key_variable)
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    connection = Connection(options.endpoint, headers, seconds=SECONDS_FOR_A_REPLY)
    prices = Prices(options.input_price or 0.0, options.output_price or 0.0, options.cached_price)
    limits = Limits(options.level_actions, options.context, cost=options.cost_limit)
    return LlmAgent(Endpoint(connection, options.model, options.request), options.model, prices, limits)


def _replay(options: Options) -> Agent:
    """Raises AgentError: file_missing, file_unreadable."""
    if options.file is None:
        raise AgentError("file_missing", "The agent replay needs --file with level actions.")
    return ReplayAgent(options.file)


AGENTS: dict[str, Callable[[Options], Agent]] = {
    "random": lambda options: RandomAgent(options.seed),
    "frontier": lambda options: FrontierAgent(options.seed),
    "replay": _replay,
    "llm": _llm,
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="playtest_agents",
        description="Plays a reference agent on a server with the official REST API, and prints what its "
        "scorecard says when it is closed.",
    )
    add = parser.add_argument
    add("agent", choices=sorted(AGENTS), metavar="NAME", help=", ".join(sorted(AGENTS)))
    add("--url", required=True, help="the server, without /api")
    add("--key", default=os.environ.get("ARC_API_KEY"), help="the API key; default: $ARC_API_KEY")
    add(
        "--environment",
        action="append",
        default=[],
        metavar="ID",
        help="an environment, with or without its version; may be repeated; default: all of the key",
    )
    add("--competition", action="store_true", help="open the card in competition mode")
    add("--actions", type=_positive, metavar="N", help="at most N in an environment")
    add("--seed", type=int, default=0, help="of random and frontier; default: 0")
    add("--tag", action="append", default=[], help="another tag of the card")
    add("--json", action="store_true", help="print the result as JSON")
    add("--file", type=Path, metavar="PATH", help="of replay: the level actions")
    add_of_model = parser.add_argument_group("llm").add_argument
    add_of_model("--endpoint", metavar="URL", help="an OpenAI-compatible API, up to /v1")
    add_of_model("--model", metavar="NAME")
    add_of_model(
        "--key-variable",
        default="OPENAI_API_KEY",
        metavar="NAME",
        help="the environment variable with the endpoint's key; default: OPENAI_API_KEY",
    )
    add_of_model("--request", type=_object, default={}, metavar="JSON", help="sent with each request")
    add_of_model("--input-price", type=_dollars, metavar="DOLLARS", help="for a million tokens")
    add_of_model("--cached-price", type=_dollars, metavar="DOLLARS", help="default: --input-price")
    add_of_model("--output-price", type=_dollars, metavar="DOLLARS", help="for a million tokens")
    add_of_model("--cost-limit", type=_dollars, metavar="DOLLARS", help="for the whole run")
    add_of_model(
        "--level-actions",
        type=_positive,
        default=Limits.level_actions,
        metavar="N",
        help="where the server discloses no baseline; default: 100",
    )
    add_of_model(
        "--context",
        type=_positive,
        default=Limits.context,
        metavar="CHARACTERS",
        help="of a request; default: 100,000",
    )
    return parser


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


if __name__ == "__main__":
    sys.exit(main())
