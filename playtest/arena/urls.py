from django.urls import path

from playtest.arena.pages import (
    boards,
    cards,
    dropped,
    environment,
    exposure,
    keys,
    owners,
    replay,
    submissions,
)

_KEY, _CARD = "staff/arena/keys/<int:pk>", "staff/arena/cards/<uuid:card_id>"
_DROPPED = "staff/arena/recordings/<uuid:dropped_id>"
_ANSWERS = "staff/arena/submissions/<int:pk>"
_ENVIRONMENT = "staff/arena/environments/<str:code>"
_OWN, _SHARED = "scorecards/<uuid:card_id>", "scorecards/shared/<str:link>"
_PLAY = "replays/<uuid:guid>/<int:number>"
_FIGURE = "figures/<str:name>.<str:format>"

app_name = "arena"
urlpatterns = [
    path("scorecards/", owners.cards, name="own-cards"),
    path("scorecards/key", owners.enter, name="own-key"),
    path("scorecards/key/leave", owners.leave, name="own-key-leave"),
    path("scorecards/compare", owners.compare, name="own-compare"),
    path(_OWN, owners.card, name="own-card"),  # as harnesses print it, without a slash at its end
    path(f"{_OWN}/change", owners.change, name="own-card-change"),
    path(f"{_OWN}/{_PLAY}", owners.replay, name="own-replay"),
    path(f"{_OWN}/{_PLAY}/journal.json", owners.journal, name="own-journal"),
    path(f"{_OWN}/{_PLAY}/notes.json", owners.notes, name="own-notes"),
    path(_SHARED, owners.card, name="shared-card"),
    path(f"{_SHARED}/{_PLAY}", owners.replay, name="shared-replay"),
    path(f"{_SHARED}/{_PLAY}/journal.json", owners.journal, name="shared-journal"),
    path(f"{_SHARED}/{_PLAY}/notes.json", owners.notes, name="shared-notes"),
    path("staff/attempts/<int:pk>/notes.json", replay.notes, name="run-notes"),
    path("staff/arena/keys/", keys.keys, name="keys"),
    path("staff/arena/keys/new/", keys.create, name="key-new"),
    path("staff/arena/keys/sets/", keys.fill, name="keys-sets"),
    path(f"{_KEY}/", keys.key, name="key"),
    path(f"{_KEY}/change/", keys.change, name="key-change"),
    path(f"{_KEY}/revoke/", keys.revoke, name="key-revoke"),
    path("staff/arena/exposure/", exposure.exposure, name="exposure"),
    path("staff/arena/exposure/scores.csv", exposure.scores_file, name="exposure-scores"),
    path("staff/arena/exposure/keys.csv", exposure.keys_file, name="exposure-keys"),
    path("staff/arena/exposure/accounts.csv", exposure.accounts_file, name="exposure-accounts"),
    path("staff/arena/cards/", cards.cards, name="cards"),
    path(f"{_CARD}/", cards.card, name="card"),
    path(f"{_CARD}/enter/", boards.enter, name="enter"),
    path(f"{_CARD}/notes/", cards.note, name="card-note"),
    path(f"{_CARD}/draw/", keys.draw_parts, name="holdout-draw"),
    path(f"{_CARD}/final/", keys.read_final, name="holdout-final"),
    path(f"{_CARD}/export/", cards.export_card, name="export-card"),
    path("staff/arena/recordings/", dropped.drop, name="drop"),
    path(f"{_DROPPED}/", dropped.dropped, name="dropped"),
    path(f"{_DROPPED}/journal.json", dropped.dropped_journal, name="dropped-journal"),
    path(f"{_DROPPED}/remove/", dropped.dropped_remove, name="dropped-remove"),
    path("staff/arena/exports/", cards.exports, name="exports"),
    path("staff/arena/exports/<int:pk>/file/", cards.export_file, name="export-file"),
    path("staff/arena/development/", cards.development, name="development"),
    path("staff/arena/boards/agents/", cards.reference_agents, name="reference-agents"),
    path("staff/arena/boards/", boards.boards, name="boards"),
    path(f"staff/arena/boards/{_FIGURE}", boards.figure, name="boards-figure"),
    path("staff/arena/boards/tasks/", submissions.board, name="task-board"),
    path(f"staff/arena/boards/tasks/{_FIGURE}", submissions.figure, name="task-board-figure"),
    path("staff/arena/submissions/new/", submissions.new, name="submission-new"),
    path(f"{_ANSWERS}/", submissions.submission, name="submission"),
    path(f"{_ANSWERS}/tasks.<str:format>", submissions.tasks_file, name="submission-file"),
    path(f"{_ANSWERS}/remove/", submissions.remove, name="submission-remove"),
    path("staff/arena/boards/harnesses/", boards.adopt_harness, name="harness-new"),
    path("staff/arena/boards/entries/<int:pk>/declare/", boards.declare, name="entry-declare"),
    path("staff/arena/boards/entries/<int:pk>/remove/", boards.remove, name="entry-remove"),
    path(f"{_ENVIRONMENT}/", environment.environment, name="environment"),
    path(f"{_ENVIRONMENT}/export/", cards.export_environment, name="export-environment"),
    path(f"{_ENVIRONMENT}/{_FIGURE}", environment.figure, name="environment-figure"),
]
