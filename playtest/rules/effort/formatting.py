"""How the sentences of findings write numbers."""

from collections.abc import Iterable


def percent(share: float) -> str:
    """A share 0..1 in whole percent."""
    return f"{100 * share:.0f} %"


def span(seconds: float) -> str:
    """Up to two minutes in seconds, from there on as m:ss."""
    whole = round(seconds)
    return f"{whole} s" if whole < 120 else f"{whole // 60}:{whole % 60:02} min"


def counted(count: int, noun: str) -> str:
    """A count with its noun: "1 action", "2 actions"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def environments(numbers: Iterable[int]) -> str:
    """environment 1; environments 1, 2 and 5"""
    written = [str(number) for number in numbers]
    if len(written) == 1:
        return f"environment {written[0]}"
    return f"environments {', '.join(written[:-1])} and {written[-1]}"
