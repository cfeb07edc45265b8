"""Flags, decisions, comments, collections and exports. Nothing here changes the journal."""

from playtest.review.models.assessments import Assessment
from playtest.review.models.comments import Collection, CollectionItem, Comment
from playtest.review.models.decisions import Decision, DecisionKind, Opening
from playtest.review.models.exports import Export, ExportKind
from playtest.review.models.flags import Flag, Strength

__all__ = [
    "Assessment",
    "Collection",
    "CollectionItem",
    "Comment",
    "Decision",
    "DecisionKind",
    "Export",
    "ExportKind",
    "Flag",
    "Opening",
    "Strength",
]
