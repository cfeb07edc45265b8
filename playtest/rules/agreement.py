"""Which unflagged sessions are reviewed all the same, and how far two raters agree.

Agreement is Cohen's kappa with its interval, and the plain share. Kappa (Cohen 1960) is how much more often
two raters agree than they would by chance, if each kept their own shares of the classes: (observed -
expected) / (1 - expected). Its standard error is the large-sample one of Fleiss, Cohen and Everitt (1969,
for a kappa that is not assumed to be zero).
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import sqrt

from playtest.rules.inference.shares import Z_95, Share, share

FORMULA = "Cohen's kappa (1960); standard error of Fleiss, Cohen and Everitt (1969)"
"""How the figures of this module are made, for reports."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two raters agree on `pairs` cases.

    `agreed` is the share of equal verdicts with Wilson's 95 % interval; None without pairs. `expected` is
    the share that chance alone would give (0..1). `kappa` (-1..1) is None where it is undefined, and `low`
    and `high`, its 95 % interval, are None where the formula gives none; `remark` then says why.
    """

    pairs: int
    agreed: Share | None
    expected: float | None
    kappa: float | None
    low: float | None
    high: float | None
    remark: str


def agreement(pairs: Iterable[tuple[str, str]]) -> Agreement:
    """The agreement on these (first verdict, second verdict) pairs, in any order."""
    counts = Counter(pairs)
    total = counts.total()
    if total == 0:
        remark = "No case has two verdicts yet."
        return Agreement(0, None, None, None, None, None, remark)
    firsts, seconds = _shares(counts, 0), _shares(counts, 1)
    agreed = share(sum(count for (one, other), count in counts.items() if one == other), total)
    used = sorted({*firsts, *seconds})
    expected = sum(firsts[each] * seconds[each] for each in used)
    if len(used) == 1:
        remark = "Kappa is undefined: every verdict is the same, so chance alone would agree always."
        return Agreement(total, agreed, 1.0, None, None, None, remark)
    kappa = (agreed.value - expected) / (1 - expected)
    error = _standard_error(counts, firsts, seconds, kappa, expected)
    if error is None:
        remark = f"No interval: {_why_no_interval(counts, agreed)}"
        return Agreement(total, agreed, expected, kappa, None, None, remark)
    low, high = max(-1.0, kappa - Z_95 * error), min(1.0, kappa + Z_95 * error)
    return Agreement(total, agreed, expected, kappa, low, high, "")


def _shares(counts: Counter[tuple[str, str]], side: int) -> defaultdict[str, float]:
    """The share of each class in the verdicts of one side; 0 for a class that is not there."""
    found: defaultdict[str, float] = defaultdict(float)
    for pair, count in counts.items():
        found[pair[side]] += count / counts.total()
    return found


def _standard_error(
    counts: Counter[tuple[str, str]],
    firsts: defaultdict[str, float],
    seconds: defaultdict[str, float],
    kappa: float,
    expected: float,
) -> float | None:
    """The standard error; None where the pairs show no spread, so that the formula gives zero."""
    total = counts.total()
    rest = 1 - kappa
    same = different = 0.0
    for (one, other), count in counts.items():
        if one == other:
            same += count / total * (1 - (firsts[one] + seconds[one]) * rest) ** 2
        else:
            different += count / total * (seconds[one] + firsts[other]) ** 2
    spread = same + rest**2 * different - (kappa - expected * rest) ** 2
    return sqrt(spread / total) / (1 - expected) if spread > _ROUNDING else None


_ROUNDING = 1e-12


def _why_no_interval(counts: Counter[tuple[str, str]], agreed: Share) -> str:
    if counts.total() == 1:
        return "one pair shows no spread."
    if agreed.count == counts.total():
        return "all pairs agree, and the formula then gives a width of zero; see the share of agreement."
    if any(len({pair[side] for pair in counts}) == 1 for side in (0, 1)):
        return "one side gave the same verdict every time, and kappa is then 0 whatever the other side says."
    return "these pairs show no spread, and the formula then gives a width of zero."


_STEPS = 2**64


def is_drawn(session: int, seals: Sequence[bytes], share: float) -> bool:
    """Whether a session that has ended belongs to the random `share` (0..1) to be reviewed.

    `seals` close the hash chains of its attempts (docs/journal.md). They depend on the time of every action,
    so nobody knows before the end whether a session is drawn, and nobody can choose it; afterwards everyone
    with the record finds the same. Drawn at a share, a session is drawn at every larger one. A session
    without attempts is never drawn: nothing can be watched.
    """
    if not seals:
        return False
    digest = sha256(f"playtest review {session}\n".encode() + b"".join(sorted(seals))).digest()
    return int.from_bytes(digest[:8]) / _STEPS < share
