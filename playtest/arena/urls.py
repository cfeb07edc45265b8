from django.urls import path

from playtest.arena.views import exposure, keys, runs

_KEY = "staff/arena/keys/<int:pk>"

app_name = "arena"
urlpatterns = [
    path("staff/attempts/<int:pk>/notes.json", runs.notes, name="run-notes"),
    path("staff/arena/keys/", keys.keys, name="keys"),
    path("staff/arena/keys/new/", keys.create, name="key-new"),
    path(f"{_KEY}/", keys.key, name="key"),
    path(f"{_KEY}/change/", keys.change, name="key-change"),
    path(f"{_KEY}/revoke/", keys.revoke, name="key-revoke"),
    path("staff/arena/exposure/", exposure.exposure, name="exposure"),
    path("staff/arena/exposure/scores.csv", exposure.scores_file, name="exposure-scores"),
    path("staff/arena/exposure/keys.csv", exposure.keys_file, name="exposure-keys"),
]
