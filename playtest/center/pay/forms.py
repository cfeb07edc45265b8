"""Forms of pay: an adjustment, a decision about one, a budget, and a choice of sessions for a batch."""

from django import forms

from playtest.center.pay.models import AdjustmentReason
from playtest.center.pay.services import MOST_TEXT
from playtest.play.models import Study
from playtest.play.models.study import held_here


class AdjustmentForm(forms.Form):
    amount = forms.DecimalField(
        label="Amount",
        decimal_places=2,
        max_digits=8,
        help_text="Below zero to deduct, such as -10.00.",
    )
    reason = forms.ChoiceField(choices=AdjustmentReason)
    text = forms.CharField(
        label="What happened",
        max_length=MOST_TEXT,
        strip=True,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="Stays on record, even after a withdrawal. Write no names, and nothing about play.",
    )


class DecisionForm(forms.Form):
    approve = forms.ChoiceField(choices=[("yes", "Approve"), ("no", "Refuse")])
    text = forms.CharField(max_length=MOST_TEXT, required=False)


class BudgetForm(forms.Form):
    cap = forms.DecimalField(
        label="Budget",
        decimal_places=2,
        max_digits=12,
        min_value=0,
        required=False,
        help_text="The most that may be owed or expected. Empty: no budget.",
    )
    warn_percent = forms.IntegerField(
        label="Warn from this percentage on", min_value=1, max_value=100, initial=80
    )
    reason = forms.CharField(max_length=MOST_TEXT, widget=forms.Textarea(attrs={"rows": 2}))


class ChoiceForm(forms.Form):
    """Which sessions a batch is about. Everything is optional: all that is unpaid."""

    study = forms.ModelChoiceField(
        Study.objects.filter(held_here()).order_by("-created_at"),
        required=False,
        empty_label="All studies",
    )
    since = forms.DateField(
        label="Sessions from", required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    until = forms.DateField(label="until", required=False, widget=forms.DateInput(attrs={"type": "date"}))
