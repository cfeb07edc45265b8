"""Whose attempts a page, a figure or a command counts, and the addresses of their replays."""

from dataclasses import dataclass, replace
from functools import cached_property
from urllib.parse import urlencode, urlsplit

from django.db.models import Q, QuerySet
from django.http import QueryDict
from django.urls import reverse

from playtest.play.errors import Refusal
from playtest.play.models import Attempt, ProtocolVersion, Session, Study
from playtest.play.models.study import held_here
from playtest.play.sessions.reads import PLAYED_AS_RECORDED, whose
from playtest.review.queries.attempts import HONOURED, NO, LevelStatus
from playtest.review.queries.queue import under_review
from playtest.rules.labels import OF_RECORDINGS
from playtest.rules.protocol import DEFAULT, Protocol
from playtest.rules.results import undo_text
from playtest.rules.text import whole_number
from playtest.studio.models import Environment, Version

WITH, WITHOUT = "with", "without"


@dataclass(frozen=True)
class Scope:
    """All real people, or the people of one study; with or without what reviewers excluded.

    Who is under review counts, as in every baseline, unless `without_review`. With `protocol_version`, one of
    the study's, only sessions that follow it. Without a study, simulated people, rehearsals and studies from
    outside are left out: the results of these are shown alone.
    """

    study: Study | None = None
    with_excluded: bool = False
    protocol_version: ProtocolVersion | None = None
    without_review: bool = False

    @property
    def rehearsal(self) -> bool:
        return self.study is not None and self.study.rehearsal

    @cached_property
    def outside(self) -> bool:
        """Whether it is of a study whose data come from elsewhere."""
        return self.study is not None and self.study.is_outside

    @property
    def people_filter(self) -> str:
        """One of `review.queries.attempts.PEOPLE_FILTERS`, or "" where everybody of the study is meant."""
        return "" if self.study is not None and self.study.stands_alone else "real"

    @property
    def filter(self) -> Q:
        """The condition on attempts."""
        chosen = Q() if self.protocol_version is None else Q(session__protocol=self.protocol_version)
        return whose(self.study) & chosen & self._reviewed

    @cached_property
    def _reviewed(self) -> Q:
        return ~Q(session__in=under_review()) if self.without_review else Q()

    @property
    def attempts(self) -> QuerySet[Attempt]:
        """Attempts that showed a frame, also excluded ones: `results.tables` leaves these out.

        Recordings that no version plays as recorded have no results.
        """
        return Attempt.objects.filter(self.filter, PLAYED_AS_RECORDED, first_frame_at__isnull=False)

    @cached_property
    def protocol(self) -> Protocol:
        """That of the version, else what the study prescribes now; over all studies, the default one."""
        if self.protocol_version is not None:
            return self.protocol_version.value
        return DEFAULT if self.study is None else self.study.protocol

    @property
    def origin(self) -> str:
        """Of a study from outside, where its data are from and what they lack; "" of others."""
        return self.study.outside.origin if self.study is not None and self.outside else ""

    @cached_property
    def other_labels(self) -> dict[str, str]:
        """Of outcomes that are called otherwise here: nobody knows why a recording from outside ends."""
        of_recordings = self.study is not None and self.outside and self.study.outside.is_of_recordings
        return OF_RECORDINGS if of_recordings else {}

    @cached_property
    def undo_counts(self) -> bool:
        """Whether an undo is one of the actions that everything of this scope counts."""
        return self.protocol.undo_counts

    @property
    def undo(self) -> str:
        """ "undo counted" or "undo not counted", as every count, baseline and score names it."""
        return undo_text(undo_counts=self.undo_counts)

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
            return (
                "Real people in every study held here; rehearsals, simulated people and data from outside are"
                " not counted."
            )
        version = self.protocol_version
        by = f", by version {version.number} of its protocol" if version else ""
        if self.outside:
            who = "Everyone" if self.rehearsal else "People outside this center,"
            return f"{who} in “{self.study.name}”{by}. {self.study.outside.sentence}"
        return f"{'Everyone' if self.rehearsal else 'Real people'} in “{self.study.name}”{by}."

    @property
    def whole(self) -> "Scope":
        """The same people, with everything that is excluded and whoever is under review."""
        return replace(self, with_excluded=True, without_review=False)

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
            "review": WITHOUT if self.without_review else "",
        }
        return urlencode({name: value for name, value in chosen.items() if value})


