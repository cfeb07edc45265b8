"""What the studio adds to staff pages and their search, and which of its tables are of the record."""

from functools import partial

from django.conf import settings

from playtest.people.append_only import Protected, differs, same
from playtest.people.manifests import Manifest, Part
from playtest.people.roles import Right
from playtest.people.search import Kind
from playtest.studio import search_kinds
from playtest.studio.home import comments_to_read, jobs, jobs_to_repeat, versions_since
from playtest.studio.queries import cards, waivers
from playtest.studio.queries.uploads import waiting_for
from playtest.studio.services import shipped

MANIFEST = Manifest(
    titles={
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
        "studio:upload-job": "Uploaded files",
        "studio:random-play": "Random play on level {number}",
        "studio:qualification": "Qualification {pk}",
        "studio:exploration": "Graph {pk}",
        "studio:recording-change": "Recording {pk}",
        "studio:draft": "Draft",
        "studio:mask": "Masked cells",
    },
    kinds=(
        Kind("card", "Cards", Right.READ_BASELINES, search_kinds.cards),
        Kind("upload", "Uploads", Right.UPLOAD_VERSIONS, search_kinds.uploads),
        Kind("qualification", "Qualifications", Right.READ_BASELINES, search_kinds.qualifications),
        Kind("graph", "State graphs", Right.READ_BASELINES, search_kinds.explorations),
        Kind("import", "Imports", Right.IMPORT_ENVIRONMENTS, search_kinds.imports),
    ),
    pictures=search_kinds.first_frames,
    parts=(Part("home-engineer", "studio/home-jobs.html", jobs),),
    waiting={"studio:uploads": waiting_for},
    waiting_at_home=(
        ("insight:board", waivers.waiting_for),
        ("studio:cards", cards.waiting_for),
        ("studio:cards", comments_to_read),
        ("insight:portfolio", jobs_to_repeat),
        ("studio:import", partial(shipped.waiting_for, settings.GAMES_DIR)),
    ),
    new_at_home=(("insight:board", "version imported", "versions imported", versions_since),),
    protected=(
        Protected(
            "studio_environment",
            unique=(same("code"),),
            changed=differs("id", "code", "kind"),
            deletable=True,
            columns=("code", "kind", "current_id", "owner_id", "release_set", "stage"),
        ),
        Protected(
            "studio_version",
            unique=(same("environment_id", "digest"),),
            changed=differs("id", "environment_id", "digest", "game_id", "class_name", "source", "levels"),
            deletable=True,
        ),
        Protected(
            "studio_recording",
            unique=(same("version_id", "kind", "name"),),
            changed=differs("id", "version_id", "made_at"),
            deletable=True,
        ),
        Protected("studio_stagemove"),
        Protected("studio_gatewaiver"),
        Protected("studio_recordingchange"),
        Protected("studio_sighting", unique=(same("environment_id", "staff_id", "kind", "day"),)),
        Protected(
            "studio_statemask",
            changed=differs(
                *("id", "version_id", "cells", "undecided", "stretches", "actions", "attempts"),
                *("decided_by_id", "reason", "at"),
            ),
            deletable=True,
            columns=("version_id", "cells", "decided_by_id", "reason", "at"),
        ),
        Protected("studio_redundancymark"),
        Protected("studio_redundancyanswer", unique=(same("mark_id", "agrees"),)),
    ),
)
