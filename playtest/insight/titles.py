"""What the pages of results are called in the trail above a page."""

from playtest.people.trail import add_titles
from playtest.play.models import Study
from playtest.studio.models import Environment


def name_pages() -> None:
    add_titles(
        {
            "insight:environment": _environment,
            "insight:level": "Level {number}",
            "insight:ends": "How people ended it",
            "insight:tried": "What was tried",
            "insight:states": "States",
            "insight:state": "State {key}",
            "insight:states-list": "List",
            "insight:states-versions": "Versions",
            "insight:versions": "Versions",
            "insight:split": "Split",
            "insight:baseline": "Baseline",
            "insight:release": "Release {number}",
            "insight:internal-play": "Results",
            "insight:study": _study,
            "insight:study-bar": "Bar {number}",
            "insight:study-tasks": "Static tasks",
            "insight:study-tasks-bar": "Bar {number}",
            "insight:plan": "Plan",
            "insight:preregistration": "Preregistration",
            "insight:preregistration-numbered": "Number {number}",
            "insight:report": "Report",
        }
    )


def _environment(code: str) -> str:
    """Empty for what is no environment: the addresses of imports begin as those of environments do."""
    title = Environment.objects.values_list("title", flat=True).filter(code=code).first()
    return "" if title is None else f"{code} {title}".strip()


def _study(pk: int) -> str:
    return Study.objects.values_list("name", flat=True).filter(pk=pk).first() or ""
