"""The figures that a package publishes, which `recompute.py` in it computes again."""

from dataclasses import replace
from typing import Any

import polars as pl

from engine.prove.masks import rectangles, unpacked
from playtest.insight.pages.study.results import study_results
from playtest.insight.scope import Scope
from playtest.play.models import Study
from playtest.rules.baseline import RULE_VERSION, fewest_known
from playtest.studio.models import Version
from playtest.studio.queries.fewest import fewest_stored_and_proven
from playtest.studio.queries.masks import masks_in


def published(study: Study) -> dict[str, Any]:
    """Baselines by environment, version and level, and success by environment.

    Exclusions are in force. Versions are named by the SHA-256 of their source. Open attempts are left out,
    as in the tables.
    """
    results = study_results(Scope(study))
    results = replace(results, everyone=results.everyone.filter(pl.col("outcome") != ""))
    digests = _digests(results.begun["version"].unique().to_list())
    completed = results.completions.group_by("environment", "version", "level").agg(
        pl.len().alias("completers"), pl.col("actions").sort().get(pl.len() // 2).alias("upper_median")
    )
    success = (
        results.judged.filter("whole")
        .group_by("environment")
        .agg(pl.len().alias("people"), pl.col("solved").sum().cast(pl.Int64))
    )
    return {
        "study": study.name,
        "rehearsal": study.rehearsal,
        "rule": RULE_VERSION,
        "actions": results.scope.undo,
        "baselines": [
            {**row, "version": digests[row["version"]]}
            for row in completed.sort("environment", "version", "level").to_dicts()
        ],
        "success": success.sort("environment").to_dicts(),
        "people": results.counted["participant"].n_unique(),
    }


def fewest(study: Study) -> list[dict[str, Any]]:
    """The fewest actions known here of each completed level, by environment, version and level.

    What explorations and recordings of this installation know is among it, so another one may know more.
    """
    scope = Scope(study)
    completed = study_results(scope).completions
    best = completed.group_by("environment", "version", "level").agg(pl.col("actions").min())
    played = Version.objects.in_bulk(best["version"].unique().to_list())
    stored, proven = fewest_stored_and_proven(list(played))
    return [
        {
            "environment": code,
            "version": played[pk].digest,
            "level": level,
            **found._asdict(),
            "of_actions": scope.undo,
        }
        for code, pk, level, actions in best.sort("environment", "version", "level").iter_rows()
        if (found := fewest_known(stored[pk].get(level), actions, proven[pk].get(level)))
    ]


def masks(study: Study) -> list[dict[str, Any]]:
    """The cells that states of each played version are compared without, and whether a person decided that.

    `areas` are column, row, width and height. Versions that are compared whole are there if that is decided.
    """
    played = Version.objects.filter(attempts__session__study=study).distinct().select_related("environment")
    return [
        {
            "environment": version.environment.code,
            "version": version.digest,
            "decided": known.decided is not None,
            "areas": rectangles(unpacked(known.in_force.cells)),
        }
        for version in played.order_by("environment__code", "digest")
        if (known := masks_in(version)).in_force and (known.decided or any(known.in_force.cells))
    ]


def _digests(versions: list[int]) -> dict[int, str]:
    return dict(Version.objects.filter(pk__in=versions).values_list("pk", "digest"))
