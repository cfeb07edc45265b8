from django.urls import path

from playtest.review.views import comments as views

urlpatterns = [
    path("staff/attempts/<int:pk>/comments/", views.comments, name="comments"),
    path("staff/comments/<int:pk>/", views.comment, name="comment"),
]
