"""Addresses of the review room."""

from datetime import date

from django.urls import path, register_converter

from playtest.review.views import attempts, collections, dataset, exports, queue, read_tokens, recordings


class DateConverter:
    """A day in an address, as 2026-11-22."""

    regex = "[0-9]{4}-[0-9]{2}-[0-9]{2}"

    def to_python(self, value: str) -> date:
        return date.fromisoformat(value)

    def to_url(self, value: date | str) -> str:
        return str(value)


register_converter(DateConverter, "date")

app_name = "review"
urlpatterns = [
    path("staff/attempts/", attempts.attempts, name="attempts"),
    path("staff/attempts/<int:pk>/", attempts.attempt, name="attempt"),
    path("staff/attempts/<int:pk>/acknowledge/", attempts.acknowledge, name="acknowledge"),
    path("staff/attempts/<int:pk>/check/", attempts.check, name="check"),
    path("staff/attempts/<int:pk>/collect/", collections.collect, name="collect"),
    path("staff/attempts/<int:pk>/comments/", collections.comments, name="comments"),
    path("staff/attempts/<int:pk>/end.json", attempts.end, name="end"),
    path("staff/attempts/<int:pk>/exports/", exports.attempt_exports, name="attempt-exports"),
    path("staff/attempts/<int:pk>/keep/", attempts.keep, name="keep"),
    path("staff/attempts/<int:pk>/journal.json", attempts.journal, name="journal"),
    path("staff/attempts/<int:pk>/moment.png", exports.picture, name="picture"),
    path("staff/attempts/<int:pk>/others.json", recordings.others, name="others"),
    path("staff/attempts/<int:pk>/recording.jsonl", attempts.recording, name="recording"),
    path("staff/attempts/<int:pk>/solution.json", attempts.solution, name="solution"),
    path("staff/attempts/<int:pk>/winning.json", recordings.winning, name="winning"),
    path("staff/attempts/<int:pk>/reverse-void/", attempts.reverse_void, name="reverse-void"),
    path("staff/collections/", collections.collections, name="collections"),
    path("staff/collections/choices.json", collections.choices, name="collection-choices"),
    path("staff/collections/<int:pk>/", collections.collection, name="collection"),
    path("staff/collections/items/<int:pk>/", collections.item, name="collection-item"),
    path("staff/comments/<int:pk>/", collections.comment, name="comment"),
    path("staff/data/", dataset.data, name="data"),
    path("staff/data/days/", dataset.signed_days, name="signed-days"),
    path("staff/data/days/<date:day>/", dataset.signed_day, name="signed-day"),
    path("staff/data/days/signed_days.json", dataset.signed_days_file, name="signed-days-file"),
    path("staff/data/opening/", read_tokens.opening, name="data-opening"),
    path("staff/data/tokens/", read_tokens.read_tokens, name="read-tokens"),
    path("staff/data/tokens/<int:pk>/revoke/", read_tokens.revoke, name="read-token-revoke"),
    path("api/data/<int:pk>/<slug:name>.<slug:form>", read_tokens.data_table, name="data-table"),
    path("staff/exports/", exports.exports, name="exports"),
    path("staff/exports/<int:pk>/cancel/", exports.cancel, name="export-cancel"),
    path("staff/exports/<int:pk>/file/", exports.download, name="export-file"),
    path("staff/recordings/<int:pk>/", recordings.stored_recording, name="stored-recording"),
    path("staff/recordings/<int:pk>/journal.json", recordings.journal, name="stored-recording-journal"),
    path("staff/review/", queue.queue, name="queue"),
    path("staff/review/<int:pk>/", queue.case, name="case"),
    path("staff/review/<int:pk>/decide/", queue.decide, name="decide"),
    path("staff/review/agreement/", queue.agreement, name="agreement"),
    path("staff/review/decisions/", queue.decisions, name="decisions"),
    path("staff/review/decisions/<int:pk>/reverse/", queue.reverse, name="decision-reverse"),
    path("staff/participants/<int:pk>/data/", dataset.person_export, name="person-export"),
    path("staff/withdrawal/", dataset.withdrawal, name="withdrawal"),
]
