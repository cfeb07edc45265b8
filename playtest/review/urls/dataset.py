from django.urls import path

from playtest.review.views import dataset as views

urlpatterns = [path("staff/data/", views.data, name="data")]
