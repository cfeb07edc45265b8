"""The OpenAPI document of the API, as data; tests compare it with the running server."""

import re
from typing import Any

from playtest.arena.api.http import LONGEST_REQUEST_KEY, MOST_STORED_BYTES
from playtest.review import codebook
from playtest.review.services.table_files import FORMATS

type Schema = dict[str, Any]

_TEXT: Schema = {"type": "string"}
_COUNT: Schema = {"type": "integer", "minimum": 0}
_COORDINATE: Schema = {"type": "integer", "minimum": 0, "maximum": 63}
_ANYTHING: Schema = {"description": f"Any JSON of at most {MOST_STORED_BYTES} bytes."}
_HEADERS: Schema = {
    name: {"schema": _TEXT, "description": description}
    for name, description in (
        ("X-Unavailable-Action", "true: the action was not available; it was carried out and counted."),
        ("X-Full-Reset", "true: the environment began from its first level."),
        ("X-Repeated-Request", "true: this Idempotency-Key was answered before; nothing was carried out."),
    )
}
_FRAME_SIZE = {"minItems": 64, "maxItems": 64}
_ID = _TEXT | {"maxLength": 500, "minLength": 1}
_REASONING = {"reasoning": _ANYTHING}
_ERRORS = {
    400: "The request is wrong, or not possible now.",
    401: "The key is missing or wrong.",
    403: "Not to be told while the card is open.",
    404: "There is no such thing, or it is another key's.",
    409: "The key has an open competition card.",
    413: "The body is too large.",
    429: "Too many requests, or a table that is not written yet: see Retry-After.",
    500: "The environment or the server failed.",
    503: "The action could not be recorded: try again.",
}
_PLAIN = {"content": {"text/plain": {"schema": _TEXT}}}


def _object(required: dict[str, Schema], optional: dict[str, Schema] | None = None) -> Schema:
    return {"type": "object", "required": list(required), "properties": required | (optional or {})}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _named(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _nullable(schema: Schema) -> Schema:
    return schema | {"type": [schema["type"], "null"]}


_GAME = _object(
    {"game_id": _TEXT, "default_fps": _COUNT, "date_downloaded": _TEXT | {"format": "date-time"}},
    {
        "title": _nullable(_TEXT),
        "tags": _nullable(_list(_TEXT)),
        "class_name": _nullable(_TEXT),
        "baseline_actions": _list(_COUNT),
    },
)
_FRAMES = _list(_list(_list({"type": "integer", "minimum": 0, "maximum": 15}) | _FRAME_SIZE) | _FRAME_SIZE)
_TURN = _object(
    {
        "game_id": _TEXT,
        "guid": _TEXT,
        "frame": _FRAMES | {"minItems": 1},
        "state": {"enum": ["NOT_FINISHED", "WIN", "GAME_OVER"]},
        "levels_completed": _COUNT,
        "win_levels": _COUNT,
        "action_input": _object({"id": _COUNT, "data": {"type": "object"}, "reasoning": _ANYTHING}),
        "full_reset": {"const": False},
        "available_actions": _list({"type": "integer", "minimum": 1, "maximum": 7}),
    }
)
_SCORECARD = _object(
    {
        "card_id": _TEXT,
        "score": {"type": "number", "minimum": 0},
        "tags": _list(_TEXT),
        "environments": _list({"type": "object"}),
        "tags_scores": _list({"type": "object"}),
        "total_environments_completed": _COUNT,
        "total_environments": _COUNT,
        "total_levels_completed": _COUNT,
        "total_levels": _COUNT,
        "total_actions": _COUNT,
    },
    {"source_url": _TEXT, "opaque": _ANYTHING, "competition_mode": {"type": "boolean"}},
)
_COUNTS = _object(
    {
        "won": _COUNT,
        "played": _COUNT,
        "total_actions": _COUNT,
        "levels_completed": _COUNT,
        "cards": {"type": "object"},
    }
)
_CARD_ID = _object({"card_id": _TEXT | {"maxLength": 500}})
_OPEN: Schema = {
    "type": "object",
    "properties": {
        "tags": _nullable(_list(_TEXT | {"maxLength": 200}) | {"maxItems": 100}),
        "source_url": _nullable(_TEXT | {"maxLength": 500}),
        "opaque": _ANYTHING,
        "competition_mode": {"type": ["boolean", "null"]},
        "strict": {"type": ["boolean", "null"]},
    },
}
_RESET = _object({"game_id": _ID}, {"card_id": _ID, "guid": _ID, **_REASONING}) | {
    "anyOf": [{"required": ["card_id"]}, {"required": ["guid"]}]
}
_ACTION = _object({"game_id": _ID, "guid": _ID}, {"card_id": _ID, **_REASONING})
_CLICK = _object(
    {"game_id": _ID, "guid": _ID, "x": _COORDINATE, "y": _COORDINATE}, {"card_id": _ID, **_REASONING}
)


def _answers(reply: Schema, *errors: int, of_command: bool = False) -> Schema:
    """The answers of an operation: its reply, and the errors that every one with a key has besides."""
    answered: Schema = {"description": "Done.", "content": {"application/json": {"schema": reply}}}
    if of_command:
        answered["headers"] = _HEADERS
    codes = sorted({401, 429, 500, *errors})
    return {"200": answered} | {
        str(code): {
            "description": _ERRORS[code],
            "content": {"application/json": {"schema": _named("Error")}},
            **({"headers": {"Retry-After": {"schema": _TEXT}}} if code in (429, 503) else {}),
        }
        for code in codes
    }


def _get(path: str, summary: str, reply: Schema, *errors: int, **schemas: Schema) -> Schema:
    """The address with its operation; `schemas` are those of the parameters in it that are no mere text."""
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": schemas.get(name, _TEXT)}
        for name in re.findall(r"{(\w+)}", path)
    ]
    answers = _answers(reply, *errors)
    return {path: {"get": {"summary": summary, "parameters": parameters, "responses": answers}}}


