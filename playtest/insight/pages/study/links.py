"""Links from the marks of a study's figures to attempts, sessions and replays."""

from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlencode

from django.urls import reverse

from playtest.insight.scope import Scope, attempt_list
from playtest.play.models import Study
from playtest.review.queries.attempts import YES


@dataclass(frozen=True)
class StudyLinks:
    """Addresses for one study; None where the staff member has no right to the page.

    A page has thousands of them, so the router is asked once for each kind.
    """

    study: Study
    scope: Scope
    may_watch: bool = False
    may_review: bool = False

    def environment(self, code: str) -> str:
        """The page of one environment, in this scope."""
        return f"{self._environments}{code}/?{self.scope.query}"

    def attempts(self, **filters: str | int) -> str | None:
        """The study's counted attempts that match `filters` (`review.queries.attempts`)."""
        return f"{self._counted_attempts}&{urlencode(filters)}" if self.may_watch else None

    @property
    def excluded(self) -> str | None:
        """The study's excluded attempts, with the reasons."""
        return attempt_list(self.scope, excluded=YES) if self.may_watch else None

    @cached_property
    def _environments(self) -> str:
        return reverse("insight:portfolio")

    @cached_property
    def _review_queue(self) -> str:
        return reverse("review:queue")

    @cached_property
    def _counted_attempts(self) -> str:
        return attempt_list(self.scope, counts="yes")

    def person(self, participant: str, sessions: list[int]) -> str | None:
        """The person's session with its evidence, or their attempts if there are several."""
        if self.may_review and len(sessions) == 1:
            return f"{self._review_queue}{sessions[0]}/"
        return self.attempts(participant=participant)

    def bar(self, figure: str, number: int, group: str = "", page: str = "insight:study-bar") -> str | None:
        """What one bar of a histogram counts (`study.histograms`, or those of another page)."""
        if not self.may_watch:
            return None
        address = reverse(page, args=[self.study.pk, figure, number])
        chosen = urlencode({"group": group}) if group else ""
        query = "&".join(filter(None, [chosen, self.scope.query_within_study]))
        return f"{address}?{query}" if query else address
