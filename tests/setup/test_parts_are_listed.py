"""The list of parts has the product's packages, not those of its tests, and the vendored JavaScript."""

from pathlib import Path

from tools.parts import VENDOR, product_alone, vendored


def test_only_what_is_locked_for_the_product_is_listed() -> None:
    names = ("psycopg", "Channels_Redis", "pytest")
    found = {
        "components": [{"name": name, "bom-ref": name} for name in names],
        "dependencies": [{"ref": "psycopg", "dependsOn": ["pytest", "Channels_Redis"]}, {"ref": "pytest"}],
    }
    lock = "# of 1 2\nchannels-redis==4.3.0 \\\n    --hash=sha256:1\npsycopg[binary,pool]==3.3.9 \\\n"
    left = product_alone(found, lock)
    assert [one["name"] for one in left["components"]] == ["psycopg", "Channels_Redis"]
    assert left["dependencies"] == [{"ref": "psycopg", "dependsOn": ["Channels_Redis"]}]


def test_every_vendored_folder_is_a_part_with_version_licence_and_digest() -> None:
    parts = vendored((VENDOR / "README.md").read_text())
    assert len(parts) == len([path for path in Path(VENDOR).iterdir() if path.is_dir()]) == 3
    for part in parts:
        assert part["licenses"][0]["license"]["id"] in ("ISC", "MIT")
        assert len(part["hashes"][0]["content"]) == 64
