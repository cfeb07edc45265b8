"""Forms of pay: an adjustment, a decision about one, a budget, and a choice of sessions for a batch."""

from typing import Any

from django import forms
from django.http import QueryDict

from playtest.center.pay.models import AdjustmentReason
from playtest.center.pay.services import MOST_TEXT
from playtest.play.forms import amount_field
from playtest.play.models import Study
from playtest.play.models.study import center_currency, held_here


class AdjustmentForm(forms.Form):
    amount = forms.DecimalField()
    reason = forms.ChoiceField(choices=AdjustmentReason)
    text = forms.CharField(
        label="What happened",
        max_length=MOST_TEXT,
        strip=True,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="Stays on record, even after a withdrawal. Write no names, and nothing about play.",
    )

    def __init__(self, currency: str, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self.fields["amount"] = amount_field(
            currency, label=f"Amount ({currency})", help_text="Below zero to deduct, such as -10."
        )


class DecisionForm(forms.Form):
    approve = forms.ChoiceField(choices=[("yes", "Approve"), ("no", "Refuse")])
    text = forms.CharField(max_length=MOST_TEXT, required=False)


class BudgetForm(forms.Form):
    cap = forms.DecimalField()
    warn_percent = forms.IntegerField(
        label="Warn from this percentage on", min_value=1, max_value=100, initial=80
    )
    reason = forms.CharField(max_length=MOST_TEXT, widget=forms.Textarea(attrs={"rows": 2}))

    def __init__(self, currency: str, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self.fields["cap"] = amount_field(
            currency,
            label=f"Budget ({currency})",
            min_value=0,
            max_digits=12,
            required=False,
            help_text="The most that may be owed or expected. Empty: no budget.",
        )


class ChoiceForm(forms.Form):
    """Which sessions a batch is about. Everything is optional: all that is unpaid in the center's currency.

    The page of a slot's pay leads here with its number. Without a study, `currency` chooses among those of
    the studies, where there are several.
    """

    study = forms.ModelChoiceField(
        Study.objects.filter(held_here()).order_by("-created_at"),
        required=False,
        empty_label="All studies",
    )
    since = forms.DateField(
        label="Sessions from", required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    until = forms.DateField(label="until", required=False, widget=forms.DateInput(attrs={"type": "date"}))
    currency = forms.ChoiceField(label="Currency, for all studies", required=False)
    slot = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        used = Study.objects.filter(held_here()).order_by("currency").values_list("currency", flat=True)
        found = sorted({center_currency(), *used.distinct()}, key=lambda one: one != center_currency())
        self.fields["currency"].choices = [(one, one) for one in found]  # type: ignore[attr-defined]
        if len(found) == 1:
            del self.fields["currency"]
