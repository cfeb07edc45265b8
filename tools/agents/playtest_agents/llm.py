"""An agent that asks a language model for every action, by the report's prompt rules (report 4.3.1).

One action a reply, within a budget of actions, of context and of dollars.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from playtest_agents.connection import AgentError, ApiError, Connection
from playtest_agents.game import RESET, Action, Agent, Choice, Game, Stop, Turn
from playtest_agents.llm_text import Exchange, Message, Prices, Usage, last_action, messages, note, turn_text
from playtest_agents.runner import LEVEL_BUDGET

BUDGET_FACTOR = 5
"""Actions on a level, as a multiple of its baseline (report 4.3)."""


@dataclass(frozen=True)
class Limits:
    """`level_actions` holds where the server discloses no baseline; `cost` is in dollars for the whole run.

    `context` is the most characters of a request. `tries`: the replies to one turn until one has an action.
    """

    level_actions: int = 100
    context: int = 100_000
    tries: int = 3
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """What the model wrote, what the endpoint shows of its reasoning, and what both took."""

    text: str
    reasoning: str
    usage: Usage


class Endpoint:
    """One model. `options` are sent with each request, for instance {"temperature": 0}.

    Raises as `Connection`; AgentError endpoint_refused with the endpoint's reason, answer_malformed.
    """

    def __init__(self, connection: Connection, model: str, options: Mapping[str, Any]) -> None:
        self._connection = connection
        self._body = {**options, "model": model}

    def ask(self, messages: Sequence[Message]) -> Reply:
        """One reply. An empty one is no error: the caller asks again."""
        try:
            answer = self._connection.post("/chat/completions", {**self._body, "messages": list(messages)})
        except ApiError as error:
            raise AgentError("endpoint_refused", f"The chat endpoint's answer: {error.message}") from error
        return _reply(answer)


class LlmAgent(Agent):
    """One conversation an environment. Stops with level_budget, cost_limit or malformed_replies.

    Raises as `Endpoint`, and AgentError usage_missing if it is to limit costs that it is not told.
    """

    name = "llm"

    def __init__(self, endpoint: Endpoint, model: str, prices: Prices, limits: Limits) -> None:
        self.settings = {"model": model, **asdict(prices), **asdict(limits)}
        self.limits = limits
        self.malformed = 0
        self.used = Usage()
        self._endpoint = endpoint
        self._prices = prices

    @property
    def cost(self) -> float | None:
        return self._prices.cost(self.used)["total_cost"]

    @property
    def counts(self) -> Mapping[str, Any]:
        return {"malformed_replies": self.malformed, "usage": self.used.as_json()}

    @property
    def is_spent(self) -> bool:
        """Whether the cost limit is reached: then no further reply is asked for."""
        return self.limits.cost is not None and (self.cost or 0.0) >= self.limits.cost

    def begin(self, game: Game, *, competition: bool) -> "LlmPlayer":
        return LlmPlayer(self, game)

    def ask(self, history: list[Exchange], asked: str) -> Reply:
        """One reply, counted."""
        reply = self._endpoint.ask(messages(history, asked, self.limits.context))
        if self.limits.cost is not None and reply.usage == Usage():
            message = "The endpoint does not say how many tokens it used: leave out --cost-limit to go on."
            raise AgentError("usage_missing", message)
        self.used += reply.usage
        return reply

    def note(self, reply: Reply, usage: Usage) -> dict[str, Any]:
        return note(reply.text, reply.reasoning, usage, self._prices.cost(usage))


@dataclass(slots=True)
class LlmPlayer:
    """A conversation about one environment. A lost level is reset without a question to the model."""

    agent: LlmAgent
    game: Game
    history: list[Exchange] = field(default_factory=list)
    level: int = 0
    on_level: int = 0
    """Actions on the level so far, resets included."""
    unsent: Usage = field(default_factory=Usage)
    """What replies without an action took; it is noted beside the next action."""
    may_reset: bool = False
    """Not at a level's start nor after another RESET, where it would restart the whole game."""
    lost: str = ""
    """The lost turn before this one, which the model has not read."""

    def choose(self, turn: Turn) -> Choice | Stop:
        if turn.levels_completed != self.level:
            self.level, self.on_level, self.may_reset = turn.levels_completed, 0, False
        if self.on_level >= self._budget():
            return Stop(LEVEL_BUDGET)
        choice = self._reset(turn) if turn.lost else self._asked(turn)
        if isinstance(choice, Choice):
            self.on_level += 1
            self.may_reset = choice.action.id != RESET
        return choice

    def _budget(self) -> int:
        baseline = self.game.baseline
        if self.level < len(baseline):
            return BUDGET_FACTOR * baseline[self.level]
        return self.agent.limits.level_actions

    def _reset(self, turn: Turn) -> Choice:
        self.lost = turn_text(turn) + "\n\n"
        return Choice(Action(RESET))

    def _asked(self, turn: Turn) -> Choice | Stop:
        allowed = (*([RESET] if self.may_reset else []), *turn.available)
        asked = self.lost + turn_text(turn, allowed)
        for _ in range(self.agent.limits.tries):
            if self.agent.is_spent:
                return Stop("cost_limit")
            reply = self.agent.ask(self.history, asked)
            self.unsent += reply.usage
            action = last_action(reply.text, allowed)
            if action is not None:
                self.history.append((asked, reply.text))
                self.lost = ""
                usage, self.unsent = self.unsent, Usage()
                return Choice(action, self.agent.note(reply, usage))
            self.agent.malformed += 1
        return Stop("malformed_replies")


def _reply(answer: Any) -> Reply:
    match answer:
        case {"choices": [{"message": {**message}}, *_]}:
            reasoning = message.get("reasoning_content") or message.get("reasoning")
            usage = Usage.of_answer(answer.get("usage"))
            return Reply(_text(message.get("content")), _text(reasoning), usage)
    raise AgentError("answer_malformed", f"The chat endpoint answered without a choice: {str(answer)[:200]}")


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
