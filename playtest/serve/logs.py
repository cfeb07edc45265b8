"""The log of every process: one line an event, readable or as JSON, and never personal data.

Lines carry the numbers of the session and the attempt that they are about, where there is one: whoever
handles them binds the numbers once (`about`), and every line written meanwhile has them. Numbers are no
personal data; who is behind one is in the database, for those who may see it. What reaches the log from
elsewhere, as an address in an error of a library, is replaced.
"""

import logging
import re
from collections.abc import MutableMapping
from ipaddress import ip_address
from typing import Any

import structlog

type _Event = MutableMapping[str, Any]

_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_ADDRESS = re.compile(
    r"(?<![\w:.])(?:[0-9a-f]{0,4}:){2,7}[0-9a-f.]{0,15}|\b(?:\d{1,3}\.){3}\d{1,3}\b", re.IGNORECASE
)
_CODE = re.compile(r"\b[0-9A-HJKMNP-TV-Z]{3}-[0-9A-HJKMNP-TV-Z]{3}\b")


def about(**numbers: int | None) -> None:
    """Adds these numbers to every line of this connection or request from now on; None removes one."""
    structlog.contextvars.bind_contextvars(**{name: one for name, one in numbers.items() if one is not None})
    structlog.contextvars.unbind_contextvars(*(name for name, one in numbers.items() if one is None))


def configuration(form: str, level: str) -> dict[str, Any]:
    """Django's LOGGING: `form` is "text", or "json" for a JSON object a line."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"()": "playtest.serve.logs.formatter", "form": form}},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            # Django's own handlers are for development with its own server.
            "django": {"handlers": [], "propagate": True},
            # Who changed which station is in the log whatever the level is.
            "playtest.center.stations.services": {"level": "INFO"},
            # So is which version starts.
            "playtest.operation.presence": {"level": "INFO"},
        },
    }


def formatter(form: str) -> logging.Formatter:
    """Makes lines of the standard library's records."""
    last: Any = (
        structlog.processors.JSONRenderer(default=str)
        if form == "json"
        else structlog.dev.ConsoleRenderer(colors=False, pad_event_to=0, sort_keys=False)
    )
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[
            structlog.contextvars.merge_contextvars,
            structlog.stdlib.add_log_level,
            structlog.stdlib.add_logger_name,
            structlog.stdlib.ExtraAdder(["session", "attempt", "outcome", "code"]),
            structlog.processors.TimeStamper(fmt="iso", utc=True),
        ],
        processors=[
            _without_path,
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,
            _without_personal_data,
            last,
        ],
    )


def _without_path(_logger: object, _name: str, event: _Event) -> _Event:
    """Names the page of a request and not its address, which may hold a personal link."""
    request = getattr(event["_record"], "request", None)
    if request is not None and hasattr(request, "path"):
        match = getattr(request, "resolver_match", None)
        page = match.view_name if match else "no page of ours"
        event["event"] = str(event["event"]).replace(request.path, page)
    return event


def _without_personal_data(_logger: object, _name: str, event: _Event) -> _Event:
    for key, value in event.items():
        if isinstance(value, str) and key != "timestamp":
            event[key] = replaced(value)
    return event


def replaced(text: str) -> str:
    """The text with e-mail addresses, network addresses and check-in codes replaced."""
    text = _CODE.sub("[code]", _EMAIL.sub("[e-mail]", text))
    return _ADDRESS.sub(_address, text)


def _address(found: re.Match[str]) -> str:
    """The time 12:30:05 looks like an address and is none."""
    try:
        ip_address(found[0])
    except ValueError:
        return found[0]
    return "[address]"
