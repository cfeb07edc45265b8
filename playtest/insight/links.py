"""Where a mark leads: to the list of exactly the attempts behind it, or to one attempt's replay."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse

from playtest.insight.scope import Scope
from playtest.review.queries.attempts import HONOURED, IN_PROGRESS
from playtest.review.queries.reach import There
from playtest.studio.models import Version


@dataclass(frozen=True)
class Links:
    """Of one version in a scope. Nobody is led to replays who may not watch them: every address is None."""

    scope: Scope
    version: Version
    may_watch: bool = True

    def attempts(
        self, *, level: int | None = None, there: There | None = None, outcome: str = "", at_once: str = ""
    ) -> str | None:
        """The list of the scope's attempts that fit. `outcome` as `rules.attempt.Outcome`, or OPEN.

        `at_once` YES for those that were left at once alone, NO for the others.
        """
        if not self.may_watch:
            return None
        chosen = {
            "study": self.scope.study.pk if self.scope.study else "",
            "environment": self.version.environment_id,
            "version": self.version.pk,
            "people": "" if self.scope.rehearsal else "real",
            "outcome": outcome,
            "level": level or "",
            "there": there or "",
            "at_once": at_once,
            "excluded": "" if self.scope.with_excluded else HONOURED,
        }
        query = urlencode({name: value for name, value in chosen.items() if value})
        return f"{reverse('review:attempts')}?{query}"

    def replay(self, attempt_id: int, level: int | None = None) -> str | None:
        """An attempt's replay, from the beginning of a level."""
        if not self.may_watch:
            return None
        address = reverse("review:attempt", args=[attempt_id])
        return f"{address}#level={level}" if level else address


OPEN = IN_PROGRESS
"""The outcome of an attempt that has none yet."""
