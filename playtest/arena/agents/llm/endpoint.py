"""Asks a model at an OpenAI-compatible chat endpoint."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from playtest.arena.agents.connection import Connection
from playtest.arena.agents.errors import AgentError, ApiError
from playtest.arena.agents.llm.prompt import Message
from playtest.arena.agents.llm.usage import Usage


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


def _reply(answer: Any) -> Reply:
    match answer:
        case {"choices": [{"message": {**message}}, *_]}:
            reasoning = message.get("reasoning_content") or message.get("reasoning")
            usage = Usage.of_answer(answer.get("usage"))
            return Reply(_text(message.get("content")), _text(reasoning), usage)
    raise AgentError("answer_malformed", f"The chat endpoint answered without a choice: {str(answer)[:200]}")


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
