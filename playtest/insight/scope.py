"""Whose attempts a page, a figure or a command counts."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.db.models import Q, QuerySet
from django.http import QueryDict

from playtest.play.errors import Refusal
from playtest.play.models import Attempt, Session, Study
from playtest.play.queries import whose
from playtest.rules.protocol import DEFAULT, Protocol
from playtest.rules.text import whole_number
from playtest.studio.models import Environment

WITH = "with"


@dataclass(frozen=True)
class Scope:
    """All real people, or the people of one study; with or without what reviewers excluded.

    Without a study, simulated people and rehearsals are left out. The results of a rehearsal are shown alone.
    """

    study: Study | None = None
    with_excluded: bool = False

    @property
    def rehearsal(self) -> bool:
        return self.study is not None and self.study.rehearsal

    @property
    def filter(self) -> Q:
        """The condition on attempts."""
        return whose(self.study)

    @property
    def attempts(self) -> QuerySet[Attempt]:
        """Attempts that showed a frame, also excluded ones: `results.tables` leaves these out."""
        return Attempt.objects.filter(self.filter, first_frame_at__isnull=False)

    @property
    def protocol(self) -> Protocol:
        """What the study prescribes now; over all studies, the default protocol."""
        return DEFAULT if self.study is None else self.study.protocol

    @property
    def description(self) -> str:
        """Who is counted, in a sentence, without a word about exclusions."""
        if self.study is None:
            return "Real people in every study; rehearsals and simulated people are not counted."
        return f"{'Everyone' if self.rehearsal else 'Real people'} in “{self.study.name}”."

    @property
    def query(self) -> str:
        """The scope as the query of an address: "study=3&excluded=with", "" for the default."""
        chosen = {
            "study": self.study.pk if self.study else "",
            "excluded": WITH if self.with_excluded else "",
        }
        return urlencode({name: value for name, value in chosen.items() if value})


EVERYONE = Scope()
"""Real people in every study without excluded results: what the gate and every published baseline count."""


def scope_of(parameters: QueryDict) -> Scope:
    """The scope that an address names by `study` and `excluded`. Refusal 404: study_unknown."""
    study = None
    if chosen := parameters.get("study", ""):
        number = whole_number(chosen)
        study = None if number is None else Study.objects.filter(pk=number).first()
        if study is None:
            raise Refusal("study_unknown", f"There is no study {chosen!r} here.", status=404)
    return Scope(study, parameters.get("excluded") == WITH)


def is_live(scope: Scope, environment: Environment) -> bool:
    """Whether a session of the scope is open in which the environment is played or may still be."""
    sessions = Session.objects.filter(
        study__pool=environment, checked_in_at__isnull=False, ended_at__isnull=True
    )
    if scope.study is not None:
        sessions = sessions.filter(study=scope.study)
    if not scope.rehearsal:
        sessions = sessions.filter(study__rehearsal=False, participant__simulated=False)
    return sessions.exists()
