"""Refusals of requests, each with a code and a sentence that says what to do."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import IntegrityError, transaction

from playtest.rules.errors import RuleError


class Refusal(RuleError):
    """A request that cannot be carried out; nothing has changed.

    code: snake_case, stable, documented where it can be seen (docs/wire.md for the socket).
    message: a sentence for the person in front of the screen.
    status: the HTTP status a page answers with.
    """

    def __init__(self, code: str, message: str, status: int = 409) -> None:
        super().__init__(code, message)
        self.status = status

    def __str__(self) -> str:
        return self.message


def paused() -> Refusal:
    """The refusal of everything that a participant does while staff have paused the session."""
    return Refusal("paused", "A member of staff has paused this session.")


@contextmanager
def once(code: str, message: str) -> Iterator[None]:
    """A transaction that ends in a refusal where a constraint allows no second row."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        raise Refusal(code, message) from error
