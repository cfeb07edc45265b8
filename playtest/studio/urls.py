"""Addresses of the studio."""

from django.urls import path

from playtest.studio.views import (
    cards,
    environments,
    explorations,
    imports,
    masks,
    qualifications,
    random_plays,
    recordings,
    tasks,
    uploads,
)

_CARD = "staff/cards/<str:code>"
_UPLOAD = "staff/uploads/<int:pk>"
_UPLOAD_JOB = "staff/uploads/jobs/<int:pk>"
_IMPORT = "staff/environments/imports/<int:pk>"
_ENVIRONMENT = "staff/environments/<str:code>"
_RECORDING = f"{_ENVIRONMENT}/recordings/<int:pk>"
_QUALIFICATION = f"{_ENVIRONMENT}/qualifications/<int:pk>"
_GRAPH = f"{_ENVIRONMENT}/graphs/<int:pk>"
_RANDOM_PLAY = f"{_ENVIRONMENT}/random-play/<int:number>"
app_name = "studio"
urlpatterns = [
    path("staff/cards/", cards.cards, name="cards"),
    path("staff/cards/new/", cards.new, name="card-new"),
    path(f"{_CARD}/", cards.card, name="card"),
    path(f"{_CARD}/edit/", cards.edit, name="card-edit"),
    path(f"{_CARD}/files.zip", cards.starting_files, name="card-file"),
    path(f"{_CARD}/save/", cards.save, name="card-save"),
    path(f"{_CARD}/sign/", cards.sign, name="card-sign"),
    path(f"{_CARD}/withdraw/", cards.withdraw, name="card-withdraw"),
    path(f"{_CARD}/comment/", cards.comment, name="card-comment"),
    path(f"{_CARD}/begin/", cards.new_of_environment, name="card-begin"),
    path("staff/uploads/", uploads.uploads, name="uploads"),
    path("staff/uploads/new/", uploads.new, name="upload-new"),
    path(f"{_UPLOAD_JOB}/", uploads.job, name="upload-job"),
    path(f"{_UPLOAD_JOB}/cancel/", uploads.cancel, name="upload-job-cancel"),
    path(f"{_UPLOAD}/", uploads.upload, name="upload"),
    path(f"{_UPLOAD}/source.py", uploads.source, name="upload-source"),
    path(f"{_UPLOAD}/approve/", uploads.approve, name="upload-approve"),
    path(f"{_UPLOAD}/decline/", uploads.decline, name="upload-decline"),
    path(f"{_UPLOAD}/withdraw/", uploads.withdraw, name="upload-withdraw"),
    path("staff/environments/import/", imports.import_page, name="import"),
    path("staff/environments/import/shipped/", imports.load_shipped, name="load-shipped"),
    path(f"{_IMPORT}/", imports.import_job, name="import-job"),
    path(f"{_IMPORT}/cancel/", imports.cancel, name="import-job-cancel"),
    path(f"{_IMPORT}/confirm/", imports.confirm, name="import-job-confirm"),
    path(f"{_ENVIRONMENT}/studio/", environments.environment, name="environment"),
    path(f"{_ENVIRONMENT}/studio/now/", environments.now, name="environment-now"),
    path(f"{_ENVIRONMENT}/studio/solutions/", tasks.solutions, name="solutions"),
    path(f"{_ENVIRONMENT}/studio/waive/", environments.waive, name="waive"),
    path(f"{_ENVIRONMENT}/studio/draft/", environments.draft, name="draft"),
    path(f"{_ENVIRONMENT}/studio/edit/", environments.edit, name="edit"),
    path(f"{_ENVIRONMENT}/versions/<int:pk>/files.zip", environments.version_files, name="version-files"),
    path(f"{_ENVIRONMENT}/studio/masked-cells/", masks.mask, name="mask"),
    path(f"{_ENVIRONMENT}/studio/masked-cells/decide/", masks.decide, name="mask-decide"),
    path(f"{_RECORDING}/change/", recordings.change, name="recording-change"),
    path(f"{_RECORDING}/retype/", recordings.retype, name="recording-retype"),
    path(f"{_RECORDING}/remove/", recordings.remove, name="recording-remove"),
    path(f"{_ENVIRONMENT}/qualify/", qualifications.start, name="qualify"),
    path(f"{_QUALIFICATION}/", qualifications.qualification, name="qualification"),
    path(f"{_QUALIFICATION}/cancel/", qualifications.cancel, name="qualification-cancel"),
    path(f"{_QUALIFICATION}/repeat/", qualifications.repeat, name="qualification-repeat"),
    path(f"{_ENVIRONMENT}/explore/", explorations.start, name="explore"),
    path(f"{_GRAPH}/", explorations.exploration, name="exploration"),
    path(f"{_GRAPH}/graph.json", explorations.graph, name="exploration-graph"),
    path(f"{_GRAPH}/cancel/", explorations.cancel, name="exploration-cancel"),
    path(f"{_ENVIRONMENT}/gather/", random_plays.gather, name="gather"),
    path(f"{_RANDOM_PLAY}/", random_plays.random_play, name="random-play"),
    path(f"{_RANDOM_PLAY}/start/", random_plays.start, name="random-play-start"),
    path(f"{_RANDOM_PLAY}/cancel/", random_plays.cancel, name="random-play-cancel"),
]
