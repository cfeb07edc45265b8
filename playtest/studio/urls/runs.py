from django.urls import path

from playtest.studio.views import qualifications

urlpatterns = [
    path("staff/environments/<str:code>/qualify/", qualifications.start, name="qualify"),
    path(
        "staff/environments/<str:code>/qualifications/<int:pk>/",
        qualifications.qualification,
        name="qualification",
    ),
    path(
        "staff/environments/<str:code>/qualifications/<int:pk>/progress.json",
        qualifications.progress,
        name="qualification-progress",
    ),
    path(
        "staff/environments/<str:code>/qualifications/<int:pk>/cancel/",
        qualifications.cancel,
        name="qualification-cancel",
    ),
]
