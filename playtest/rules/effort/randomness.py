"""Tests whether a person's choices differ from random ones, uniform or with a favourite."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from playtest.rules.attempt import RESET
from playtest.rules.effort.evidence import Act

CLICK = 6
_SIMULATIONS = 499
_BLOCK_CELLS = 16
_BLOCKS = (64 // _BLOCK_CELLS) ** 2
_SYMBOLS = 8 + _BLOCKS

type Numbers = npt.NDArray[np.int64]


_LEAST_OTHERS = 15
"""So many choices other than the favourite tell whether their order is random."""


@dataclass(frozen=True, slots=True)
class Randomness:
    """Three p-values; small ones mean that the choices differ from random ones.

    `order` is None where the order says nothing. `favourite` is the share of the most frequent choice.
    """

    actions: int
    frequencies: float
    transitions: float
    order: float | None
    favourite: float


def randomness(acts: Sequence[Act], generator: np.random.Generator) -> Randomness | None:
    """Monte Carlo tests of the hypotheses that every action was drawn, uniformly or with any preferences.

    A choice is an action's id or, for a click, which of 16 blocks of 16 x 16 cells it fell into; resets are
    no choices. The statistics are likelihood ratios (G = 2 * sum of O ln(O / E)). For uniform choices: of how
    often each choice was made, and of how often each followed each. The p-value is the share of 499 plays of
    the random policy, with the same actions on offer, whose G is at least as large, the person's own counted
    in (Davison & Hinkley 4.2); so it is valid however few the actions are.

    For choices with any preferences: of how often each choice followed each, apart for those that had changed
    the board and those that had not, against 499 shuffles of what followed (a permutation test). Who looks at
    the board goes on with what works. The same generator state gives the same answer.
    None when there was nothing to choose: fewer than two actions, or one choice only.
    """
    chosen = [act for act in acts if act.action != RESET and act.offered >> act.action & 1]
    if len(chosen) < 2 or all(_choices(act.offered) == (act.action,) != (CLICK,) for act in chosen):
        return None
    follows = np.array([after.seq == before.seq + 1 for before, after in pairwise(chosen)])
    made = np.array([[_symbol(act) for act in chosen]])
    simulated = _random_plays([act.offered for act in chosen], generator)
    chances = _chances([act.offered for act in chosen])
    alone = chances.sum(axis=0)
    in_pairs = np.einsum("ta,tb->ab", chances[:-1][follows], chances[1:][follows]).ravel()
    pairs = [(plays[:, :-1] * _SYMBOLS + plays[:, 1:])[:, follows] for plays in (made, simulated)]
    return Randomness(
        len(chosen),
        _p_value(made, simulated, alone),
        _p_value(pairs[0], pairs[1], in_pairs),
        _order(made[0], np.array([act.changed for act in chosen]), follows, generator),
        float(np.bincount(made[0]).max() / len(chosen)),
    )


def _order(
    made: Numbers,
    changed: npt.NDArray[np.bool_],
    follows: npt.NDArray[np.bool_],
    generator: np.random.Generator,
) -> float | None:
    """The p-value of choices whose order does not matter, whatever their frequencies."""
    if len(made) - np.bincount(made).max() < _LEAST_OTHERS or follows.sum() < _LEAST_OTHERS:
        return None
    before, after = (made + _SYMBOLS * changed)[:-1][follows], made[1:][follows]
    shuffled = generator.permuted(np.tile(after, (_SIMULATIONS, 1)), axis=1)
    expected = np.outer(np.bincount(before, minlength=2 * _SYMBOLS), np.bincount(after, minlength=_SYMBOLS))
    counts = expected.ravel() / len(after)
    return _p_value(before * _SYMBOLS + after[np.newaxis], before * _SYMBOLS + shuffled, counts)


def _choices(offered: int) -> tuple[int, ...]:
    return tuple(action for action in range(1, 8) if offered >> action & 1)


def _symbol(act: Act) -> int:
    if act.cell is None:
        return act.action
    x, y = act.cell
    return 8 + y // _BLOCK_CELLS * (64 // _BLOCK_CELLS) + x // _BLOCK_CELLS


def _random_plays(offers: list[int], generator: np.random.Generator) -> Numbers:
    """One row for each play of the random policy, one symbol for each action it makes."""
    plays = np.zeros((_SIMULATIONS, len(offers)), dtype=np.int64)
    for offered in sorted(set(offers)):
        places = np.array([offer == offered for offer in offers])
        drawn = generator.choice(np.array(_choices(offered)), (_SIMULATIONS, int(places.sum())))
        blocks = 8 + generator.integers(0, _BLOCKS, drawn.shape)
        plays[:, places] = np.where(drawn == CLICK, blocks, drawn)
    return plays


def _chances(offers: list[int]) -> npt.NDArray[np.float64]:
    """The random policy's chance of each symbol (columns) at each action (rows)."""
    chances = np.zeros((len(offers), _SYMBOLS))
    for row, offered in zip(chances, offers, strict=True):
        choices = _choices(offered)
        for action in choices:
            if action == CLICK:
                row[8:] = 1 / len(choices) / _BLOCKS
            else:
                row[action] = 1 / len(choices)
    return chances


def _p_value(made: Numbers, simulated: Numbers, expected: npt.NDArray[np.float64]) -> float:
    statistics = _likelihood_ratios(np.vstack([made, simulated]), expected)
    # Sums of the same terms in another order differ in their last digits: these are ties.
    return float((statistics >= statistics[0] - 1e-9).mean())


def _likelihood_ratios(plays: Numbers, expected: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """G of each play (row)."""
    rows, symbols = len(plays), len(expected)
    places = plays + np.arange(rows)[:, np.newaxis] * symbols
    counts = np.bincount(places.ravel(), minlength=rows * symbols).reshape(rows, symbols)
    ratios: npt.NDArray[np.float64] = np.ones((rows, symbols))
    np.divide(counts, expected, out=ratios, where=counts > 0)
    return np.asarray(2 * (counts * np.log(ratios)).sum(axis=1), dtype=np.float64)
