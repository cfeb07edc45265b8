from django.urls import path

from playtest.arena.pages import boards, cards, environment, exposure, keys, replay, submissions

_KEY = "staff/arena/keys/<int:pk>"
_ENVIRONMENT = "staff/arena/environments/<str:code>"
_FIGURE = "figures/<str:name>.<str:format>"

app_name = "arena"
urlpatterns = [
    path("staff/attempts/<int:pk>/notes.json", replay.notes, name="run-notes"),
    path("staff/arena/keys/", keys.keys, name="keys"),
    path("staff/arena/keys/new/", keys.create, name="key-new"),
    path(f"{_KEY}/", keys.key, name="key"),
    path(f"{_KEY}/change/", keys.change, name="key-change"),
    path(f"{_KEY}/revoke/", keys.revoke, name="key-revoke"),
    path("staff/arena/exposure/", exposure.exposure, name="exposure"),
    path("staff/arena/exposure/scores.csv", exposure.scores_file, name="exposure-scores"),
    path("staff/arena/exposure/keys.csv", exposure.keys_file, name="exposure-keys"),
    path("staff/arena/exposure/accounts.csv", exposure.accounts_file, name="exposure-accounts"),
    path("staff/arena/cards/", cards.cards, name="cards"),
    path("staff/arena/cards/<uuid:card_id>/", cards.card, name="card"),
    path("staff/arena/cards/<uuid:card_id>/enter/", boards.enter, name="enter"),
    path("staff/arena/cards/<uuid:card_id>/notes/", cards.note, name="card-note"),
    path("staff/arena/cards/<uuid:card_id>/export/", cards.export_card, name="export-card"),
    path("staff/arena/exports/", cards.exports, name="exports"),
    path("staff/arena/exports/<int:pk>/file/", cards.export_file, name="export-file"),
    path("staff/arena/development/", cards.development, name="development"),
    path("staff/arena/boards/", boards.boards, name="boards"),
    path(f"staff/arena/boards/{_FIGURE}", boards.figure, name="boards-figure"),
    path("staff/arena/boards/tasks/", submissions.board, name="task-board"),
    path(f"staff/arena/boards/tasks/{_FIGURE}", submissions.figure, name="task-board-figure"),
    path("staff/arena/submissions/new/", submissions.new, name="submission-new"),
    path("staff/arena/submissions/<int:pk>/", submissions.submission, name="submission"),
    path(
        "staff/arena/submissions/<int:pk>/tasks.<str:format>", submissions.tasks_file, name="submission-file"
    ),
    path("staff/arena/submissions/<int:pk>/remove/", submissions.remove, name="submission-remove"),
    path("staff/arena/boards/harnesses/", boards.adopt_harness, name="harness-new"),
    path("staff/arena/boards/entries/<int:pk>/declare/", boards.declare, name="entry-declare"),
    path("staff/arena/boards/entries/<int:pk>/remove/", boards.remove, name="entry-remove"),
    path(f"{_ENVIRONMENT}/", environment.environment, name="environment"),
    path(f"{_ENVIRONMENT}/export/", cards.export_environment, name="export-environment"),
    path(f"{_ENVIRONMENT}/{_FIGURE}", environment.figure, name="environment-figure"),
]
