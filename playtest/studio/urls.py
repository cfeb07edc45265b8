"""Addresses of the studio."""

from django.urls import path

from playtest.studio.views import (
    card_editor,
    cards,
    environments,
    explorations,
    imports,
    qualifications,
    random_plays,
    recordings,
    tasks,
    uploads,
)

app_name = "studio"
urlpatterns = [
    path("staff/cards/", cards.cards, name="cards"),
    path("staff/cards/new/", cards.new, name="card-new"),
    path("staff/cards/<str:code>/", cards.card, name="card"),
    path("staff/cards/<str:code>/edit/", card_editor.edit, name="card-edit"),
    path("staff/cards/<str:code>/save/", card_editor.save, name="card-save"),
    path("staff/cards/<str:code>/sign/", cards.sign, name="card-sign"),
    path("staff/cards/<str:code>/withdraw/", cards.withdraw, name="card-withdraw"),
    path("staff/cards/<str:code>/comment/", cards.comment, name="card-comment"),
    path("staff/cards/<str:code>/begin/", cards.new_of_environment, name="card-begin"),
    path("staff/cards/<str:code>/waive/", cards.waive, name="card-waive"),
    path("staff/uploads/", uploads.uploads, name="uploads"),
    path("staff/uploads/new/", uploads.new, name="upload-new"),
    path("staff/uploads/jobs/<int:pk>/", uploads.job, name="upload-job"),
    path("staff/uploads/jobs/<int:pk>/progress.json", uploads.progress, name="upload-job-progress"),
    path("staff/uploads/jobs/<int:pk>/cancel/", uploads.cancel, name="upload-job-cancel"),
    path("staff/uploads/<int:pk>/", uploads.upload, name="upload"),
    path("staff/uploads/<int:pk>/source.py", uploads.source, name="upload-source"),
    path("staff/uploads/<int:pk>/approve/", uploads.approve, name="upload-approve"),
    path("staff/uploads/<int:pk>/decline/", uploads.decline, name="upload-decline"),
    path("staff/uploads/<int:pk>/withdraw/", uploads.withdraw, name="upload-withdraw"),
    path("staff/environments/import/", imports.import_page, name="import"),
    path("staff/environments/import/shipped/", imports.load_shipped, name="load-shipped"),
    path("staff/environments/imports/<int:pk>/", imports.import_job, name="import-job"),
    path("staff/environments/imports/<int:pk>/progress.json", imports.progress, name="import-job-progress"),
    path("staff/environments/imports/<int:pk>/cancel/", imports.cancel, name="import-job-cancel"),
    path("staff/environments/<str:code>/studio/", environments.environment, name="environment"),
    path("staff/environments/<str:code>/studio/now/", environments.now, name="environment-now"),
    path("staff/environments/<str:code>/studio/solutions/", tasks.solutions, name="solutions"),
    path("staff/environments/<str:code>/studio/edit/", environments.edit, name="edit"),
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
    path(
        "staff/environments/<str:code>/qualifications/<int:pk>/repeat/",
        qualifications.repeat,
        name="qualification-repeat",
    ),
    path("staff/environments/<str:code>/explore/", explorations.start, name="explore"),
    path("staff/environments/<str:code>/graphs/<int:pk>/", explorations.exploration, name="exploration"),
    path(
        "staff/environments/<str:code>/graphs/<int:pk>/progress.json",
        explorations.progress,
        name="exploration-progress",
    ),
    path(
        "staff/environments/<str:code>/graphs/<int:pk>/graph.json",
        explorations.graph,
        name="exploration-graph",
    ),
    path(
        "staff/environments/<str:code>/graphs/<int:pk>/cancel/",
        explorations.cancel,
        name="exploration-cancel",
    ),
    path("staff/environments/<str:code>/gather/", random_plays.gather, name="gather"),
    path(
        "staff/environments/<str:code>/random-play/<int:number>/",
        random_plays.random_play,
        name="random-play",
    ),
    path(
        "staff/environments/<str:code>/random-play/<int:number>/progress.json",
        random_plays.progress,
        name="random-play-progress",
    ),
    path(
        "staff/environments/<str:code>/random-play/<int:number>/start/",
        random_plays.start,
        name="random-play-start",
    ),
    path(
        "staff/environments/<str:code>/random-play/<int:number>/cancel/",
        random_plays.cancel,
        name="random-play-cancel",
    ),
]
