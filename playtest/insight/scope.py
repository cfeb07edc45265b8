"""Whose attempts a page or a figure counts: the one place where that is decided."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.db.models import Q, QuerySet
from django.http import QueryDict

from playtest.play.errors import Refusal
from playtest.play.models import Attempt, Study
from playtest.play.queries import whose
from playtest.rules.text import whole_number

WITH = "with"


@dataclass(frozen=True)
class Scope:
    """`study` None: real people in every study that is no rehearsal. A rehearsal is only looked at alone."""

    study: Study | None = None
    with_excluded: bool = False

    @property
    def rehearsal(self) -> bool:
        return self.study is not None and self.study.rehearsal

    @property
    def filter(self) -> Q:
        """Of attempts. Simulated people are in a rehearsal's figures and nobody else's."""
        return whose(self.study)

    @property
    def attempts(self) -> QuerySet[Attempt]:
        """Attempts that showed a frame, excluded ones too: what is left out, is left out row by row."""
        return Attempt.objects.filter(self.filter, first_frame_at__isnull=False)

    @property
    def words(self) -> str:
        """Who is counted, as a sentence, but for what reviewers excluded."""
        if self.study is None:
            return "Real people in every study; rehearsals and simulated people are left out."
        return f"{'Everyone' if self.rehearsal else 'Real people'} in “{self.study.name}”."

    @property
    def query(self) -> str:
        """Carries the scope along in an address: "study=3&excluded=with", "" for the default."""
        chosen = {
            "study": self.study.pk if self.study else "",
            "excluded": WITH if self.with_excluded else "",
        }
        return urlencode({name: value for name, value in chosen.items() if value})


def scope_of(parameters: QueryDict) -> Scope:
    """The scope an address names by `study` and `excluded`. Refusal 404: study_unknown."""
    study = None
    if chosen := parameters.get("study", ""):
        number = whole_number(chosen)
        study = None if number is None else Study.objects.filter(pk=number).first()
        if study is None:
            raise Refusal("study_unknown", f"There is no study {chosen!r} here.", status=404)
    return Scope(study, parameters.get("excluded") == WITH)
