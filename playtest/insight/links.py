"""Links from a mark of a figure to the list of its attempts, or to a replay."""

from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

from django.urls import reverse

from playtest.insight.scope import Scope
from playtest.review.queries.attempts import HONOURED
from playtest.review.queries.level_status import LevelStatus
from playtest.studio.models import Version


def attempt_list(scope: Scope, **filters: str | int) -> str:
    """The list of a scope's attempts that match the filters of `review.queries.attempts`.

    Filters that are empty or 0 are left out.
    """
    chosen = {
        "study": scope.study.pk if scope.study else "",
        "protocol": scope.protocol_version.pk if scope.protocol_version else "",
        "people": "" if scope.rehearsal else "real",
        "excluded": "" if scope.with_excluded else HONOURED,
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
        if not self.may_watch:
            return None
        address = reverse("review:attempt", args=[attempt_id])
        if within:
            address = f"{address}?{urlencode({'list': urlsplit(within).query})}"
        return f"{address}#level={level}" if level else address

    def moment(self, attempt_id: int, seq: int) -> str | None:
        """An attempt's replay, after an action."""
        if not self.may_watch:
            return None
        return f"{reverse('review:attempt', args=[attempt_id])}#action={seq}"

    def picture(self, attempt_id: int, seq: int) -> str | None:
        """The board of an attempt after an action, as a picture of 128 by 128 pixels."""
        if not self.may_watch:
            return None
        return f"{reverse('review:picture', args=[attempt_id])}?action={seq}&scale=2"

    def end(self, attempt_id: int, level: int) -> str | None:
        """An attempt's replay, from some seconds before the last action on a level."""
        if not self.may_watch:
            return None
        return f"{reverse('review:attempt', args=[attempt_id])}#end={level}"

    def ends(self, level: int, fate: str) -> str | None:
        """How the people of a fate (`environment.ends.FATES`) ended a level, side by side."""
        if not self.may_watch:
            return None
        query = "&".join(
            filter(None, [urlencode({"version": self.version.digest, "fate": fate}), self.scope.query])
        )
        return f"{reverse('insight:ends', args=[self.version.environment.code, level])}?{query}"
