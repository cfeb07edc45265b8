"""docs/wire.md and the wire agree, and messages of one connection are limited."""

import json
import math
import re
from pathlib import Path

import pytest

from playtest.play.page import wire
from playtest.play.page.socket import BURST, MESSAGES_A_SECOND, RateLimit
from playtest.play.page.wire import CloseCode, ErrorCode, FromClient, FromServer

DOCUMENT = (Path(__file__).parents[2] / "docs" / "wire.md").read_text()


def section(title: str) -> str:
    return re.split(r"^#+ ", DOCUMENT.split(f"## {title}\n", 1)[1], maxsplit=0)[0].split("\n## ", 1)[0]


def test_client_messages_and_the_document_agree() -> None:
    named = set(re.findall(r"^### `(\w+)`", section("From the client"), re.MULTILINE))
    assert named == {kind.value for kind in FromClient} | {"action"}


def test_server_messages_and_the_document_agree() -> None:
    named = set(re.findall(r"^### `(\w+)`", section("From the server"), re.MULTILINE))
    assert named == {kind.value for kind in FromServer} | {"turn"}


def test_error_codes_and_the_document_agree() -> None:
    rows = re.findall(r"^\| `([a-z_]+)` \|", section("From the server"), re.MULTILINE)
    errors = [row for row in rows if row not in layout_fields("turn")]
    assert set(errors) == {code.value for code in ErrorCode}


def test_close_codes_and_the_document_agree() -> None:
    rows = re.findall(r"^\| (\d{4}) \|", DOCUMENT.split("### Close codes")[1], re.MULTILINE)
    assert {int(row) for row in rows} == {code.value for code in CloseCode}


def layout_fields(message: str) -> list[str]:
    part = DOCUMENT.split(f"### `{message}`", 1)[1].split("\n### ", 1)[0]
    return re.findall(r"^\| \d+ \| \w* ?\| `(\w+)` \|", part, re.MULTILINE)


@pytest.mark.parametrize(
    ("message", "layout"),
    [("action", wire.ACTION_LAYOUT), ("turn", wire.TURN_LAYOUT)],
    ids=["action", "turn"],
)
def test_binary_layouts_have_the_documented_offsets_and_types(message: str, layout: str) -> None:
    part = DOCUMENT.split(f"### `{message}`", 1)[1].split("\n### ", 1)[0]
    rows = re.findall(r"^\| (\d+) \| (u8|u16|u32|f64) \| `\w+` \|", part, re.MULTILINE)
    widths = {"u8": ("B", 1), "u16": ("H", 2), "u32": ("I", 4), "f64": ("d", 8)}
    assert layout == "<" + "".join(widths[kind][0] for _, kind in rows)
    offset = 0
    for at, kind in rows:
        assert int(at) == offset
        offset += widths[kind][1]


def test_the_fields_of_text_messages_are_documented() -> None:
    for kind, fields in wire.TEXT_FIELDS.items():
        part = section("From the client").split(f"### `{kind}` (text)", 1)[1].split("\n### ", 1)[0]
        example = re.search(r"`(\{.*?\})`", part)
        assert example is not None
        assert set(json.loads(example[1])) == fields | {"type"}


def test_the_size_limit_is_documented() -> None:
    assert f"larger than {wire.LARGEST_MESSAGE_BYTES} bytes" in DOCUMENT


ACCEPTED, REFUSED, CLOSED = "accepted", "refused", "closed"


def verdicts(limit: RateLimit, start: float, a_second: float, count: int) -> list[str]:
    """What becomes of messages at this rate."""

    def verdict(at: float) -> str:
        try:
            limit.check(at)
        except wire.WireError as error:
            return REFUSED if error.close_code is None else CLOSED
        return ACCEPTED

    return [verdict(start + place / a_second) for place in range(count)]


def test_a_burst_passes_and_one_more_does_not_until_the_bucket_is_filled_again() -> None:
    limit = RateLimit()
    assert verdicts(limit, 5, math.inf, BURST + 1) == [ACCEPTED] * BURST + [REFUSED]
    assert verdicts(limit, 60, math.inf, 1) == [ACCEPTED]


def test_the_permitted_rate_always_passes() -> None:
    assert set(verdicts(RateLimit(), 0, MESSAGES_A_SECOND, 5_000)) == {ACCEPTED}


def test_a_flood_is_refused_and_then_the_connection_closed() -> None:
    seen = verdicts(RateLimit(), 0, 1_000, 3_000)
    assert (seen[BURST + 10], seen[-1]) == (REFUSED, CLOSED)
    assert CLOSED not in seen[:1_000]
