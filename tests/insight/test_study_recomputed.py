"""A study of simulated people, made here and computed again by statsmodels and lifelines.

The people, their attempts and the second computation use nothing of the product's rules: abilities of a
person are alike at all environments, environments are of different difficulty, some attempts are cut short
at the end of a session, and some people have two records.
"""

import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import pandas as pd
import pytest
from django.test import Client
from django.urls import reverse
from lifelines import AalenJohansenFitter
from pytest_django import Settings
from scipy.stats import fisher_exact, norm, t
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint
from statsmodels.stats.sandwich_covariance import cov_cluster
from statsmodels.tools.tools import add_constant

from playtest.center.same_records import link_records
from playtest.insight.pages.environment.progression import CUT_OFF, ENDS, GAVE_UP, SOLVED, TIME, observations
from playtest.insight.pages.environment.versions import compare
from playtest.insight.pages.study.links import StudyLinks
from playtest.insight.pages.study.order import order_figure, positions
from playtest.insight.pages.study.people import shares
from playtest.insight.pages.study.results import numbers
from playtest.insight.pages.study.results import results_of as rows_of
from playtest.insight.paper.package.published import published
from playtest.insight.paper.report.robustness import variants
from playtest.insight.scope import Scope
from playtest.insight.tables.version import version_results
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.clock import now
from playtest.play.models import Study
from playtest.play.sessions.attempts import open_next, set_first_frame
from playtest.review.models import Export
from playtest.review.services.read_tokens import create_token
from playtest.review.tasks.exports import make_export
from playtest.rules.attempt import Outcome
from playtest.rules.inference.clusters import trend
from playtest.rules.inference.incidence import incidence
from playtest.studio.models import Environment, Version
from tests import make
from tests.insight.up_to_date import results_of
from tests.live.games import WALK_LEVELS
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

WALLS = 31
"""Steps into a wall at the first level, so that every attempt counts."""


@dataclass(frozen=True)
class Played:
    """One attempt, with the `actions` of each level that was completed, and its time to the last action."""

    person: int
    environment: str
    version: int
    position: int
    outcome: Outcome
    actions: tuple[int, ...]
    seconds: float

    @property
    def solved(self) -> float:
        return float(self.outcome is Outcome.COMPLETED)


def environments(count: int) -> list[Environment]:
    """wk01 under so many names, each with a digest of its own."""
    original = make.environment()
    assert original.current is not None
    made = [original]
    for number in range(2, count + 1):
        version = Version.objects.get(pk=original.current.pk)
        copy = Environment.objects.create(code=f"wk{number:02}")
        version.pk, version.digest, version.environment = None, f"{number:064x}", copy
        version.save()
        copy.current = version
        copy.save()
        made.append(copy)
    return made


def plays(
    study: Study, people: int, each: int, hard: dict[str, float], seed: int, merged: int = 10
) -> list[Played]:
    """People who meet `each` environments in a session, each `merged`-th in two, under two records.

    The product chooses the environments; each third person's last attempt is cut short.
    """
    draw, found = Random(seed), []
    for person in range(people):
        able, record, first = draw.gauss(0, 1), new_participant(), None
        for _ in range(2 if person % merged == merged - 1 else 1):
            if first is not None:
                record = new_participant()
                link_records(record, first.label, "the desk knows", staff(Role.PROCTOR))
            first = record
            session = make.session(study, record)
            for position in range(1, each + 1):
                attempt = open_next(session)
                assert attempt is not None
                code = attempt.environment.code
                solves = draw.random() < 1 / (1 + math.exp(hard[code] - able))
                ends = (Outcome.GAVE_UP, Outcome.GAVE_UP, Outcome.TIMED_OUT)
                outcome = Outcome.COMPLETED if solves else draw.choice(ends)
                if position == each and person % 3 == 0:
                    outcome = Outcome.SESSION_OVER
                levels = 6 if outcome is Outcome.COMPLETED else draw.randrange(6)
                actions = (WALLS + draw.randrange(20) + 3, *[3] * 5)
                acts = [
                    *[2] * (actions[0] - 3),
                    *(int(one) for level in WALK_LEVELS[:levels] for one in level),
                ]
                pace = draw.uniform(1, 4)
                began = now()
                set_first_frame(attempt.pk, began)
                made = make.record(attempt, acts, outcome, began, pace)
                assert made.last_action_at is not None
                seconds = (made.last_action_at - began) / timedelta(seconds=1)
                found.append(
                    Played(person, code, attempt.version_id, position, outcome, actions[:levels], seconds)
                )
    return found


def clustered(influence: Sequence[float], rows: Sequence[Played]) -> float:
    """The two-way variance of an estimate, from statsmodels' sandwich of each side."""
    fit = OLS(np.asarray(influence) * len(rows), np.ones(len(rows))).fit()
    sides = ([one.person for one in rows], [one.environment for one in rows], range(len(rows)))
    by = [float(cov_cluster(fit, pd.factorize(np.array(side))[0])[0, 0]) for side in sides]
    return max(by[0] + by[1] - by[2], by[0], by[1])


