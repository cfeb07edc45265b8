"""What the studio's pages are called in the trail above a page."""

from playtest.people.trail import add_titles


def name_pages() -> None:
    add_titles(
        {
            "studio:card": "{code}",
            "studio:card-new": "New card",
            "studio:card-edit": "Change",
            "studio:environment": "Studio",
            "studio:solutions": "Solutions",
            "studio:edit": "Description",
            "studio:import": "Import",
            "studio:import-job": "Import {pk}",
            "studio:upload": "Upload {pk}",
            "studio:upload-new": "New upload",
            "studio:upload-job": "Upload in work",
            "studio:random-play": "Random play on level {number}",
            "studio:qualification": "Qualification {pk}",
            "studio:exploration": "Graph {pk}",
            "studio:recording-change": "Recording {pk}",
        }
    )
