"""Facts about analysis and documentation: items 4 and 5."""

from collections import Counter
from collections.abc import Iterator

import polars as pl
from django.urls import reverse

from playtest.insight.pages.study.results import solving
from playtest.insight.paper.report.design import shares_of
from playtest.insight.paper.report.exported import changes_since, newest_export, taken_at
from playtest.insight.paper.report.gathered import (
    NONE,
    Gathered,
    minutes,
    percent,
    protocol_link,
    study_link,
    tasks_link,
)
from playtest.insight.tables.results import IS_CUT_SHORT, completions
from playtest.play.models import SessionEnd
from playtest.rules.baseline import RULE_VERSION
from playtest.rules.inference.clusters import ASSUMES, Estimate
from playtest.rules.inference.medians import interval
from playtest.rules.inference.ranks import TESTS_ASSUME
from playtest.rules.reporting.document import Fact, Table
from playtest.rules.text import persons

type Found = Iterator[Fact | Table]


def difference(_: Gathered) -> Found:
    yield Fact(
        "Offered here",
        "A test whether an agent differs more from people than one more person would, in the arena.",
    )


def uncertainty(found: Gathered) -> Found:
    yield Fact("Attempts that solved", shares_of(found))
    left_out = found.results.counted.filter(~pl.col("whole"), ~IS_CUT_SHORT).height
    yield Fact("Attempts that were cut short, in no share", f"{found.numbers.cut_short:,}")
    yield Fact("Other attempts excluded in part, in no share", f"{left_out:,}")
    yield Fact("Intervals of these shares", ASSUMES)
    if found.results.has_tasks:
        pairs = found.tasks.pairs
        judged = pairs.filter(~IS_CUT_SHORT).with_columns(solved="completed")
        solved = percent(int(judged["solved"].sum()), judged.height, solving(judged))
        yield Fact("Attempts at test pairs that solved them", solved, tasks_link(found))
    if found.results.has_levels:
        yield from _baselines(found)
    else:
        yield Fact("Other intervals", "Of a share of people Wilson's, at 95 %.")


def _baselines(found: Gathered) -> Found:
    yield Fact(
        "Baseline",
        f"{RULE_VERSION}: the upper median of the actions of everyone who completed the level,"
        f" {found.results.scope.undo}",
    )
    yield Fact(
        "Other intervals",
        "Of a share of people Wilson's, at 95 %. Of a baseline between two ranks of the counts (David and"
        " Nagaraja, 2003); its coverage is at least the one given.",
    )
    completed = completions(found.results.begun, found.results.scope)
    groups = (
        completed.group_by("environment", "version", "level")
        .agg(pl.col("actions").sort())
        .sort("environment", "version", "level")
    )
    rows = []
    for code, version, level, actions in groups.iter_rows():
        reach = interval(actions)
        rows.append(
            (
                code,
                found.versions[version].digest[:8],
                f"{level}",
                f"{len(actions):,}",
                f"{actions[len(actions) // 2]:,}",
                f"{reach.low:,} to {reach.high:,}, {reach.percent} %" if reach else NONE,
            )
        )
    yield Table(
        "The human baseline of each level: people who completed it, upper median of actions, its interval.",
        (
            "Environment",
            "Version",
            "Level",
            "People",
            f"Baseline, {found.results.scope.undo}",
            "Interval, coverage",
        ),
        tuple(rows),
    )


def metric(found: Gathered) -> Found:
    if found.results.has_tasks:
        tries = found.protocol.tasks.tries
        yield Fact(
            "Criterion of static tasks",
            f"A test pair is solved if one of the first {tries} submissions is right, a task if all its pairs"
            " are; answers of programs are judged by the same code, two for each pair.",
            tasks_link(found),
        )
    if not found.results.has_levels:
        return
    score = "for each level (human baseline / actions of the AI) squared, at most 1.15; weighted by the level"
    yield Fact("Score of AI", score)
    yield Fact("Criterion", "A level is completed or not, for people and AI by the same code.")
    yield Fact("Efficiency of people", "human baseline divided by the actions", study_link(found))


def robustness(found: Gathered) -> Found:
    if found.results.has_levels:
        yield from _robust_baselines(found)
        return
    yield Table(
        f"Success under other exclusions. {ASSUMES}",
        ("Reading", "Attempts", "Solved", "Who counts"),
        tuple((one.name, f"{one.attempts:,}", _share(one.success), one.who) for one in found.variants),
    )


