"""The errors of a run, each with a code and a sentence that says what to do.

AgentError
└── ApiError: the server has answered with an error; `status` is that of HTTP
"""


class AgentError(Exception):
    """A run cannot go on. `code` is snake_case and stable (docs/agents.md lists them)."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message


class ApiError(AgentError):
    """The server refused a request: `answer_code` is the code in its JSON answer, empty without one."""

    def __init__(self, status: int, answer_code: str, message: str) -> None:
        code = "key_refused" if status == 401 else "request_refused"
        super().__init__(code, f"The server answered {status} {answer_code}: {message}".replace(" :", ":"))
        self.status = status
        self.answer_code = answer_code
