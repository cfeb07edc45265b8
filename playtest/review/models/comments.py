"""Comments at a moment of a replay, and collections of replays."""

from django.conf import settings
from django.db import models

from playtest.play.models import Attempt


class Comment(models.Model):
    """A comment at a moment: after action `seq`, `seconds` after the first frame. Tags are short words."""

    attempt = models.ForeignKey(Attempt, on_delete=models.PROTECT, related_name="comments")
    seq = models.PositiveIntegerField()
    seconds = models.FloatField()
    text = models.TextField(blank=True)
    tags = models.JSONField(default=list)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()
    changed_at = models.DateTimeField(null=True)


class Collection(models.Model):
    """A list of replays to watch one after another."""

    name = models.CharField(max_length=100, unique=True)
    note = models.TextField(blank=True)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()


class CollectionItem(models.Model):
    """One replay of a collection, opened at action `seq`."""

    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="items")
    attempt = models.ForeignKey(Attempt, on_delete=models.PROTECT, related_name="collection_items")
    position = models.PositiveIntegerField()
    seq = models.PositiveIntegerField(default=0)
    note = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["position", "pk"]
