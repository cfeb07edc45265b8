from django.contrib.auth.views import LogoutView
from django.urls import path

from playtest.people import views

app_name = "people"
urlpatterns = [
    path("staff/", views.home, name="home"),
    path("staff/sign-in/", views.SignIn.as_view(), name="sign-in"),
    path("staff/sign-out/", LogoutView.as_view(), name="sign-out"),
]