def quantile(rows: Sequence[Played]) -> float:
    fewest = min(len({one.person for one in rows}), len({one.environment for one in rows}))
    return float(t.ppf(0.975, fewest - 1))


def rate_of(rows: Sequence[Played], weights: Sequence[float]) -> tuple[float, float, float]:
    """A weighted share with Wilson's interval of the number of results that would have its variance."""
    value = sum(weight * one.solved for weight, one in zip(weights, rows, strict=True))
    influence = [weight * (one.solved - value) for weight, one in zip(weights, rows, strict=True)]
    number = min(value * (1 - value) / clustered(influence, rows), len(rows))
    level = 2 * (1 - norm.cdf(quantile(rows)))
    low, high = proportion_confint(value * number, number, level, "wilson")
    return value, float(low), float(high)


def trend_of(rows: Sequence[Played]) -> tuple[float, float, float]:
    """The slope of success on the position, with a constant for each person and each environment."""
    table = pd.DataFrame({"person": [o.person for o in rows], "at": [o.environment for o in rows]}).astype(
        str
    )
    sides = pd.get_dummies(table, drop_first=True).astype(float)
    constants = add_constant(sides).to_numpy()
    step = OLS([float(one.position) for one in rows], constants).fit().resid
    left = OLS([one.solved for one in rows], constants).fit().resid
    fit = OLS(left, step).fit()
    slope, influence = float(fit.params[0]), step * fit.resid / float(step @ step)
    sides_of = ([one.person for one in rows], [one.environment for one in rows], list(range(len(rows))))
    by = []
    for side in sides_of:
        groups = pd.Series(influence).groupby(side).sum()
        by.append(float((groups**2).sum()) * len(groups) / (len(groups) - 1))
    reach = quantile(rows) * math.sqrt(max(by[0] + by[1] - by[2], by[0], by[1]))
    return slope, slope - reach, slope + reach


def same(found: object, expected: tuple[float, float, float]) -> None:
    ends = [getattr(found, name) for name in ("value", "low", "high")]
    assert ends == pytest.approx(expected, abs=1e-9)


def check_rates(study: Study, played: list[Played]) -> None:
    results, judged = results_of(study), [one for one in played if one.outcome is not Outcome.SESSION_OVER]
    equal = rate_of(judged, [1 / len(judged)] * len(judged))
    found = numbers(results)
    assert (found.people, found.attempts) == (len({one.person for one in played}), len(played))
    assert found.cut_short == len(played) - len(judged)
    same(found.success, equal)
    for name, at in (("of_environments", "person"), ("of_people", "environment")):
        sizes = pd.Series([getattr(one, at) for one in judged]).value_counts()
        weights = [1 / sizes[getattr(one, at)] / len(sizes) for one in judged]
        same(getattr(shares(results), name), rate_of(judged, weights))
    same(variants(results)[1].success, rate_of(played, [1 / len(played)] * len(played)))
    page = signed_in(Role.RESEARCHER).get(reverse("insight:study", args=[study.pk])).content.decode()
    of_people = shares(results).of_people
    assert of_people is not None
    assert f"{100 * of_people.low:.0f} to {100 * of_people.high:.0f} %" in page
    analysis = reverse("insight:report", args=[study.pk]) + "?chapter=4"
    report = signed_in(Role.RESEARCHER).get(analysis).content.decode()
    value, low, high = (f"{100 * one:.0f}" for one in equal)
    solved = sum(one.outcome is Outcome.COMPLETED for one in judged)
    assert f"{solved} of {len(judged)} ({value} %, 95 % interval {low} to {high} %)" in report


def check_published(study: Study, played: list[Played]) -> None:
    document = published(study)
    assert [(one["environment"], one["people"], one["solved"]) for one in document["success"]] == sums(played)
    found = {(one["environment"], one["level"]): one["upper_median"] for one in document["baselines"]}
    assert found == baselines(played)


def sums(played: Sequence[Played]) -> list[tuple[str, int, int]]:
    """Each environment with its attempts that were not cut short, and how many of these solved."""
    judged = [(one.environment, one.solved) for one in played if one.outcome is not Outcome.SESSION_OVER]
    table = pd.DataFrame(judged, columns=["environment", "solved"])
    by_environment = table.groupby("environment")["solved"].agg(["size", "sum"])
    return [(code, size, int(solved)) for code, size, solved in by_environment.itertuples()]


