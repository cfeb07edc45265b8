from django.urls import path

from playtest.review.views import verification as views

urlpatterns = [path("staff/attempts/<int:pk>/check/", views.check, name="check")]