def _robust_baselines(found: Gathered) -> Found:
    published, *others = found.variants
    compared = [(one, one.changes_from(published)) for one in others]
    changes = [("", ""), *((f"{by.changed:,}", f"{100 * by.largest:+.0f} %") for _, by in compared)]
    yield Table(
        f"The baselines of all levels under other exclusions, and how many of them change. Solved: {ASSUMES}",
        ("Reading", "Attempts", "Baselines", "Changed", "Largest change", "Solved", "Who counts"),
        tuple(
            (one.name, f"{one.attempts:,}", f"{len(one.baselines):,}", *change, _share(one.success), one.who)
            for one, change in zip(found.variants, changes, strict=True)
        ),
    )
    known = sorted({level for one in found.variants for level in one.baselines})
    readings = [(level, [one.baselines.get(level) for one in found.variants]) for level in known]
    undo = found.results.scope.undo
    yield Table(
        f"The baselines that differ between readings: 1 is “{published.name}”, the others are as above.",
        (
            "Environment",
            "Version",
            "Level",
            "Of actions",
            *(f"{place}" for place, _ in enumerate(found.variants, start=1)),
        ),
        tuple(
            (code, found.versions[version].digest[:8], f"{number}", undo, *map(_or_dash, values))
            for (code, version, number), values in readings
            if len(set(values)) > 1
        ),
    )


def participants(found: Gathered) -> Found:
    flow, numbers = found.people, found.numbers
    rows = (
        ("recruited", flow.recruited),
        ("did not come", -flow.absent),
        ("did not agree", -flow.declined),
        ("agreed, began no environment", -flow.unfinished),
        ("excluded with all attempts", -flow.excluded),
        ("no attempt that counts", -flow.uncounted),
        ("counted", flow.counted),
    )
    yield Table(
        "What became of the people; the parts add up.",
        ("People", "Number"),
        tuple((name, f"{number:,}") for name, number in rows),
    )
    yield Fact("Withdrawn since, in the whole installation", persons(flow.withdrawn))
    ends = Counter(session.end_reason for session in found.sessions)
    for end, label in SessionEnd.choices:
        if ends[end]:
            imported = end == SessionEnd.IMPORTED
            said = (
                "held elsewhere; why they ended is not known" if imported else f"that ended because {label}"
            )
            yield Fact(f"Sessions {said}", f"{ends[end]:,}")
    yield Fact("Time to completion, median of attempts that solved", minutes(numbers.solved_duration.minutes))
    yield Fact("Told to people", "consent text and tutorial, as in the protocol", protocol_link(found))
    fewest = found.protocol.smallest_group
    for breakdown in found.answers:
        yield Table(
            f"{breakdown.question.text} Groups of fewer than {fewest} people are not shown.",
            ("Answer", "People", "Solved"),
            tuple(
                (group.answer, f"{group.people:,}", group.percent)
                if group.people is not None
                else (group.answer, "not shown", "")
                for group in breakdown.groups
            ),
        )
    tested = [(one, one.test) for one in found.associations if one.test is not None]
    if tested:
        yield Table(
            f"Whether the share of a person's attempts that solved goes with answers. {TESTS_ASSUME}",
            ("Question", "Test", "People", "rho or H", "p, corrected"),
            tuple(
                (one.question.text, test.method, f"{test.people:,}", f"{test.statistic:.2f}", one.p_text)
                for one, test in tested
            ),
        )


def data(found: Gathered) -> Found:
    made, link = newest_export(found.study), reverse("review:data")
    if made is None:
        yield Fact("Export of the study", "none has been made", link)
        return
    taken = taken_at(made)
    yield Fact("Export of the study", f"digest {made.digest}, made {taken:%Y-%m-%d %H:%M} UTC", link)
    if changes := changes_since(found.study, taken):
        yield Fact("Changed since that export", f"{', '.join(changes)}: the figures here are newer")


def materials(found: Gathered) -> Found:
    rows = sorted(
        (version.environment.code, version.game_id, version.digest) for version in found.versions.values()
    )
    yield Table(
        "The versions of environments that were played (SHA-256 of the source).",
        ("Environment", "Game id", "Digest"),
        tuple(rows),
    )
    yield Fact(
        "Protocol",
        f"version {found.study.newest_version.number}, digest {found.protocol.digest}",
        protocol_link(found),
    )


def _share(one: Estimate | None) -> str:
    return NONE if one is None else f"{100 * one.value:.0f} % ({100 * one.low:.0f} to {100 * one.high:.0f})"


def _or_dash(value: int | None) -> str:
    return "-" if value is None else f"{value:,}"
