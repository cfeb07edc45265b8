from django.urls import path

from playtest.studio.views import environments as views
from playtest.studio.views import imports, recordings

urlpatterns = [
    path("staff/environments/import/", imports.import_page, name="import"),
    path("staff/environments/imports/<int:pk>/", imports.upload, name="upload"),
    path("staff/environments/imports/<int:pk>/progress.json", imports.progress, name="upload-progress"),
    path("staff/environments/imports/<int:pk>/cancel/", imports.cancel, name="upload-cancel"),
    path("staff/environments/<str:code>/studio/", views.environment, name="environment"),
    path("staff/environments/<str:code>/studio/now/", views.now, name="environment-now"),
    path("staff/environments/<str:code>/studio/edit/", views.edit, name="edit"),
    path(
        "staff/environments/<str:code>/recordings/<int:pk>/change/",
        recordings.change,
        name="recording-change",
    ),
    path(
        "staff/environments/<str:code>/recordings/<int:pk>/retype/",
        recordings.retype,
        name="recording-retype",
    ),
    path(
        "staff/environments/<str:code>/recordings/<int:pk>/remove/",
        recordings.remove,
        name="recording-remove",
    ),
]
