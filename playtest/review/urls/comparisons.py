from django.urls import path

from playtest.review.views import comparisons as views

urlpatterns = [
    path("staff/attempts/<int:pk>/others.json", views.others, name="others"),
    path("staff/attempts/<int:pk>/winning.json", views.winning, name="winning"),
]
