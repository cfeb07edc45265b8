from django.contrib.auth.views import LogoutView
from django.urls import path

from playtest.people import account_pages, glossary, own_account, search_views, sign_in, views
from playtest.people.access import declares
from playtest.people.roles import Audience

app_name = "people"
urlpatterns = [
    path("staff/", views.home, name="home"),
    path("staff/example/", views.dismiss_example, name="dismiss-example"),
    path("staff/account/", own_account.page, name="own-account"),
    path("staff/account/second-factor/", own_account.factor, name="second-factor"),
    path("staff/accounts/", account_pages.page, name="accounts"),
    path("staff/accounts/<int:pk>/", account_pages.account, name="account"),
    path("staff/accounts/changes/", account_pages.changes, name="account-changes"),
    path(
        "staff/password/<uidb64>/<token>/",
        declares(Audience.ANYONE)(sign_in.SetPassword.as_view()),
        name="set-password",
    ),
    path("staff/roles/", views.roles, name="roles"),
    path("staff/handbook/", views.handbook, name="handbook"),
    path("staff/help/", glossary.page, name="help"),
    path("staff/help/terms.json", glossary.terms, name="terms"),
    path("staff/search/", search_views.page, name="search"),
    path("staff/search.json", search_views.found, name="search-found"),
    path("staff/sign-in/", declares(Audience.ANYONE)(sign_in.SignIn.as_view()), name="sign-in"),
    path("staff/sign-in/code/", sign_in.second_step, name="second-step"),
    path("staff/sign-out/", declares(Audience.ANYONE)(LogoutView.as_view()), name="sign-out"),
]
