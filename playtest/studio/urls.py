from django.urls import path

from playtest.studio import views

app_name = "studio"
urlpatterns = [
    path("staff/environments/", views.environments, name="environments"),
]
