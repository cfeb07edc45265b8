"""What results add to staff pages and their search, and which of their tables are append-only."""

from typing import Any

from playtest.insight import home, search_kinds
from playtest.insight.pages.board.board import facts_of
from playtest.insight.pages.internal_plays import MOST_PLAYS, facts, plays_of
from playtest.people.append_only import Protected, same
from playtest.people.manifests import Manifest, Part
from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.people.search import Kind
from playtest.play.manifest import OWNER_OF_ATTEMPT
from playtest.play.models import Study
from playtest.rules.pipeline import Need, Stage
from playtest.studio.models import Environment
from playtest.studio.queries.waivers import fact_of


def _environment(code: str) -> str:
    """Empty for what is no environment: the addresses of imports begin as those of environments do."""
    title = Environment.objects.values_list("title", flat=True).filter(code=code).first()
    return "" if title is None else f"{code} {title}".strip()


def _study(pk: int) -> str:
    return Study.objects.values_list("name", flat=True).filter(pk=pk).first() or ""


def _plays_of_environment(staff: Staff | None, environment: Environment) -> dict[str, Any]:
    """The newest internal plays; in Internal, whether there are those that its gate asks for."""
    if staff is None or not staff.may(Right.PLAY_INTERNALLY):
        return {"may_play": False}
    asked = environment.stage == Stage.INTERNAL and environment.current_id is not None
    return {
        "may_play": True,
        "environment": environment,
        "plays": plays_of(environment),
        "most": MOST_PLAYS,
        "asked": fact_of(environment, Need.PLAYED, facts([environment])[environment.pk]) if asked else None,
        "reader": staff,
    }


MANIFEST = Manifest(
    titles={
        "insight:environment": _environment,
        "insight:level": "Level {number}",
        "insight:ends": "How people ended it",
        "insight:action-patterns": "Action patterns",
        "insight:states": "States",
        "insight:state": "State {key}",
        "insight:states-list": "List",
        "insight:versions": "Versions",
        "insight:split": "Split",
        "insight:baseline": "Baseline",
        "insight:release": "Release {number}",
        "insight:internal-play": "Results",
        "insight:study": _study,
        "insight:study-bar": "Bar {number}",
        "insight:study-beside": "Beside another study",
        "insight:study-tasks": "Static tasks",
        "insight:study-tasks-bar": "Bar {number}",
        "insight:plan": "Plan",
        "insight:study-source": "Check against the source",
        "insight:study-import": "Import {pk}",
        "insight:preregistration": "Preregistration",
        "insight:preregistration-numbered": "Number {number}",
        "insight:report": "Report",
    },
    kinds=(
        Kind("environment", "Environments", Right.READ_BASELINES, search_kinds.environments),
        Kind("study", "Studies", Right.READ_BASELINES, search_kinds.studies),
        Kind("version", "Versions", Right.READ_BASELINES, search_kinds.versions),
        Kind("release", "Releases", Right.READ_BASELINES, search_kinds.releases),
    ),
    parts=(
        Part("home-designer", "insight/home-own.html", home.own_environments),
        Part("home-researcher", "insight/home-studies.html", home.studies_under_way),
        Part("home-lead", "insight/home-studies.html", home.studies_under_way),
        *(
            Part(f"home-{role}", "insight/home-example.html", home.example)
            for role in ("designer", "engineer", "lead", "researcher")
        ),
        Part("environment-plays", "insight/internal/plays.html", _plays_of_environment),
    ),
    waiting_at_home=(
        ("insight:board", home.own_to_go_on_with),
        ("insight:board", home.plays_to_make),
        ("insight:board", home.moves_to_make),
        ("insight:board", home.versions_to_mend),
        ("insight:redundancy", home.marks_to_answer),
        ("insight:redundancy", home.pairs_to_compare),
        ("insight:baselines", home.releases_to_make),
    ),
    new_at_home=(("insight:baselines", "baseline released", "baselines released", home.releases_since),),
    gate_facts=(facts_of,),
    protected=(
        Protected("insight_releaseinput", OWNER_OF_ATTEMPT, (same("release_id", "attempt_id", "level"),)),
        Protected("insight_release", unique=(same("environment_id", "number"),)),
        Protected("insight_preregistration", unique=(same("study_id", "number"),)),
        Protected("insight_registrylink"),
        Protected("insight_reportanswer", unique=(same("study_id", "item", "version"),)),
        Protected("insight_releasedreport", unique=(same("release_id", "study_id"),)),
    ),
)
