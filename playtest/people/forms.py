"""The sign-in form."""

from typing import Any

from django.contrib.auth.forms import AuthenticationForm


class SignInForm(AuthenticationForm):
    """Django's own check of name and password, with an error that says what to do."""

    error_messages = {
        "invalid_login": "This name and password do not match. Both are case-sensitive; try again.",
        "inactive": "This account is switched off. Ask the lead.",
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = "Name"
