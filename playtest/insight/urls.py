from django.urls import path

from playtest.insight import views

app_name = "insight"
urlpatterns = [
    path("staff/environments/<str:code>/baseline/", views.baseline, name="baseline"),
]
