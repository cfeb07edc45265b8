"""A plan: what a study is assumed to be like, what it takes, and what it will be able to say."""

from dataclasses import asdict, dataclass, fields
from decimal import Decimal
from math import ceil
from typing import Any, NamedTuple

from playtest.rules.errors import RuleError
from playtest.rules.pay import Pay, plain
from playtest.rules.planning import precision
from playtest.rules.planning.precision import MOST, ExpectedInterval, ExpectedShare


@dataclass(frozen=True, slots=True)
class Recruiting:
    """What a study takes. `cost` is the pay that is expected; `hours` are those of people at a station."""

    people: int
    sessions: int
    begun: int
    counted: int
    hours: float
    cost: Decimal

    @property
    def counted_each(self) -> float:
        """Mean counted attempts of a person."""
        return self.counted / self.people


class Bounds(NamedTuple):
    """The lowest and the highest value allowed, both of them included."""

    low: float
    high: float


BOUNDS = {
    "environments": Bounds(1, 2_000),
    "people": Bounds(1, MOST),
    "a_session": Bounds(1, 100),
    "sessions_each": Bounds(1, 100),
    "spread": Bounds(1, 20),
    "success": Bounds(0, 1),
    "counting": Bounds(0.05, 1),
    "environment_spread": Bounds(0, 0.5),
    "correlation": Bounds(0, 1),
    "runs": Bounds(1, 1_000),
    "difference_spread": Bounds(0, 1),
    "power": Bounds(0.5, 0.99),
    "reach": Bounds(0.01, 5),
    "half": Bounds(0.01, 0.5),
    "difference": Bounds(0.01, 1),
}
MOST_LEVELS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumptions:
    """What a study is assumed to be like, and what is wanted of it. Shares and differences are 0..1.

    `people` are counted attempts on each environment, `a_session` environments in one session of a person,
    of whom each has `sessions_each`. `spread` is a factor (`estimates.spread_of`), `completing` the chance to
    complete each level, `success` that of solving an environment, `environment_spread` its standard deviation
    between environments, `counting` the share of begun attempts that count, `correlation` that of one
    person's results, around the success at each environment. `runs` of the agent are on each environment;
    `difference_spread` is the standard deviation of true differences between environments. Wanted are
    `power`, the `reach` of a baseline's interval, the `half` width of an environment's success, and the
    smallest `difference` to an agent.

    Raises RuleError plan_out_of_range, plan_levels_unusable.
    """

    environments: int
    people: int
    a_session: int
    sessions_each: int
    spread: float
    completing: tuple[float, ...]
    success: float
    environment_spread: float
    counting: float
    correlation: float
    runs: int
    difference_spread: float
    power: float
    reach: float
    half: float
    difference: float
    pay: Pay
    session_seconds: float

    def __post_init__(self) -> None:
        for name, (low, high) in BOUNDS.items():
            if not low <= getattr(self, name) <= high:
                message = f"Give {name.replace('_', ' ')} from {low:g} to {high:g}."
                raise RuleError("plan_out_of_range", message)
        if not 1 <= len(self.completing) <= MOST_LEVELS or not all(0 <= one <= 1 for one in self.completing):
            message = f"Give the share of people who complete each of 1 to {MOST_LEVELS} levels."
            raise RuleError("plan_levels_unusable", message)

    @property
    def document(self) -> dict[str, Any]:
        """The values in JSON types; amounts as text."""
        values = {one.name: getattr(self, one.name) for one in fields(self) if one.name != "pay"}
        return values | {
            "completing": list(self.completing),
            "fee": str(self.pay.fee),
            "bonus": str(self.pay.bonus),
        }


