from django.urls import path

from playtest.insight.views import releases

urlpatterns = [
    path("staff/environments/<str:code>/releases/", releases.new_release, name="release-new"),
    path("staff/environments/<str:code>/releases/<int:number>/", releases.release, name="release"),
    path(
        "staff/environments/<str:code>/releases/<int:number>/inputs.csv",
        releases.release_inputs,
        name="release-inputs",
    ),
]
