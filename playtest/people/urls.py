from django.contrib.auth.views import LogoutView
from django.urls import path

from playtest.people import glossary, search_views, views
from playtest.people.access import declares
from playtest.people.roles import Audience

app_name = "people"
urlpatterns = [
    path("staff/", views.home, name="home"),
    path("staff/roles/", views.roles, name="roles"),
    path("staff/handbook/", views.handbook, name="handbook"),
    path("staff/help/", glossary.page, name="help"),
    path("staff/help/terms.json", glossary.terms, name="terms"),
    path("staff/search/", search_views.page, name="search"),
    path("staff/search.json", search_views.found, name="search-found"),
    path("staff/sign-in/", declares(Audience.ANYONE)(views.SignIn.as_view()), name="sign-in"),
    path("staff/sign-out/", declares(Audience.ANYONE)(LogoutView.as_view()), name="sign-out"),
]
