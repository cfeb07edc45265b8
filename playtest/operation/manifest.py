"""What the operation adds: what needs attention, and the record of its backups and audits."""

from playtest.operation import trouble
from playtest.people.append_only import Protected
from playtest.people.manifests import Manifest, Part

MANIFEST = Manifest(
    titles={"operation:alarms": "What to do"},
    parts=(Part("home-lead", "operation/home-troubles.html", trouble.at_home),),
    waiting={"operation:status": trouble.waiting},
    waiting_at_home={"operation:status": trouble.waiting_now},
    protected=(Protected("operation_maintenance"),),
)
