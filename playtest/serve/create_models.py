"""A migration operation that creates all models of a room at once."""

from collections.abc import Iterable
from typing import Any

from django.db.migrations.operations.base import Operation, OperationCategory
from django.db.migrations.operations.models import CreateModel


class CreateModels(Operation):
    """As each of these `CreateModel` operations, but in one step.

    Django renders every model that is related to a new one again after each operation, directly or not. Here
    nearly all are related, so a new database took ten seconds; rendered once for each room, it takes one.
    """

    category = OperationCategory.ADDITION

    def __init__(self, models: Iterable[CreateModel]) -> None:
        self.models = tuple(models)

    def state_forwards(self, app_label: str, state: Any) -> None:
        state.clear_delayed_apps_cache()
        state.__dict__.pop("apps", None)  # rendered again when it is asked for next, with all new models
        for model in self.models:
            model.state_forwards(app_label, state)

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        for model in self.models:
            model.database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        for model in reversed(self.models):
            model.database_backwards(app_label, schema_editor, from_state, to_state)

    def describe(self) -> str:
        return f"Create {len(self.models)} models"
