"""Entries as columns, fast: the database packs each column of many entries into one value.

A row of Python objects for every entry would take longer than all the rest. SQLite concatenates decimal
digits and bytes, PostgreSQL its own binary form; an entry has the same width either way, and numpy takes it
apart. No other driver is used: a second copy of SQLite in one process would break the first one's locks.
"""

import numpy as np
import polars as pl
from django.db import connection
from numpy.typing import NDArray

from playtest.insight.columns import JOURNAL

type Integers = NDArray[np.int64]
type Values = tuple[bytes, ...]
type Unpacked = tuple[Integers, Integers, NDArray[np.uint64], Integers]
"""Of every entry: `place` and `facts` as packed by `_PLACE` and `_FACTS`, the state hash, the time in us."""

_SEQ = 10_000_000  # more than any
_PLACE = f"attempt_id * {_SEQ} + seq"
_FACTS = (
    "levels_completed * 128 + action * 16 + level_completed{0} * 8 + changed{0} * 4"
    " + (state = 'WIN'){0} * 2 + (state = 'GAME_OVER'){0}"
)
_SQLITE_FACTS, _POSTGRESQL_FACTS = _FACTS.format(""), _FACTS.format("::int")


def read(source: str) -> pl.DataFrame:
    """`columns.JOURNAL` of the entries that `FROM source` names, an SQL clause without parameters."""
    place, facts, state, at = _postgresql(source) if connection.vendor == "postgresql" else _sqlite(source)
    packed = pl.DataFrame({"place": place, "facts": facts, "state": state, "at": at}).sort("place")
    facts_ = pl.col("facts")
    columns = {
        "attempt": pl.col("place") // _SEQ,
        "seq": pl.col("place") % _SEQ,
        "action": facts_ // 16 % 8,
        "levels_completed": facts_ // 128,
        **{name: facts_ & bit != 0 for name, bit in _BITS.items()},
        "state": pl.col("state"),
        "at": pl.col("at"),
    }
    return packed.select(**{name: columns[name] for name in JOURNAL})


_BITS = {"level_completed": 8, "changed": 4, "won": 2, "lost": 1}


def _values(columns: str, source: str) -> Values:
    """The one row of a query."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {columns} FROM {source}")
        return tuple(bytes(value or b"") for value in cursor.fetchone())


# Numbers get as many digits by what is added to them.
_PLACE_DIGITS, _FACTS_DIGITS = 19, 8
_PLACE_ADDED, _FACTS_ADDED = 10 ** (_PLACE_DIGITS - 1), 10 ** (_FACTS_DIGITS - 1)
_TIME = len("2026-01-31 09:30:00.123456")
_TIME_AND_COMMA = _TIME + 1


def _sqlite(source: str) -> Unpacked:
    def joined(expression: str, separator: str = "") -> str:
        return f"CAST(group_concat({expression}, '{separator}') AS BLOB)"

    numbers = joined(f"{_PLACE_ADDED} + {_PLACE}"), joined(f"{_FACTS_ADDED} + {_SQLITE_FACTS}")
    columns = ", ".join([*numbers, joined("state_hash"), joined("server_time", ",")])
    place, facts, state, times = _values(columns, source)
    count = len(place) // _PLACE_DIGITS
    if len(state) != 8 * count:
        (digits,) = _values(joined("substr(hex(state_hash) || hex(zeroblob(8)), 1, 16)"), source)
        state = bytes.fromhex(digits.decode())
    return (
        _number(place, _PLACE_DIGITS) - _PLACE_ADDED,
        _number(facts, _FACTS_DIGITS) - _FACTS_ADDED,
        np.frombuffer(state, np.uint64),
        _moment(_as_wide(times, count)),
    )


def _as_wide(times: bytes, count: int) -> bytes:
    """Times and the comma after each, all as wide: one on the very second is stored without its fraction."""
    if len(times) + 1 == count * _TIME_AND_COMMA or not count:
        return times + b"," * bool(count)
    whole = (time if len(time) == _TIME else time + b".000000" for time in times.split(b","))
    return b",".join(whole) + b","


def _number(digits: bytes, width: int) -> Integers:
    return _within(_table(digits, width), 0, width)


def _table(characters: bytes, width: int) -> NDArray[np.uint8]:
    """One row an entry, of its digits; what is no digit there is of no use."""
    return np.frombuffer(characters, np.uint8).reshape(-1, width) - np.uint8(ord("0"))


def _within(table: NDArray[np.uint8], begin: int, end: int) -> Integers:
    """The numbers that the digits of these columns make."""
    number = np.zeros(len(table), np.int64)
    for column in range(begin, end):
        number *= 10
        number += table[:, column]
    return number


def _moment(times: bytes) -> Integers:
    """Microseconds since 1970 of times as Django writes them, "2026-01-31 09:30:00.123456," each."""
    table = _table(times, _TIME_AND_COMMA)
    year, month, day, hour, minute, second, micro = (
        _within(table, *place) for place in ((0, 4), (5, 7), (8, 10), (11, 13), (14, 16), (17, 19), (20, 26))
    )
    months = (year - 1970) * 12 + month - 1
    days = months.view("datetime64[M]").astype("datetime64[D]").view(np.int64) + day - 1
    return ((days * 24 + hour) * 60 + minute) * 60_000_000 + second * 1_000_000 + micro


_YEAR_2000 = 946_684_800 * 1_000_000  # PostgreSQL counts from there


def _postgresql(source: str) -> Unpacked:
    def joined(*expressions: str) -> str:
        return ", ".join(f"string_agg({each}, ''::bytea)" for each in expressions)

    numbers = (f"int8send({_PLACE})", f"int8send(({_POSTGRESQL_FACTS})::bigint)")
    at = "timestamptz_send(server_time)"
    place, facts, state, moment = _values(joined(*numbers, "state_hash", at), source)
    if len(state) != len(place):
        (state,) = _values(joined(r"substring(state_hash || '\x0000000000000000'::bytea, 1, 8)"), source)
    return (
        _big_endian(place),
        _big_endian(facts),
        np.frombuffer(state, np.uint64),
        _big_endian(moment) + _YEAR_2000,
    )


def _big_endian(numbers: bytes) -> Integers:
    return np.frombuffer(numbers, ">i8").astype(np.int64)
