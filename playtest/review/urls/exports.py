from django.urls import path

from playtest.review.views import exports as views

urlpatterns = [
    path("staff/attempts/<int:pk>/exports/", views.attempt_exports, name="attempt-exports"),
    path("staff/attempts/<int:pk>/moment.png", views.picture, name="picture"),
    path("staff/exports/", views.exports, name="exports"),
    path("staff/exports/<int:pk>/file/", views.download, name="export-file"),
    path("staff/exports/<int:pk>/cancel/", views.cancel, name="export-cancel"),
]
