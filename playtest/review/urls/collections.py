from django.urls import path

from playtest.review.views import collections as views

urlpatterns = [
    path("staff/collections/", views.collections, name="collections"),
    path("staff/collections/choices.json", views.choices, name="collection-choices"),
    path("staff/collections/<int:pk>/", views.collection, name="collection"),
    path("staff/collections/items/<int:pk>/", views.item, name="collection-item"),
    path("staff/attempts/<int:pk>/collect/", views.collect, name="collect"),
]
