"""Ability of people and difficulty of what they met: the Rasch model, and success adjusted for who came.

A person of ability t succeeds at an item (an environment, or a level of one) of difficulty b with the chance
1 / (1 + exp(b - t)) (Rasch, Probabilistic Models for Some Intelligence and Attainment Tests (1960)).
Abilities are normal around 0 with a standard deviation s, and are integrated out of the likelihood by
Gauss-Hermite quadrature (marginal likelihood: Bock and Aitkin, Psychometrika 46 (1981)). So those who solved
everything or nothing count as well. Maximised is

    sum over people of log ∫ (product over their results of the chance) dN(t; 0, s)
        - sum b² / (2 * 3²) - (log s)² / 2

The last two terms are weak priors. They keep the difficulty finite where everybody or nobody succeeded, and s
where nothing tells people apart. Standard errors are those of the observed information (Louis, JRSS B 44
(1982)) with the priors; intervals are 95 % on the logit scale by the delta method.

Success adjusted for who came is the mean chance of everyone, whoever met the item: of the abilities that
their results leave probable (the mean of all posteriors). So it is near raw success where everyone met the
item, also where people are not normal: one weak person among able ones pulls a normal curve away from all of
them. Only what people's results show of their ability is adjusted for: if the able are chosen for an item by
other knowledge, part of the difference stays, less with more results of each.

Levels are met one after another: a level that was not reached is no result, which this likelihood allows for
(the sequential model: Tutz, British Journal of Mathematical and Statistical Psychology 43 (1990)).

SciPy is imported where it is needed: it takes 0.2 s, which every process and command would pay.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import exp, log, sqrt
from typing import NamedTuple

import numpy as np
from numpy.polynomial.hermite_e import hermegauss
from numpy.typing import NDArray

from playtest.rules.errors import RuleError
from playtest.rules.inference.shares import Z_95, Estimate

FEWEST_PEOPLE = 5
"""With fewer people who met two items nothing is known of abilities."""
PRIOR_OF_DIFFICULTY = 3.0
"""The standard deviation of the weak prior, in logits: most chances between 0.3 and 99.7 %."""
PRIOR_OF_SPREAD = 1.0
"""The standard deviation of the weak prior of log s."""
_NODES = 41

type Floats = NDArray[np.float64]
type Integers = NDArray[np.int64]


class Result[Item: Hashable](NamedTuple):
    """Whether a person succeeded at an item, which they met once."""

    person: str
    item: Item
    success: bool


@dataclass(frozen=True, eq=False)
class Fit[Item: Hashable]:
    """What is known of people and items.

    `spread` is the standard deviation s of abilities, in logits. `groups` counts the groups of people and
    items that share nobody: with several, groups are compared by assuming that equally able people came.
    """

    spread: float
    groups: int
    _items: dict[Item, int]
    _parameters: Floats
    _covariance: Floats
    _weights: Floats
    """How probable each ability of the quadrature is, over everyone."""

    @property
    def items(self) -> list[Item]:
        return list(self._items)

    def difficulty(self, item: Item) -> Estimate:
        """In logits; 0 is solved by half of the people."""
        at = self._items[item]
        return _around(float(self._parameters[at]), sqrt(self._covariance[at, at]))

    def adjusted(self, *items: Item) -> Estimate:
        """The mean success (0..1) at these items, one or more, had everyone met them."""
        value, gradient = self._mean(items)
        logit, scale = log(value / (1 - value)), value * (1 - value)
        found = _around(logit, self._error(gradient) / scale)
        return Estimate(value, *(1 / (1 + exp(-end)) for end in (found.low, found.high)))

    def difference(self, one: Item, other: Item) -> Estimate:
        """Adjusted success at `one` less that at `other` (-1..1)."""
        (first, its), (second, others) = self._mean((one,)), self._mean((other,))
        found = _around(first - second, self._error(its - others))
        return Estimate(found.value, max(-1.0, found.low), min(1.0, found.high))

    def _mean(self, items: Sequence[Item]) -> tuple[float, Floats]:
        """Mean adjusted success, and its derivatives by the parameters."""
        at = np.array([self._items[item] for item in items])
        values, by_difficulty, by_spread = self._curves
        gradient = np.zeros_like(self._parameters)
        gradient[at] = by_difficulty[at] / len(at)
        gradient[-1] = by_spread[at].mean()
        return float(values[at].mean()), gradient

    @cached_property
    def _curves(self) -> tuple[Floats, Floats, Floats]:
        """Adjusted success of every item, and its derivatives by its difficulty and by log s."""
        from scipy.special import expit

        weights, abilities = self._weights, self.spread * _quadrature()[0]
        chances = expit(abilities - self._parameters[:-1, None])
        varying = chances * (1 - chances)
        return chances @ weights, -(varying @ weights), varying @ (weights * abilities)

    def _error(self, gradient: Floats) -> float:
        return sqrt(max(0.0, float(gradient @ self._covariance @ gradient)))


def fit[Item: Hashable](results: Sequence[Result[Item]]) -> Fit[Item]:
    """The model of these results. The same results have the same fit, which is cached.

    Raises RuleError abilities_unknown with fewer than FEWEST_PEOPLE people who met two items.
    """
    return _fit(tuple(sorted(results, key=lambda one: (one.person, repr(one.item)))))


@lru_cache(maxsize=16)
def _fit[Item: Hashable](results: tuple[Result[Item], ...]) -> Fit[Item]:
    from scipy.optimize import minimize

    several = sum(count > 1 for count in Counter(one.person for one in results).values())
    if several < FEWEST_PEOPLE:
        message = (
            f"Adjusting needs {FEWEST_PEOPLE} people who played two environments each; {several} have so far."
        )
        raise RuleError("abilities_unknown", message)
    items = {item: place for place, item in enumerate(dict.fromkeys(one.item for one in results))}
    data = _Data.of(results, items)
    found = minimize(data.objective, data.start, jac=True, method="L-BFGS-B", options={"maxiter": 1_000})
    parameters = np.asarray(found.x)
    _, posterior, _, _ = data._expected(parameters)
    return Fit(
        spread=float(np.exp(parameters[-1])), groups=_groups(data), _items=items, _parameters=parameters,
        _covariance=np.linalg.inv(data.information(parameters)), _weights=posterior.mean(axis=0),
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Data:
    """Results by person: those of one person stand together, from `starts` on."""

    item: Integers
    success: Floats
    starts: Integers
    person: Integers
    items: int

    @classmethod
    def of[Item: Hashable](cls, results: Sequence[Result[Item]], items: dict[Item, int]) -> "_Data":
        numbers = {name: place for place, name in enumerate(dict.fromkeys(one.person for one in results))}
        person = np.array([numbers[one.person] for one in results])
        return cls(
            item=np.array([items[one.item] for one in results]),
            success=np.array([float(one.success) for one in results]),
            starts=np.flatnonzero(np.diff(person, prepend=-1)),
            person=person,
            items=len(items),
        )

    @property
    def start(self) -> Floats:
        """Difficulties as if everybody were equally able, and a spread of 1."""
        met = np.bincount(self.item, minlength=self.items) + 1
        share = (np.bincount(self.item, self.success, self.items) + 0.5) / met
        return np.append(np.log(1 / share - 1), 0.0)

    def objective(self, parameters: Floats) -> tuple[float, Floats]:
        """Minus the log likelihood with the priors, and its gradient."""
        logs, posterior, abilities, chances = self._expected(parameters)
        off = posterior[self.person] * (self.success[:, None] - chances)
        gradient = parameters / self._prior_variances
        gradient[:-1] += np.bincount(self.item, off.sum(axis=1), self.items)
        gradient[-1] -= float((off @ abilities).sum())
        priors = float((parameters**2 / self._prior_variances).sum()) / 2
        return priors - float(logs.sum()), gradient

    def information(self, parameters: Floats) -> Floats:
        """The observed information with the priors: the second derivatives of the objective.

        By Louis: the mean of the information if abilities were known, less the variance of its gradient.
        """
        _, posterior, abilities, chances = self._expected(parameters)
        weights = posterior[self.person]
        varying, off = chances * (1 - chances), self.success[:, None] - chances
        found: Floats = np.diag(1 / self._prior_variances)
        diagonal = np.bincount(self.item, (weights * varying).sum(axis=1), self.items)
        found[np.arange(self.items), np.arange(self.items)] += diagonal
        cross = np.bincount(self.item, (weights * varying) @ abilities, self.items)
        found[:-1, -1] -= cross
        found[-1, :-1] -= cross
        found[-1, -1] += float((weights * (varying * abilities**2 - off * abilities)).sum())
        for place, (first, after) in enumerate(
            zip(self.starts, [*self.starts[1:], len(self.item)], strict=True)
        ):
            own = off[first:after]
            gradients = np.vstack([-own, own.sum(axis=0) * abilities])
            centred = gradients - (gradients @ posterior[place])[:, None]
            at = [*self.item[first:after], self.items]
            found[np.ix_(at, at)] -= (centred * posterior[place]) @ centred.T
        return found

    def _expected(self, parameters: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """By person the log likelihood and the posterior of each node; the nodes; chances by result."""
        from scipy.special import expit, log_expit, logsumexp

        nodes, weights = _quadrature()
        abilities = np.exp(parameters[-1]) * nodes
        logits = abilities - parameters[self.item, None]
        likely = log_expit(logits * (2 * self.success[:, None] - 1))
        joint = np.add.reduceat(likely, self.starts, axis=0) + np.log(weights)
        logs = logsumexp(joint, axis=1)
        return logs, np.exp(joint - logs[:, None]), abilities, expit(logits)

    @cached_property
    def _prior_variances(self) -> Floats:
        return np.array([PRIOR_OF_DIFFICULTY**2] * self.items + [PRIOR_OF_SPREAD**2])


@lru_cache(maxsize=1)
def _quadrature() -> tuple[Floats, Floats]:
    """Nodes and weights for the mean over a standard normal variable."""
    nodes, weights = hermegauss(_NODES)
    return nodes, weights / weights.sum()


def _around(value: float, error: float) -> Estimate:
    return Estimate(value, value - Z_95 * error, value + Z_95 * error)


def _groups(data: _Data) -> int:
    """The number of groups of people and items that no result connects."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    people = len(data.starts)
    shape = (people + data.items,) * 2
    met = coo_array((np.ones(len(data.person)), (data.person, people + data.item)), shape=shape)
    return int(connected_components(met, directed=False, return_labels=False))
