"""The form of a study: its pool and what its protocol prescribes."""

from dataclasses import fields, replace
from decimal import Decimal
from typing import Any

from django import forms
from django.http import QueryDict

from playtest.play.models import Study
from playtest.play.sessions.page_content import currency
from playtest.rules.acceptance import Acceptance
from playtest.rules.attempt import AttemptRule
from playtest.rules.effort import thresholds
from playtest.rules.limits import LONGEST_AWAY_SECONDS, MOST_TIMES_AWAY, Away, Limits
from playtest.rules.pay import Pay
from playtest.rules.protocol import DEFAULT, Protocol
from playtest.rules.tasks.procedure import LONGEST_VIEW_SECONDS, MOST_SUBMISSIONS
from playtest.studio.pictures import EnvironmentsField, with_pictures

_REHEARSAL_FIXED = (
    "This is fixed since the first check-in, because it decides whether the results count."
    " Create another study."
)
_MOST_MINUTES = 24 * 60
_MINUTES = {
    "soft_minutes": ("limits", "soft_seconds"),
    "hard_minutes": ("limits", "hard_seconds"),
    "session_minutes": ("limits", "session_seconds"),
    "less_than_minutes": ("attempt", "less_than_seconds"),
}


_TASKS = ("tries", "most_submissions", "view_seconds", "feedback", "going_back")
"""The fields of `TaskRule` that the form has."""


class Minutes(forms.DecimalField):
    """A time that people write in minutes and the protocol has in seconds."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            min_value=Decimal("0.1"), max_value=_MOST_MINUTES, decimal_places=1, step_size=0.1, **options
        )


class StudyForm(forms.Form):
    """A study's settings: its newest protocol version, or the default protocol for a new study."""

    name = forms.CharField(max_length=100)
    pool = EnvironmentsField(with_pictures().filter(current__isnull=False), label="Environments in the pool")
    soft_minutes = Minutes(
        label="Soft limit (minutes)", help_text="After this time the participant is asked to conclude."
    )
    hard_minutes = Minutes(label="Hard limit (minutes)", help_text="After this time the attempt ends.")
    session_minutes = Minutes(label="Session (minutes)", help_text="From check-in to the end of the session.")
    away_seconds = forms.IntegerField(
        label="Connection away: not charged (seconds)",
        min_value=0,
        max_value=LONGEST_AWAY_SECONDS,
        help_text="A lost connection stops the clock for at most this long each time. 0: it is charged.",
    )
    away_times = forms.IntegerField(
        label="Connection away: times",
        min_value=0,
        max_value=MOST_TIMES_AWAY,
        help_text="So often in a session; later ones are charged.",
    )
    people = forms.IntegerField(
        label="People per environment",
        min_value=1,
        max_value=10_000,
        help_text="People whose attempts count or are in progress; an excluded person is replaced.",
    )
    solvers = forms.IntegerField(
        label="People who must solve it",
        min_value=1,
        max_value=10_000,
        help_text="With fewer solvers, an environment goes back to its developer.",
    )
    more_than_actions = forms.IntegerField(
        label="Attempt: more actions than",
        min_value=0,
        max_value=100_000,
        help_text="An attempt with this many actions or fewer does not count.",
    )
    less_than_minutes = Minutes(
        label="Attempt: less than (minutes)",
        help_text="An attempt that takes this long or longer, first frame to last action, does not count.",
    )
    fee = forms.DecimalField(label="Fee per session", min_value=0, max_digits=8, decimal_places=2)
    bonus = forms.DecimalField(
        label="Bonus per environment solved", min_value=0, max_digits=8, decimal_places=2
    )
    consent_text = forms.CharField(
        widget=forms.Textarea(attrs={"rows": 12}),
        help_text="Shown before anything is recorded; each session stores the version that was agreed to."
        " It is shown as it is written here, whichever language the pages are in: only the usual text is"
        " translated. The same holds for questions of your own.",
    )
    debrief = forms.BooleanField(
        required=False,
        label="Two questions after each environment: how hard it was, and what it was about",
        help_text="Each may be skipped. They are asked in the pause, outside the environment's time.",
    )
    undo_counts = forms.BooleanField(
        required=False,
        label="An undo counts as an action of its level",
        help_text="As in the official toolkit. Otherwise counts and baselines of this study leave undo out.",
    )
    review_percent = forms.DecimalField(
        min_value=0,
        max_value=100,
        decimal_places=1,
        label="Unflagged sessions reviewed at random (percent)",
        help_text="Two reviewers judge each. Which ones is drawn from how a session ended.",
    )
    tries = forms.IntegerField(
        label="Tries per test input",
        min_value=1,
        max_value=MOST_SUBMISSIONS,
        help_text="So many submissions count towards solving it.",
    )
    most_submissions = forms.IntegerField(
        label="Submissions per test input",
        min_value=1,
        max_value=MOST_SUBMISSIONS,
        help_text="As many as the tries, or more: later ones are stored and shown, and never counted.",
    )
    view_seconds = forms.IntegerField(
        label="View that counts: more than (seconds)",
        min_value=0,
        max_value=LONGEST_VIEW_SECONDS,
        help_text="A view of a task that is not longer is no attempt.",
    )
    feedback = forms.BooleanField(
        required=False,
        label="Each submission is answered with right or wrong",
        help_text="A right one then closes its test input. Otherwise nobody learns what was right.",
    )
    going_back = forms.BooleanField(
        required=False,
        label="A task can be set aside and taken up again",
        help_text="Its clock stands still meanwhile. Otherwise a task that is left is over.",
    )
    effort = forms.JSONField(
        required=False,
        label="Effort thresholds that differ from the defaults",
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text='JSON, such as {"no_op_share": 0.7}.',
    )
    open = forms.BooleanField(required=False, label="Open: sessions can be created")
    rehearsal = forms.BooleanField(required=False, label="Rehearsal: nothing in it counts towards baselines")
    reason = forms.CharField(
        required=False,
        label="Reason for changing the protocol or the pool",
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="Required, because sessions follow an earlier version; it is stored for good.",
    )
    edition = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, data: QueryDict | None = None, *, study: Study | None = None) -> None:
        self._study = study
        newest = study.newest_version if study else None
        self._protocol = newest.value if newest else DEFAULT
        initial = _initial(self._protocol) | (_initial_of(study) if study else {"open": True})
        super().__init__(data, initial=initial)
        for name in ("fee", "bonus"):
            self.fields[name].label = f"{self.fields[name].label} ({currency()})"
        if newest is None or (newest.number == 1 and newest.frozen_at is None):
            del self.fields["reason"]
        else:
            self.fields["rehearsal"].disabled = True
            self.fields["rehearsal"].help_text = _REHEARSAL_FIXED

    def clean(self) -> dict[str, Any]:
        """Refuses a tick of "Rehearsal" that arrives after the first check-in, instead of ignoring it."""
        ticked = self.fields["rehearsal"].disabled and "rehearsal" in self.data
        if ticked and self._study is not None and not self._study.rehearsal:
            self.add_error("rehearsal", forms.ValidationError(_REHEARSAL_FIXED, code="rehearsal_fixed"))
        return super().clean() or {}

    def settings(self) -> dict[str, Any]:
        """The arguments of `create_study` and, for an existing study, of `change_study`.

        Raises RuleError as the protocol's values do.
        """
        values = self.cleaned_data
        settings = {name: values[name] for name in ("name", "pool", "open", "rehearsal")}
        settings["protocol"] = self._changed(values)
        if self._study is not None:
            settings |= {"reason": values.get("reason", ""), "edition": values["edition"]}
        return settings

    def add_refusal(self, code: str, message: str) -> None:
        """Show a refusal at the field it is about."""
        place = _FIELD_OF_REFUSAL.get(code)
        self.add_error(place if place in self.fields else None, forms.ValidationError(message, code=code))

    def _changed(self, values: dict[str, Any]) -> Protocol:
        """The protocol with the values of the form; a time that was not edited keeps its exact seconds."""
        before = self._protocol
        seconds: dict[str, int] = {}
        for name, (part, attribute) in _MINUTES.items():
            known = getattr(getattr(before, part), attribute)
            untouched = Decimal(_minutes(known)) == values[name]
            seconds[attribute] = known if untouched else round(values[name] * 60)
        return replace(
            before,
            limits=Limits(**{each.name: seconds[each.name] for each in fields(Limits)}),
            attempt=AttemptRule(values["more_than_actions"], seconds["less_than_seconds"]),
            acceptance=Acceptance(values["people"], values["solvers"]),
            pay=Pay(values["fee"], values["bonus"]),
            consent_text=values["consent_text"].replace("\r\n", "\n"),
            debrief=values["debrief"],
            undo_counts=values["undo_counts"],
            review_share=float(values["review_percent"] / 100),
            away=Away(values["away_seconds"], values["away_times"]),
            tasks=replace(before.tasks, **{name: values[name] for name in _TASKS}),
            effort=replace(before.effort, thresholds=thresholds(values["effort"] or {})),
        )