@dataclass(frozen=True, slots=True)
class LevelForecast:
    """The typical interval of one level's baseline; None if there will all but certainly be none."""

    level: int
    completing: float
    interval: ExpectedInterval | None


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a study takes, and what it will be able to say.

    `environment` is the interval of one environment's success, `overall` that of all of them. `detectable` is
    the smallest difference to an agent that is found with the wanted power, None if there is none up to 1;
    `power` is that for the wanted difference, None if there is no test.
    """

    recruiting: Recruiting
    levels: tuple[LevelForecast, ...]
    environment: ExpectedShare
    overall: ExpectedShare
    detectable: float | None
    power: float | None

    @property
    def document(self) -> dict[str, Any]:
        """The forecast in JSON types."""
        taken = self.recruiting
        return {
            "people": taken.people,
            "sessions": taken.sessions,
            "attempts_begun": taken.begun,
            "attempts_counted": taken.counted,
            "hours": taken.hours,
            "cost": str(taken.cost),
            "levels": [asdict(one) for one in self.levels],
            "success_of_an_environment": asdict(self.environment),
            "success_of_all": asdict(self.overall),
            "detectable_difference": self.detectable,
            "power_for_wanted_difference": self.power,
        }


@dataclass(frozen=True, slots=True)
class Needed:
    """People on each environment that each wanted precision takes; None beyond `precision.MOST`.

    `levels` are those for the baseline of each level.
    """

    levels: tuple[int | None, ...]
    success: int | None
    difference: int | None

    @property
    def baselines(self) -> int | None:
        """For the baselines of all levels."""
        return None if None in self.levels else max(one for one in self.levels if one is not None)


@dataclass(frozen=True, slots=True)
class Plan:
    """A forecast, and how many people what is wanted takes."""

    assumptions: Assumptions
    forecast: Forecast
    needed: Needed

    @property
    def document(self) -> dict[str, Any]:
        """The plan in JSON types."""
        needed = asdict(self.needed) | {"baselines": self.needed.baselines, "most_considered": MOST}
        return {
            "assumptions": self.assumptions.document,
            "forecast": self.forecast.document,
            "people_needed": needed,
        }


def plan(assumed: Assumptions) -> Plan:
    """What a study as assumed will be able to say, and how many people what is wanted of it takes."""
    needed = Needed(
        levels=tuple(
            precision.people_for_reach(assumed.reach, completing, assumed.spread)
            for completing in assumed.completing
        ),
        success=precision.people_for_half(assumed.half, assumed.success),
        difference=precision.people_for_difference(
            assumed.difference, assumed.power, lambda people: _planned(assumed, people)
        ),
    )
    return Plan(assumed, forecast(assumed), needed)


def forecast(assumed: Assumptions) -> Forecast:
    """The forecast for what is assumed."""
    people = assumed.people
    compared, taken = _planned(assumed, people), recruiting(assumed, people)
    testable = compared.groups >= precision.FEWEST_ENVIRONMENTS and compared.error > 0
    return Forecast(
        recruiting=taken,
        levels=tuple(
            LevelForecast(number, completing, precision.expected_interval(people, completing, assumed.spread))
            for number, completing in enumerate(assumed.completing, start=1)
        ),
        environment=precision.success_of_environment(people, assumed.success),
        overall=precision.success_of_all(
            taken.counted, assumed.environments, compared.groups, assumed.success, assumed.environment_spread,
            _design(assumed, taken),
        ),
        detectable=compared.detectable(assumed.power),
        power=compared.power(assumed.difference) if testable else None,
    )  # fmt: skip


def _planned(assumed: Assumptions, people: int) -> precision.Comparison:
    taken = recruiting(assumed, people)
    return precision.Comparison.of(
        assumed.environments, people, assumed.runs, assumed.success, assumed.environment_spread,
        assumed.difference_spread, _design(assumed, taken), min(assumed.environments, taken.people),
    )  # fmt: skip


def _design(assumed: Assumptions, taken: Recruiting) -> float:
    return precision.design_effect(taken.counted_each, assumed.correlation)


def recruiting(assumed: Assumptions, people: int) -> Recruiting:
    """What it takes for `people` counted attempts on each environment.

    A person meets an environment once, `a_session` of them in each of `sessions_each` sessions. Of the
    attempts begun the share `counting` counts, and of those `success` earn the bonus.
    """
    begun = ceil(people / assumed.counting - 1e-9) * assumed.environments
    each = min(assumed.a_session * assumed.sessions_each, assumed.environments)
    full, left = divmod(begun, each)
    sessions = full * ceil(each / assumed.a_session) + ceil(left / assumed.a_session)
    counted = people * assumed.environments
    bonus = assumed.pay.bonus * counted * Decimal(assumed.success)
    return Recruiting(
        people=full + bool(left), sessions=sessions, begun=begun, counted=counted,
        hours=sessions * assumed.session_seconds / 3600, cost=plain(assumed.pay.fee * sessions + bonus),
    )  # fmt: skip