def baselines(played: Sequence[Played]) -> dict[tuple[str, int], int]:
    """The upper median of the actions of each environment's levels."""
    counts: dict[tuple[str, int], list[int]] = {}
    for one in played:
        for level, actions in enumerate(one.actions, start=1):
            counts.setdefault((one.environment, level), []).append(actions)
    return {key: sorted(values)[len(values) // 2] for key, values in counts.items()}


def check_tables_over_rest(study: Study, played: list[Played]) -> None:
    """The tables that a script reads with a token, by pandas alone."""
    _, secret = create_token(study, "A second program", 1, staff(Role.RESEARCHER))
    client = Client(headers={"authorization": f"Bearer {secret}"})

    def table(name: str) -> pd.DataFrame:
        address = f"/api/data/{study.pk}/{name}.csv"
        answer = client.get(address)
        if answer.status_code == 429:
            make_export(Export.objects.latest("pk").pk)
            answer = client.get(address)
        content = io.BytesIO(answer.getvalue())
        answer.close()
        return pd.read_csv(content)

    attempts = table("attempts").query("counts")
    assert attempts["person"].nunique() == len({one.person for one in played})
    assert sorted(attempts["seconds"]) == pytest.approx(sorted(one.seconds for one in played), abs=1e-6)
    judged = attempts.query("not cut_short").groupby("environment")["outcome"]
    found = judged.agg(["size", lambda ends: (ends == "completed").sum()])
    assert list(found.itertuples(name=None)) == sums(played)
    levels = table("level_results").query("in_baseline").groupby(["environment", "level"])
    assert levels["actions"].quantile(interpolation="higher").to_dict() == baselines(played)


def check_order(study: Study, played: list[Played]) -> None:
    results, judged = results_of(study), [one for one in played if one.outcome is not Outcome.SESSION_OVER]
    expected = trend_of(judged)
    table = positions(results).filter(~(results.counted["outcome"] == Outcome.SESSION_OVER.value))
    found = trend(rows_of(table), table["position"].to_list())
    assert [getattr(found, name) for name in ("value", "low", "high")] == pytest.approx(expected, abs=1e-9)
    scope = Scope(study)
    title = order_figure(results, numbers(results), StudyLinks(study, scope)).title
    points = "{:+.1f} points a position ({:+.1f} to {:+.1f}".format(*(100 * one for one in expected))
    assert points in title.replace("\N{MINUS SIGN}", "-")


def check_incidence(study: Study, played: list[Played]) -> None:
    environment = played[0].environment
    here = [one for one in played if one.environment == environment]
    version = Environment.objects.get(code=environment).current
    assert version is not None
    curves = incidence(observations(version_results(version, Scope(study)), TIME), ENDS)
    causes = {Outcome.COMPLETED: 1, Outcome.GAVE_UP: 2, Outcome.TIMED_OUT: 3, Outcome.SESSION_OVER: 0}
    seconds = pd.Series([one.seconds for one in here])
    assert seconds.is_unique
    ends = pd.Series([causes[one.outcome] for one in here])
    for end, cause in ((SOLVED, 1), (GAVE_UP, 2), (CUT_OFF, 3)):
        if cause not in set(ends):
            continue
        fitted = AalenJohansenFitter().fit(seconds, ends, event_of_interest=cause)
        expected = fitted.cumulative_density_.iloc[1:, 0]
        steps = [step for step in curves[end] if step.at > 0]
        assert [step.at for step in steps] == pytest.approx(expected.index.tolist(), abs=1e-6)
        assert [step.share for step in steps] == pytest.approx(expected.tolist(), abs=1e-9)
        assert [step.at_risk for step in steps] == [int((seconds >= step.at - 1e-6).sum()) for step in steps]


def ended(played: Sequence[Played], level: int) -> list[bool]:
    """Of those who reached a level and were not cut short on it, whether they completed it."""
    reached = [(one, len(one.actions) >= level) for one in played if len(one.actions) >= level - 1]
    return [done for one, done in reached if done or one.outcome is not Outcome.SESSION_OVER]


def check_versions(study: Study, played: list[Played], hard: dict[str, float], people: int) -> None:
    environment = Environment.objects.get(code="wk01")
    assert environment.current is not None
    before, later = (Version.objects.get(pk=environment.current.pk) for _ in range(2))
    later.pk, later.digest = None, "e" * 64
    later.save()
    environment.current = later
    environment.save()
    study.pool.set([environment])
    again = plays(study, people, 1, dict.fromkeys(hard, -2.0), 5, merged=people + 1)
    results_of(study)
    rows = compare(*(version_results(version, Scope(study)) for version in (before, later)))
    p_values = []
    for row in rows:
        sides = [
            ended(side, row.level) for side in ([one for one in played if one.version == before.pk], again)
        ]
        if min(map(len, sides)) >= 5:
            p_values.append(fisher_exact([[sum(side), len(side) - sum(side)] for side in sides]).pvalue)
    assert p_values
    expected = multipletests(p_values, method="holm")[1].tolist()
    assert [row.p for row in rows if row.p is not None] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("people", "count", "each"), [(11, 6, 3), pytest.param(50, 12, 6, marks=pytest.mark.long)]
)
def test_every_number_is_that_of_a_second_program(
    people: int, count: int, each: int, settings: Settings, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path
    pool = environments(count)
    study = make.study(pool=pool, people=200)
    hard = {one.code: 2 * number / count - 1 for number, one in enumerate(pool)}
    played = plays(study, people, each, hard, 36)
    assert any(one.outcome is Outcome.SESSION_OVER for one in played)
    assert all(one.position <= two.position or two.position == 1 for one, two in pairwise(played))
    check_rates(study, played)
    check_published(study, played)
    check_tables_over_rest(study, played)
    check_order(study, played)
    check_incidence(study, played)
    check_versions(study, played, hard, people)