def _post(summary: str, body: Schema, reply: Schema, *errors: int, repeatable: bool = False) -> Schema:
    header = {
        "name": "Idempotency-Key",
        "in": "header",
        # Blanks around a header's value are not part of it (RFC 9110, 5.5).
        "schema": {"type": "string", "maxLength": LONGEST_REQUEST_KEY, "pattern": "^[ \\t]*[!-~]*[ \\t]*$"},
    }
    return {
        "post": {
            "summary": summary,
            "parameters": [header] if repeatable else [],
            "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
            "responses": _answers(reply, 400, 413, *errors, of_command=reply == _named("Turn")),
        }
    }


def _command(summary: str, body: Schema) -> Schema:
    return _post(summary, body, _named("Turn"), 503, repeatable=True)


_PATHS: Schema = {
    "/api/healthcheck": {
        "get": {
            "summary": "Whether the API answers",
            "security": [],
            "responses": {"200": {"description": "okay"} | _PLAIN},
        }
    },
    **_get("/api/games", "The environments of the key's sets", _list(_named("Game"))),
    **_get("/api/games/{game_id}", "One environment", _named("Game"), 404),
    **_get("/api/games/{game_id}/source", "Its source, of public sets", _TEXT, 404),
    "/api/scorecard/open": _post("Open a scorecard", _OPEN, _CARD_ID, 409, repeatable=True),
    "/api/scorecard/heartbeat": _post("Keep a scorecard open", _CARD_ID, _CARD_ID, 404),
    "/api/scorecard/close": _post("Close a scorecard", _CARD_ID, _named("Scorecard"), 404),
    **_get("/api/scorecard/{card_id}", "A scorecard", _named("Scorecard"), 403, 404),
    **_get("/api/scorecard/{card_id}/{game_id}", "The counts of one environment", _named("Counts"), 403, 404),
    **_get("/api/recordings/{game_id}/{guid}", "The recording of a run, of public sets", _TEXT, 400, 404),
    "/api/cmd/RESET": _command("Begin a run, or reset its level or the environment", _RESET),
    **{
        f"/api/cmd/ACTION{number}": _command(f"Action {number}", _CLICK if number == 6 else _ACTION)
        for number in range(1, 8)
    },
}
_DATA = "/api/data/{study}/{table}.{format}"
_PATHS |= _get(
    _DATA,
    "A table of a study's data, for scripts with a read token (docs/analysing.md)",
    {},
    404,
    study=_COUNT | {"maximum": 2**31},
    table={"enum": [one.name for one in codebook.TABLES]},
    format={"enum": list(FORMATS)},
)
_PATHS[_DATA]["get"]["security"] = [{"read token": []}]
_PATHS[_DATA]["get"]["responses"] |= {
    "200": {
        "description": "The table, at most 15 minutes old.",
        "headers": {name: {"schema": _TEXT} for name in ("ETag", "Last-Modified")}
        | {
            name: {"schema": _TEXT, "description": description}
            for name, description in (
                ("X-Of-Actions", "Of actions in level_results: undo counted, or undo not counted."),
                ("X-Origin", "Of a study from outside: its source, licence, date and digest."),
            )
        },
        "content": {"text/csv": {}, "application/vnd.apache.parquet": {}},
    },
    "304": {"description": "It is as If-None-Match or If-Modified-Since say."},
}
_PATHS["/api/games/{game_id}/source"]["get"]["responses"]["200"] = {"description": "Python."} | _PLAIN
_PATHS["/api/recordings/{game_id}/{guid}"]["get"]["responses"]["200"] = {
    "description": "One JSON object in a line for each action, with its frames.",
    "content": {"application/x-ndjson": {"schema": _TEXT}},
}

DOCUMENT: Schema = {
    "openapi": "3.1.0",
    "info": {
        "title": "Playtest: environments for agents",
        "version": "1",
        "description": "Compatible with arc-agi 0.9.9. See docs/api.md.",
    },
    "security": [{"key": []}],
    "paths": _PATHS,
    "components": {
        "securitySchemes": {
            "key": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
            "read token": {"type": "http", "scheme": "bearer"},
        },
        "schemas": {
            "Error": _object({"error": _TEXT, "message": _TEXT}),
            "Game": _GAME,
            "Turn": _TURN,
            "Scorecard": _SCORECARD,
            "Counts": _COUNTS,
        },
    },
}
"""What `/api/openapi.json` answers."""
