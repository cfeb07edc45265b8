"""The form of a plan: assumptions as people write them, with shares in percent."""

from typing import Any

from django import forms

from playtest.play.models import Study
from playtest.rules.errors import RuleError
from playtest.rules.planning import BOUNDS, MOST_LEVELS, Assumptions

PERCENT = {"success", "counting", "correlation", "difference_spread", "power", "reach", "half", "difference"}
"""Fields in percent; in the rules they are shares of 1."""


def _whole(name: str, label: str, help_text: str = "") -> forms.IntegerField:
    low, high = BOUNDS[name]
    return forms.IntegerField(min_value=int(low), max_value=int(high), label=label, help_text=help_text)


def _number(name: str, label: str, help_text: str = "") -> forms.FloatField:
    scale = 100 if name in PERCENT else 1
    low, high = (scale * bound for bound in BOUNDS[name])
    widget = forms.NumberInput(attrs={"step": "any"})
    return forms.FloatField(min_value=low, max_value=high, label=label, help_text=help_text, widget=widget)


class PlanForm(forms.Form):
    """Raises nothing: errors are at their fields, with codes."""

    environments = _whole("environments", "Environments")
    people = _whole("people", "People on each environment", "Whose attempts count.")
    a_sitting = _whole("a_sitting", "Environments a sitting")
    sittings_each = _whole("sittings_each", "Sittings of one person")
    counting = _number("counting", "Attempts that count, %", "Neither too short nor excluded.")
    spread = _number(
        "spread",
        "Spread of actions, a factor",
        "Two thirds of people need the median actions divided by this, up to multiplied by it.",
    )
    completing = forms.CharField(
        max_length=200,
        label="People who complete each level, %",
        help_text="From the first level to the last, with commas between them.",
    )
    success = _number("success", "Success of people, %", "Attempts that solve their environment.")
    correlation = _number(
        "correlation", "Correlation of one person's results, %", "0 if who solves one is no better at others."
    )
    runs = _whole("runs", "Runs of the agent on each environment")
    difference_spread = _number(
        "difference_spread",
        "Spread of differences, percentage points",
        "Standard deviation over environments of the true difference between agent and people.",
    )
    reach = _number("reach", "Baselines within, ± %", "No end of an interval farther from the baseline.")
    half = _number("half", "Success of an environment within, ± percentage points")
    difference = _number("difference", "Difference to an agent, percentage points")
    power = _number("power", "Power, %", "The chance to find that difference.")

    def clean_completing(self) -> tuple[float, ...]:
        """The shares (0..1) by level."""
        try:
            found = tuple(float(part) / 100 for part in self.cleaned_data["completing"].split(","))
        except ValueError:
            found = ()
        if not 1 <= len(found) <= MOST_LEVELS or not all(0 <= one <= 1 for one in found):
            message = f"Give 1 to {MOST_LEVELS} percentages with commas between them, such as 95, 80, 60."
            raise forms.ValidationError(message, code="plan_levels_unusable")
        return found

    def assumptions(self, study: Study) -> Assumptions:
        """Of a valid form, with pay and sitting of the study's protocol. Raises RuleError."""
        values: dict[str, Any] = {
            name: value / 100 if name in PERCENT else value for name, value in self.cleaned_data.items()
        }
        protocol = study.protocol
        return Assumptions(**values, pay=protocol.pay, sitting_seconds=protocol.limits.session_seconds)

    @property
    def first_error(self) -> RuleError:
        """Of an invalid form: its first error, which names its field."""
        (name, errors), *_ = self.errors.as_data().items()
        message = f"{self.fields[name].label}: {errors[0].messages[0]}"
        return RuleError(str(errors[0].code or "invalid"), message)
