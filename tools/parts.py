"""`make parts`: completes a CycloneDX list of an environment by the JavaScript, and drops packages of tests.

python -m tools.parts LIST.json
"""

import hashlib
import json
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
VENDOR = ROOT / "static" / "vendor"
_LOCKED = re.compile(r"^([\w.-]+)(?:\[.*\])?==", re.MULTILINE)
_ROW = re.compile(r"^\| `(\w+)` \| `([^`]+)` (\d[\d.]*\d)[^|]*\| ([\w.-]+) \| `([^`]+)`", re.MULTILINE)


def plain(name: str) -> str:
    """A package's name as registries compare them."""
    return re.sub(r"[-_.]+", "-", name).lower()


def product_alone(found: dict[str, Any], lock: str) -> dict[str, Any]:
    """The list with only the components of this lock, and what depends on what among them."""
    locked = {plain(name) for name in _LOCKED.findall(lock)}
    components = [one for one in found["components"] if plain(one["name"]) in locked]
    known = {one["bom-ref"] for one in components} | {"root-component"}
    dependencies = [
        one | {"dependsOn": [ref for ref in one.get("dependsOn", []) if ref in known]}
        for one in found.get("dependencies", [])
        if one["ref"] in known
    ]
    return found | {"components": components, "dependencies": dependencies}


def vendored(readme: str) -> list[dict[str, Any]]:
    """A component for each row of the table of static/vendor/README.md, with the digest of its file."""
    return [
        {
            "type": "library",
            "bom-ref": f"pkg:npm/{name.replace('@', '%40')}@{version}",
            "name": name,
            "version": version,
            "purl": f"pkg:npm/{name.replace('@', '%40')}@{version}",
            "licenses": [{"license": {"id": licence}}],
            "hashes": [
                {
                    "alg": "SHA-256",
                    "content": hashlib.sha256((VENDOR / folder / Path(file).name).read_bytes()).hexdigest(),
                }
            ],
        }
        for folder, name, version, licence, file in _ROW.findall(readme)
    ]


def main(path: Path) -> None:
    found = product_alone(json.loads(path.read_text()), (ROOT / "requirements.lock").read_text())
    found["components"] += vendored((VENDOR / "README.md").read_text())
    path.write_text(json.dumps(found, indent=1) + "\n")
    without = [one["name"] for one in found["components"] if not one.get("licenses")]
    sys.stdout.write(
        f"{path}: {len(found['components'])} parts; without a licence named: {', '.join(without) or 'none'}\n"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
