from django.urls import path

from playtest.review.views import withdrawal as views

urlpatterns = [path("staff/withdrawal/", views.withdrawal, name="withdrawal")]