def _initial(protocol: Protocol) -> dict[str, Any]:
    return {
        **{
            name: _minutes(getattr(getattr(protocol, part), attribute))
            for name, (part, attribute) in _MINUTES.items()
        },
        "more_than_actions": protocol.attempt.more_than_actions,
        "people": protocol.acceptance.people,
        "solvers": protocol.acceptance.solvers,
        "fee": protocol.pay.fee,
        "bonus": protocol.pay.bonus,
        "consent_text": protocol.consent_text,
        "debrief": protocol.debrief,
        "undo_counts": protocol.undo_counts,
        "review_percent": f"{100 * protocol.review_share:.1f}".removesuffix(".0"),
        "away_seconds": protocol.away.seconds,
        "away_times": protocol.away.times,
        "effort": protocol.effort.changes,
        **{name: getattr(protocol.tasks, name) for name in _TASKS},
    }


def _initial_of(study: Study) -> dict[str, Any]:
    fields = {name: getattr(study, name) for name in ("name", "open", "rehearsal")}
    return fields | {"pool": study.pool.all(), "edition": study.newest_version.edition}


def _minutes(seconds: int) -> str:
    return f"{seconds / 60:.1f}".removesuffix(".0")


_FIELD_OF_REFUSAL = {
    "name_taken": "name",
    "pool_empty": "pool",
    "soft_limit_after_hard": "soft_minutes",
    "target_not_positive": "people",
    "solvers_not_positive": "solvers",
    "attempt_rule_invalid": "more_than_actions",
    "task_rule_invalid": "most_submissions",
    "consent_text_missing": "consent_text",
    "rehearsal_fixed": "rehearsal",
    "reason_missing": "reason",
    "reason_too_long": "reason",
    "effort_thresholds_malformed": "effort",
    "effort_threshold_unknown": "effort",
    "effort_threshold_invalid": "effort",
    "effort_thresholds_crossed": "effort",
}
