"""Which browser belongs to which session: the `seat` cookie, codes and tokens, stored as hashes.

A process serves all studies, unless the program that starts it sets a rule.
"""

import secrets
from collections.abc import Callable, Mapping, Sequence

from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare, salted_hmac

from playtest.people import languages
from playtest.people.cookies import set_own_cookie
from playtest.play.errors import Refusal
from playtest.play.models import Session, Study
from playtest.rules.text import whole_number

_SALT = "playtest.play.secrets"
"""Part of every stored hash: it can never change."""


def hashed(secret: str) -> str:
    """64 hex characters; useless without SECRET_KEY, equal for equal secrets."""
    return salted_hmac(_SALT, secret, algorithm="sha256").hexdigest()


def new_token() -> str:
    return secrets.token_urlsafe(32)


def matches(secret: str, stored: str) -> bool:
    return bool(stored) and constant_time_compare(hashed(secret), stored)


type Rule = Callable[[Study], Refusal | None]
"""Why a study is not served here; None if it is."""


def _serve_all(_: Study) -> None:
    return None


_rule: Rule = _serve_all


def set_rule(rule: Rule) -> Rule:
    """Sets the rule of this process, and returns the one before."""
    global _rule
    before, _rule = _rule, rule
    return before


def is_served(study: Study) -> bool:
    return _rule(study) is None


def refuse_unless_served(study: Study) -> None:
    """Raises the rule's Refusal of a study that this process does not serve."""
    if (refusal := _rule(study)) is not None:
        raise refusal


COOKIE = "seat"
_LIFETIME_SECONDS = 24 * 60 * 60


def set_seat(response: HttpResponse, session: Session, token: str) -> None:
    set_own_cookie(response, COOKIE, f"{session.pk}.{token}", seconds=_LIFETIME_SECONDS)
    languages.remember_language(response, session.language)


def clear_seat(response: HttpResponse) -> None:
    response.delete_cookie(COOKIE, samesite="Strict")
    response.delete_cookie(languages.COOKIE, samesite="Strict")


def session_of_cookie(cookies: Mapping[str, str]) -> Session | None:
    """The session whose current seat token the cookie holds, ended or not; otherwise None.

    None also where this process does not serve the session's study.
    """
    return sessions_of_cookies([cookies], "participant", "protocol")[0]


def sessions_of_cookies(browsers: Sequence[Mapping[str, str]], *related: str) -> list[Session | None]:
    """As `session_of_cookie`, of the cookies of many browsers in one read, of `related` rows, too."""
    seats = [cookies.get(COOKIE, "").partition(".") for cookies in browsers]
    numbers = [whole_number(number) for number, _, _ in seats]
    sessions = Session.objects.select_related("study", *related)
    found = sessions.in_bulk([pk for pk in numbers if pk is not None])
    return [
        session
        if (session := found.get(pk)) and matches(token, session.seat_hash) and is_served(session.study)
        else None
        for pk, (_, _, token) in zip(numbers, seats, strict=True)
    ]


def seated_session(request: HttpRequest) -> Session | None:
    return session_of_cookie(request.COOKIES)
