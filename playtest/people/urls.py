from django.contrib.auth.views import LogoutView
from django.urls import path

from playtest.people import help_views, home_views, search_views, views
from playtest.people.access import declares
from playtest.people.roles import Audience

app_name = "people"
urlpatterns = [
    path("staff/", home_views.home, name="home"),
    path("staff/roles/", views.roles, name="roles"),
    path("staff/handbook/", views.handbook, name="handbook"),
    path("staff/help/", help_views.page, name="help"),
    path("staff/help/terms.json", help_views.terms, name="terms"),
    path("staff/search/", search_views.page, name="search"),
    path("staff/search.json", search_views.found, name="search-found"),
    path("staff/sign-in/", declares(Audience.ANYONE)(views.SignIn.as_view()), name="sign-in"),
    path("staff/sign-out/", declares(Audience.ANYONE)(LogoutView.as_view()), name="sign-out"),
]
