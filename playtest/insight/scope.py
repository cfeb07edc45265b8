"""Whose attempts a page, a figure or a command counts."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.db.models import Q, QuerySet
from django.http import QueryDict

from playtest.play.errors import Refusal
from playtest.play.models import Attempt, ProtocolVersion, Session, Study
from playtest.play.sessions.reads import whose
from playtest.rules.protocol import DEFAULT, Protocol
from playtest.rules.text import whole_number
from playtest.studio.models import Environment

WITH = "with"


@dataclass(frozen=True)
class Scope:
    """All real people, or the people of one study; with or without what reviewers excluded.

    With `protocol_version`, one of the study's, only sessions that follow it. Without a study, simulated
    people and rehearsals are left out. The results of a rehearsal are shown alone.
    """

    study: Study | None = None
    with_excluded: bool = False
    protocol_version: ProtocolVersion | None = None

    @property
    def rehearsal(self) -> bool:
        return self.study is not None and self.study.rehearsal

    @property
    def filter(self) -> Q:
        """The condition on attempts."""
        chosen = Q() if self.protocol_version is None else Q(session__protocol=self.protocol_version)
        return whose(self.study) & chosen

    @property
    def attempts(self) -> QuerySet[Attempt]:
        """Attempts that showed a frame, also excluded ones: `results.tables` leaves these out."""
        return Attempt.objects.filter(self.filter, first_frame_at__isnull=False)

    @property
    def protocol(self) -> Protocol:
        """That of the version, else what the study prescribes now; over all studies, the default one."""
        if self.protocol_version is not None:
            return self.protocol_version.value
        return DEFAULT if self.study is None else self.study.protocol

    @property
    def protocol_versions(self) -> list[ProtocolVersion]:
        """The versions that sessions of the study follow."""
        if self.study is None:
            return []
        return list(self.study.protocol_versions.filter(frozen_at__isnull=False).order_by("number"))

    @property
    def description(self) -> str:
        """Who is counted, in a sentence, without a word about exclusions."""
        if self.study is None:
            return "Real people in every study; rehearsals and simulated people are not counted."
        version = self.protocol_version
        by = f", by version {version.number} of its protocol" if version else ""
        return f"{'Everyone' if self.rehearsal else 'Real people'} in “{self.study.name}”{by}."

    @property
    def query(self) -> str:
        """The scope as the query of an address: "study=3&protocol=2&excluded=with", "" for the default."""
        study = urlencode({"study": self.study.pk}) if self.study else ""
        return "&".join(filter(None, [study, self.query_within_study]))

    @property
    def query_within_study(self) -> str:
        """The same for an address that names the study already."""
        chosen = {
            "protocol": self.protocol_version.number if self.protocol_version else "",
            "excluded": WITH if self.with_excluded else "",
        }
        return urlencode({name: value for name, value in chosen.items() if value})


EVERYONE = Scope()
"""Real people in every study without excluded results: what the gate and every published baseline count."""


def scope_of(parameters: QueryDict) -> Scope:
    """The scope that an address names by `study`, `protocol` (a version's number) and `excluded`.

    Refusal 404: study_unknown, protocol_version_unknown.
    """
    study = None
    if chosen := parameters.get("study", ""):
        number = whole_number(chosen)
        study = None if number is None else Study.objects.filter(pk=number).first()
        if study is None:
            raise Refusal("study_unknown", f"There is no study {chosen!r} here.", status=404)
    return scope_within(study, parameters)


def scope_within(study: Study | None, parameters: QueryDict) -> Scope:
    """The scope that an address of the study's own page names. Refusal 404: protocol_version_unknown."""
    return Scope(study, parameters.get("excluded") == WITH, _protocol_version(study, parameters))


def _protocol_version(study: Study | None, parameters: QueryDict) -> ProtocolVersion | None:
    """The version of the study's protocol that `protocol` names. Refusal 404: protocol_version_unknown."""
    chosen = parameters.get("protocol", "")
    if not chosen:
        return None
    number = whole_number(chosen)
    found = None
    if study is not None and number is not None:
        found = study.protocol_versions.filter(number=number).first()
    if found is None:
        message = (
            f"There is no version {chosen!r} of a protocol here: choose its study, then one of its versions."
        )
        raise Refusal("protocol_version_unknown", message, status=404)
    return found


def is_live(scope: Scope, environment: Environment) -> bool:
    """Whether a running session of the scope plays the environment or may still do so."""
    sessions = Session.objects.filter(
        study__pool=environment, checked_in_at__isnull=False, ended_at__isnull=True
    )
    if scope.study is not None:
        sessions = sessions.filter(study=scope.study)
    if not scope.rehearsal:
        sessions = sessions.filter(study__rehearsal=False, participant__simulated=False)
    return sessions.exists()
