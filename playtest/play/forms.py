"""The form of a study: its pool and what its protocol prescribes."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from operator import attrgetter
from typing import Any

from django import forms
from django.db.models import Q
from django.forms import BoundField
from django.http import QueryDict

from playtest.play.models import Study
from playtest.play.models.study import center_currency
from playtest.rules.disclosure import LEAST_GROUP
from playtest.rules.effort.thresholds import thresholds
from playtest.rules.limits import LONGEST_AWAY_SECONDS, MOST_TIMES_AWAY
from playtest.rules.pay import decimals_of, in_units
from playtest.rules.pipeline import WITH_PEOPLE
from playtest.rules.protocol import Protocol, default_in
from playtest.rules.tasks.success import LONGEST_VIEW_SECONDS, MOST_SUBMISSIONS
from playtest.studio.pictures import EnvironmentsField, with_pictures

_REHEARSAL_FIXED = (
    "This is fixed since the first check-in, because it decides whether the results count."
    " Create another study."
)
_MOST_MINUTES = 24 * 60

_PLACES = {
    "soft_minutes": "limits.soft_seconds",
    "hard_minutes": "limits.hard_seconds",
    "session_minutes": "limits.session_seconds",
    "less_than_minutes": "attempt.less_than_seconds",
    "more_than_actions": "attempt.more_than_actions",
    **{name: f"acceptance.{name}" for name in ("people", "solvers")},
    **{name: f"pay.{name}" for name in ("fee", "bonus")},
    **{f"away_{name}": f"away.{name}" for name in ("seconds", "times")},
    **{
        name: f"tasks.{name}"
        for name in ("tries", "most_submissions", "view_seconds", "feedback", "going_back")
    },
    **{name: name for name in ("consent_text", "debrief", "undo_counts", "smallest_group", "large_in_fees")},
}
"""Where the value of a field is in the protocol, of those that are shown as they are, or in minutes."""

_PARTS = (
    ("limits", "Time: {soft_minutes} to {hard_minutes} minutes an environment, {session_minutes} a session",
     "soft_minutes hard_minutes session_minutes away_seconds away_times"),
    ("counts", "What counts: {people} people per environment, more than {more_than_actions} actions",
     "people solvers more_than_actions less_than_minutes undo_counts"),
    ("pay", "Pay: {fee} a session, {bonus} for each environment solved", "fee bonus large_in_fees"),
    ("consent", "Consent text and questions", "consent_text debrief"),
    ("review", "Review: {review_percent} % of unflagged sessions at random",
     "review_percent smallest_group effort"),
    ("tasks", "Static tasks of the pool: {tries} tries per test input",
     "tries most_submissions view_seconds feedback going_back"),
)  # fmt: skip


def amount_field(currency: str, **options: Any) -> forms.DecimalField:
    """A field for an amount in this currency, with as many decimals as it has."""
    decimals = decimals_of(currency)
    return forms.DecimalField(**{"max_digits": 6 + decimals, "decimal_places": decimals, **options})


_MINUTES = (
    ("soft_minutes", "Soft limit (minutes)", "After this time the participant is asked to conclude."),
    ("hard_minutes", "Hard limit (minutes)", "After this time the attempt ends."),
    ("session_minutes", "Session (minutes)", "From check-in to the end of the session."),
    ("less_than_minutes", "Attempt: less than (minutes)",
     "An attempt that takes this long or longer, first frame to last action, does not count."),
)  # fmt: skip
"""Times that people write in minutes and the protocol has in seconds."""

_NUMBERS = (
    ("away_seconds", 0, LONGEST_AWAY_SECONDS, "Connection away: not charged (seconds)",
     "A lost connection stops the clock for at most this long each time. 0: it is charged."),
    ("away_times", 0, MOST_TIMES_AWAY, "Connection away: times",
     "So often in a session; later ones are charged."),
    ("people", 1, 10_000, "People per environment",
     "People whose attempts count or are in progress; an excluded person is replaced."),
    ("solvers", 1, 10_000, "People who must solve it",
     "With fewer solvers, an environment goes back to its developer."),
    ("more_than_actions", 0, 100_000, "Attempt: more actions than",
     "An attempt with this many actions or fewer does not count."),
    ("large_in_fees", 0, 1000, "Large adjustment: times the fee",
     "Who approves an adjustment beyond this gives a reason, too. 0: of every one."),
    ("smallest_group", LEAST_GROUP, None, "People who share what is shown of answers",
     "Answers to the survey are shown and published only where so many people share them."),
    ("tries", 1, MOST_SUBMISSIONS, "Tries per test input", "So many submissions count towards solving it."),
    ("most_submissions", 1, MOST_SUBMISSIONS, "Submissions per test input",
     "As many as the tries, or more: later ones are stored and shown, and never counted."),
    ("view_seconds", 0, LONGEST_VIEW_SECONDS, "View that counts: more than (seconds)",
     "A view of a task that is not longer is no attempt."),
)  # fmt: skip
"""Whole numbers, from the least to the most."""

_TICKS = (
    ("debrief", "Two questions after each environment: how hard it was, and what it was about",
     "Each may be skipped. They are asked in the pause, outside the environment's time."),
    ("undo_counts", "An undo counts as an action of its level",
     "As in the official toolkit. Otherwise counts and baselines of this study leave undo out."),
    ("feedback", "Each submission is answered with right or wrong",
     "A right one then closes its test input. Otherwise nobody learns what was right."),
    ("going_back", "A task can be set aside and taken up again",
     "Its clock stands still meanwhile. Otherwise a task that is left is over."),
    ("open", "Open: sessions can be created", ""),
    ("rehearsal", "Rehearsal: nothing in it counts towards baselines", ""),
)  # fmt: skip


def _table_fields() -> Iterator[tuple[str, forms.Field]]:
    """The fields of these tables, by their names."""
    tenths: dict[str, Any] = {
        "min_value": Decimal("0.1"),
        "max_value": _MOST_MINUTES,
        "decimal_places": 1,
        "step_size": 0.1,
    }
    for name, label, told in _MINUTES:
        yield name, forms.DecimalField(label=label, help_text=told, **tenths)
    for name, least, most, label, told in _NUMBERS:
        yield name, forms.IntegerField(label=label, help_text=told, min_value=least, max_value=most)
    for name, label, told in _TICKS:
        yield name, forms.BooleanField(label=label, help_text=told, required=False)


class StudyForm(forms.Form):
    """A study's settings: its newest protocol version, or the default protocol for a new study."""

    name = forms.CharField(max_length=100)
    pool = EnvironmentsField(
        with_pictures().filter(current__isnull=False),
        label="Environments in the pool",
        error_messages={
            "invalid_choice": "Real people play only what is in External or Done: %(value)s is not."
        },
    )
    fee = forms.DecimalField(label="Fee per session")
    bonus = forms.DecimalField(label="Bonus per environment solved")
    consent_text = forms.CharField(
        widget=forms.Textarea(attrs={"rows": 12}),
        help_text="Shown before anything is recorded; each session stores the version that was agreed to."
        " It is shown as it is written here, whichever language the pages are in: only the usual text is"
        " translated. The same holds for questions of your own.",
    )
    review_percent = forms.DecimalField(
        min_value=0,
        max_value=100,
        decimal_places=1,
        label="Unflagged sessions reviewed at random (percent)",
        help_text="Two reviewers judge each. Which ones is drawn from how a session ended.",
    )
    effort = forms.JSONField(
        required=False,
        label="Effort thresholds that differ from the defaults",
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text='JSON, such as {"no_op_share": 0.7}.',
    )
    reason = forms.CharField(
        required=False,
        label="Reason for changing the protocol or the pool",
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="Required, because sessions follow an earlier version; it is stored for good.",
    )
    edition = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(
        self, data: QueryDict | None = None, *, study: Study | None = None, rehearsal: bool = False
    ) -> None:
        """Offers what real people may play, and what is in the pool; of a `rehearsal`, every environment."""
        self._study = study
        newest = study.newest_version if study else None
        self._protocol = newest.value if newest else default_in(center_currency())
        other = {"open": True, "rehearsal": rehearsal}
        initial = _initial(self._protocol) | (_initial_of(study) if study else other)
        super().__init__(data, initial=initial)
        self.fields |= dict(_table_fields())
        if not (study.rehearsal if study else rehearsal) and "rehearsal" not in (data or ()):
            playable = Q(stage__in=WITH_PEOPLE) | Q(pk__in=study.pool.values("pk") if study else [])
            self.fields["pool"].queryset = self.fields["pool"].queryset.filter(playable)  # type: ignore[attr-defined]
        currency = study.currency if study else center_currency()
        for name in ("fee", "bonus"):
            label = f"{self.fields[name].label} ({currency})"
            self.fields[name] = amount_field(currency, label=label, min_value=0)
            initial[name] = in_units(initial[name], currency)
        if newest is None or (newest.number == 1 and newest.frozen_at is None):
            del self.fields["reason"]
        else:
            self.fields["rehearsal"].disabled = True
            self.fields["rehearsal"].help_text = _REHEARSAL_FIXED

    def parts(self) -> Iterator[tuple[str, str, list[BoundField]]]:
        """What a study prescribes, in parts: a name, a title with what it is now, and the fields."""
        for name, title, names in _PARTS:
            bound = {one: self[one] for one in names.split()}
            now = {one: field.value() for one, field in bound.items()}
            yield name, title.format(**now), [*bound.values()]

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
        parts: defaultdict[str, dict[str, Any]] = defaultdict(dict)
        for name, place in _PLACES.items():
            part, _, attribute = place.rpartition(".")
            known, value = attrgetter(place)(before), values[name]
            if name.endswith("_minutes"):
                value = known if Decimal(_minutes(known)) == value else round(value * 60)
            parts[part][attribute] = value
        whole = parts.pop("")
        return replace(
            before,
            **whole | {"consent_text": whole["consent_text"].replace("\r\n", "\n")},
            **{part: replace(getattr(before, part), **changed) for part, changed in parts.items()},
            review_share=float(values["review_percent"] / 100),
            effort=replace(before.effort, thresholds=thresholds(values["effort"] or {})),
        )


def _initial(protocol: Protocol) -> dict[str, Any]:
    found = {name: attrgetter(place)(protocol) for name, place in _PLACES.items()}
    minutes = {name: _minutes(value) for name, value in found.items() if name.endswith("_minutes")}
    percent = f"{100 * protocol.review_share:.1f}".removesuffix(".0")
    return found | minutes | {"review_percent": percent, "effort": protocol.effort.changes}


def _initial_of(study: Study) -> dict[str, Any]:
    fields = {name: getattr(study, name) for name in ("name", "open", "rehearsal")}
    return fields | {"pool": study.pool.all(), "edition": study.newest_version.edition}


def _minutes(seconds: int) -> str:
    return f"{seconds / 60:.1f}".removesuffix(".0")


_FIELD_OF_REFUSAL = {
    "name_taken": "name",
    "pool_empty": "pool",
    "pool_too_early": "pool",
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
