"""Whether anything of a scope is still going on."""

from playtest.insight.scope import Scope
from playtest.play.models import Session
from playtest.studio.models import Environment


def running(scope: Scope, environment: Environment) -> bool:
    """Whether somebody of the scope sits at a station and may be handed, or is playing, the environment."""
    sessions = Session.objects.filter(
        study__pool=environment, checked_in_at__isnull=False, ended_at__isnull=True
    )
    if scope.study is not None:
        sessions = sessions.filter(study=scope.study)
    if not scope.rehearsal:
        sessions = sessions.filter(study__rehearsal=False, participant__simulated=False)
    return sessions.exists()
