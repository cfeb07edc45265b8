"""The URLs of all rooms; each room writes its paths in full. `playtest.asgi` answers `/healthz`."""

from django.urls import include, path

urlpatterns = [
    path("", include("playtest.center.urls")),
    path("", include("playtest.play.urls")),
    path("", include("playtest.people.urls")),
    path("", include("playtest.review.urls")),
    path("", include("playtest.studio.urls")),  # before insight: "import" is not an environment's id
    path("", include("playtest.arena.urls")),
    path("", include("playtest.insight.urls")),
    path("", include("playtest.operation.urls")),
    path("", include("playtest.rehearsal.urls")),
]

handler400 = "playtest.people.views.not_understood"
handler403 = "playtest.people.views.forbidden"
handler404 = "playtest.people.views.not_found"
handler500 = "playtest.people.views.went_wrong"
