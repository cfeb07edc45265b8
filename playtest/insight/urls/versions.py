from django.urls import path

from playtest.insight.views import versions as views

urlpatterns = [
    path("staff/environments/<str:code>/versions/", views.versions, name="versions"),
    path(
        "staff/environments/<str:code>/versions/figures/<str:name>.<str:format>",
        views.figure,
        name="versions-figure",
    ),
]
