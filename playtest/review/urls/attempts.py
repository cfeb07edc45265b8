from django.urls import path

from playtest.review.views import attempts as views

urlpatterns = [
    path("staff/attempts/", views.attempts, name="attempts"),
    path("staff/attempts/<int:pk>/", views.attempt, name="attempt"),
    path("staff/attempts/<int:pk>/journal.json", views.journal, name="journal"),
    path("staff/attempts/<int:pk>/recording.jsonl", views.recording, name="recording"),
    path("staff/attempts/<int:pk>/acknowledge/", views.acknowledge, name="acknowledge"),
]
