"""What people do not type: values for fields, parts of addresses, headers and bodies."""

from __future__ import annotations

import json
import random
from typing import Any
from urllib.parse import quote, quote_from_bytes

NUMBERS = [
    *"0 1 -1 2 -0 0x10 1_000 1.5 ٣ ௧ ² NaN inf 1e400 2147483648".split(),
    *"9223372036854775807 9223372036854775808 -9223372036854775809".split(),
    *("9" * 4400, " 1 "),
]
DATES = [
    *"2026-11-20 0001-01-01 0000-00-00 9999-12-31 10000-01-01 2026-02-30 99999999999-01-01 20261120".split(),
    *"2026-11-20T10:00 0001-01-01T00:00 9999-12-31T23:59 2026-03-29T02:30 2026-W01 24:00 10:00 now".split(),
    *"2026-11-20T10:00:00+99:99 2026-11-20T10:00:00+23:59".split(),
]
TEXTS = [
    *("", " ", "\x00", "a\x00b", "\ud800", "\ufffe", "\u202e", "e\u0301" * 50, "x" * 300, "é" * 70_000),
    *("<script>alert(1)</script>", "'; DROP TABLE play_entry; --", "\r\nSet-Cookie: a=b", "🎲" * 20),
    *'x {{7*7}} %s%s%n ../../etc/passwd {} [] null true =1+1 \\ " % _ a,b,,c 1,2,x'.split(),
    *"on off all none csv json wk01 ck01 WK01 1;2 1:2 1-2 :: http://x/".split(),
]
JSON_VALUES: list[Any] = [
    *(None, True, 0, -1, 2**63, 2**70, 1.5, float("nan"), float("inf"), "", "\x00", "\ud800", "x" * 20_000),
    *([], {}, [[[]]], {"a": None}, ["x"] * 100, {"x": 3, "y": 4}),
]
TYPES = [
    *("application/x-www-form-urlencoded", "application/json", "text/plain", "multipart/form-data"),
    *("multipart/form-data; boundary=x", "application/json; charset=utf-99", "x", "application/octet-stream"),
]
BODIES = [
    *(b"", b"\x00", b"{", b"[" * 3000, b'{"a":' * 500, b"null", b"[1]", b"1e999"),
    *(b"\xff\xfe", b"a=%", b"=&=&;;", b"--x\r\n\r\n--x--"),
    b'--x\r\nContent-Disposition: form-data; name="a"; filename="\x00"\r\n\r\nb\r\n--x--\r\n',
]
HEADERS: list[dict[str, str]] = [
    *({}, {}, {}, {}, {"X-Forwarded-For": "x" * 5000}, {"X-Forwarded-For": "1.2.3.4, ::1, \x00"}),
    *({"If-None-Match": '"'}, {"If-Modified-Since": "never"}, {"Range": "bytes=5-1"}, {"Range": "bytes=x"}),
    *({"Accept": "\x00"}, {"Accept-Language": "x" * 600}, {"Origin": "null"}, {"Referer": "http://["}),
    *({"Cookie": "sessionid=\x00; seat=\xff"}, {"Cookie": "sessionid=x; seat=1.2.3; device=::"}),
    *({"Host": "x y"}, {"Host": "[::1"}, {"Content-Length": "x"}, {"X-API-Key": "\x00"}),
]


def value(chance: random.Random, known: list[str]) -> str:
    """One value of a field; sometimes one that exists."""
    kind = chance.random()
    if kind < 0.25 and known:
        return chance.choice(known)
    return chance.choice(NUMBERS if kind < 0.5 else DATES if kind < 0.65 else TEXTS)


def part(chance: random.Random, known: list[str]) -> str:
    """One part of an address, quoted; sometimes bytes that are no text."""
    if chance.random() < 0.05:
        return quote_from_bytes(chance.choice([b"\xff", b"\x00", b"\xed\xa0\x80", b"%"]))
    text = chance.choice(known) if known and chance.random() < 0.7 else value(chance, known)
    return quote(text[:3000].encode("utf-8", "surrogatepass"), safe="")


def query(fields: dict[str, list[str]]) -> str:
    """Fields as a query or form, percent-encoded; names and values may be repeated."""
    return "&".join(
        f"{quote(name)}={quote(text.encode('utf-8', 'surrogatepass'))}"
        for name, texts in fields.items()
        for text in texts
    )


def body_of_json(chance: random.Random, names: list[str]) -> bytes:
    """An object with some of these names, or another value."""
    if chance.random() < 0.2:
        return json.dumps(chance.choice(JSON_VALUES)).encode()
    chosen = chance.sample(names, min(len(names), chance.randint(0, 6)))
    return json.dumps({name: chance.choice(JSON_VALUES) for name in chosen}).encode()


def multipart(chance: random.Random, fields: dict[str, list[str]]) -> bytes:
    """Fields as a form with files, of the boundary "edge"; some of the fields are files."""
    parts = []
    for name, texts in fields.items():
        for text in texts:
            file = chance.choice(["", '; filename="x.csv"', '; filename="../\x00"', '; filename=""'])
            head = f'--edge\r\nContent-Disposition: form-data; name="{name}"{file}\r\n\r\n'
            parts.append(head.encode() + text.encode("utf-8", "surrogatepass") + b"\r\n")
    return b"".join(parts) + (b"--edge--\r\n" if chance.random() < 0.9 else b"")
