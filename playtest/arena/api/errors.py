"""Errors of the API: a status, a code and a sentence, always as JSON."""

from collections.abc import Mapping
from http import HTTPStatus

# The codes of arc_agi (`models.APIError`), and that of the official server's limit.
VALIDATION = "VALIDATION_ERROR"
SERVER = "SERVER_ERROR"
NOT_STARTED = "GAME_NOT_STARTED_ERROR"
NOT_AVAILABLE = "GAME_NOT_AVAILABLE_ERROR"
RATE_LIMIT = "RATE_LIMIT_EXCEEDED"
# Ours, where the original has none.
UNAUTHORIZED = "UNAUTHORIZED"
NOT_FOUND = "NOT_FOUND"
METHOD_NOT_ALLOWED = "METHOD_NOT_ALLOWED"
BUDGET_SPENT = "BUDGET_SPENT"


class ApiError(Exception):
    """A request that is answered with an error; nothing was carried out and nothing counted."""

    def __init__(
        self, status: HTTPStatus, code: str, message: str, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.headers = dict(headers or {})

    @property
    def body(self) -> dict[str, str]:
        """The answer's body."""
        return {"error": self.code, "message": self.message}


def invalid(message: str, code: str = VALIDATION) -> ApiError:
    """400: the request cannot be understood or is not allowed now."""
    return ApiError(HTTPStatus.BAD_REQUEST, code, message)


def not_found(message: str, code: str = SERVER) -> ApiError:
    """404: there is no such thing, or it belongs to another key."""
    return ApiError(HTTPStatus.NOT_FOUND, code, message)


def busy(message: str) -> ApiError:
    """503: nothing is known to have been carried out; the client repeats it, best with Idempotency-Key."""
    return ApiError(HTTPStatus.SERVICE_UNAVAILABLE, SERVER, message, {"Retry-After": "1"})
