from django.urls import path

from playtest.review.views import stored as views

urlpatterns = [
    path("staff/recordings/<int:pk>/", views.stored, name="stored"),
    path("staff/recordings/<int:pk>/journal.json", views.journal, name="stored-journal"),
]
