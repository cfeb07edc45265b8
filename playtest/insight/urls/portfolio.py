from django.urls import path

from playtest.insight.views import portfolio

urlpatterns = [
    path("staff/environments/", portfolio.portfolio, name="portfolio"),
    path("staff/environments.csv", portfolio.file, name="portfolio-file"),
]
