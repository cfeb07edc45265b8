"""The effort flags that a package publishes, with what the rules compared each attempt with."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from playtest.play.models import Session, Study
from playtest.review.queries.effort_evidence import evidence, judged_attempts, norm_samples
from playtest.review.queries.task_views import judged_tasks, task_views
from playtest.rules.effort import AttemptEvidence, Finding, Norms, NormSample, Thresholds, findings
from playtest.rules.effort.randomness import randomness
from playtest.rules.tasks.effort import task_findings


class Judged:
    """The rules applied to every session of a study, as the norms are now; nothing is stored.

    `flags` are rows of session, attempt (None: the whole session), rule and strength; `norms` what others did
    on the version of each attempt, by its id, and `random` the p-values of each.
    """

    def __init__(self, study: Study) -> None:
        self.flags: list[tuple[int, int | None, str, str]] = []
        self.norms: dict[int, dict[str, Any]] = {}
        self.random: dict[int, dict[str, Any]] = {}
        self._samples: dict[tuple[int, Thresholds], NormSample | None] = {}
        sessions = Session.objects.filter(study=study, checked_in_at__isnull=False)
        for session in sessions.select_related("study", "protocol", "participant").order_by("pk"):
            self._judge(session)

    def _judge(self, session: Session) -> None:
        limits = session.prescribed.effort.thresholds
        attempts = judged_attempts(session)
        found = evidence(session, attempts)
        norms = self._norms_of(session, found, limits)
        seeds = {attempt.pk: attempt.seed for attempt in attempts}
        for one in found:
            if one.version in norms:
                self.norms[one.attempt] = _as_json(norms[one.version])
            self._add_p_values(one, seeds)
        self.flags += [
            (session.pk, finding.attempt, str(finding.rule), str(finding.strength))
            for finding in [*findings(found, norms, limits, seeds), *_about_tasks(session, limits)]
        ]

    def _norms_of(
        self, session: Session, found: list[AttemptEvidence], limits: Thresholds
    ) -> Mapping[int, Norms]:
        wanted = [one.version for one in found if (one.version, limits) not in self._samples]
        if wanted:
            samples = norm_samples(wanted, session, limits)
            self._samples |= {(version, limits): samples.get(version) for version in wanted}
        norms = {}
        for one in found:
            sample = self._samples[one.version, limits]
            if sample is not None and (known := sample.without(one.attempt)) is not None:
                norms[one.version] = known
        return norms

    def _add_p_values(self, one: AttemptEvidence, seeds: Mapping[int, int]) -> None:
        if found := randomness(one.acts, np.random.default_rng(seeds[one.attempt])):
            self.random[one.attempt] = {
                "acts": len(one.acts),
                "actions": found.actions,
                "frequencies": found.frequencies,
                "transitions": found.transitions,
                "order": found.order,
            }


def _about_tasks(session: Session, limits: Thresholds) -> list[Finding]:
    views = task_views(session, judged_tasks(session))
    return task_findings(views, session.prescribed.tasks.view_seconds, limits)


def _as_json(norms: Norms) -> dict[str, Any]:
    return {
        name: dict(value) if isinstance(value, Mapping) else value for name, value in asdict(norms).items()
    }
