"""What a test expects to be refused, named by its code."""

import pytest

from playtest.play.errors import Refusal
from playtest.rules.errors import RuleError


def refused(code: str) -> "pytest.RaisesExc[Refusal]":
    """Expects a Refusal with this code."""
    return pytest.raises(Refusal, check=lambda error: error.code == code)


def rule_refused(code: str) -> "pytest.RaisesExc[RuleError]":
    """Expects a RuleError with this code."""
    return pytest.raises(RuleError, check=lambda error: error.code == code)