EVERYONE = Scope()
"""Real people in every study without excluded results: what the gate and every published baseline count."""


def scope_of(parameters: QueryDict) -> Scope:
    """The scope that an address names by `study`, `protocol` (a version's number), `excluded` and `review`.

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
    excluded, review = parameters.get("excluded") == WITH, parameters.get("review") == WITHOUT
    return Scope(study, excluded, _protocol_version(study, parameters), review)


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
        sessions = sessions.filter(held_here("study__"), participant__simulated=False)
    return sessions.exists()


def attempt_list(scope: Scope, **filters: str | int) -> str:
    """The list of a scope's attempts that match the filters of `review.queries.attempts`.

    Filters that are empty or 0 are left out.
    """
    chosen = {
        "study": scope.study.pk if scope.study else "",
        "protocol": scope.protocol_version.pk if scope.protocol_version else "",
        "people": scope.people_filter,
        "excluded": "" if scope.with_excluded else HONOURED,
        "review": NO if scope.without_review else "",
        **filters,
    }
    query = urlencode({name: value for name, value in chosen.items() if value})
    return f"{reverse('review:attempts')}?{query}"


@dataclass(frozen=True)
class Links:
    """Addresses for one version in a scope. All are None for staff who may not watch replays."""

    scope: Scope
    version: Version
    may_watch: bool = True

    def attempts(
        self, *, level: int = 0, status: LevelStatus | None = None, outcome: str = "", at_once: str = ""
    ) -> str | None:
        """The list of attempts. `outcome` is a `rules.attempt.Outcome` or IN_PROGRESS.

        `at_once` is YES for attempts that were left at once, NO for the others.
        """
        if not self.may_watch:
            return None
        return attempt_list(
            self.scope,
            environment=self.version.environment_id,
            version=self.version.pk,
            outcome=outcome,
            level=level,
            there=status or "",
            at_once=at_once,
        )

    def replay(self, attempt_id: int, level: int | None = None, within: str | None = None) -> str | None:
        """An attempt's replay, from the beginning of a level. `within` is the list that it is in."""
        query = urlencode({"list": urlsplit(within).query}) if within else ""
        return self._of("review:attempt", attempt_id, query=query, place=f"level={level}" if level else "")

    def moment(self, attempt_id: int, seq: int) -> str | None:
        """An attempt's replay, after an action."""
        return self._of("review:attempt", attempt_id, place=f"action={seq}")

    def picture(self, attempt_id: int, seq: int) -> str | None:
        """The board of an attempt after an action, as a picture of 128 by 128 pixels."""
        return self._of("review:picture", attempt_id, query=f"action={seq}&scale=2")

    def end(self, attempt_id: int, level: int) -> str | None:
        """An attempt's replay, from some seconds before the last action on a level."""
        return self._of("review:attempt", attempt_id, place=f"end={level}")

    def ends(self, level: int, fate: str) -> str | None:
        """How the people of a fate (`environment.ends.FATES`) ended a level, side by side."""
        chosen = urlencode({"version": self.version.digest, "fate": fate})
        query = "&".join(filter(None, [chosen, self.scope.query]))
        return self._of("insight:ends", self.version.environment.code, level, query=query)

    def _of(self, page: str, *arguments: int | str, query: str = "", place: str = "") -> str | None:
        if not self.may_watch:
            return None
        return reverse(page, args=arguments) + (f"?{query}" if query else "") + (f"#{place}" if place else "")
