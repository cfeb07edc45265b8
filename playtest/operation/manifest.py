"""What the operation adds: the record of its backups and audits."""

from playtest.people.append_only import Protected
from playtest.people.manifests import Manifest

MANIFEST = Manifest(protected=(Protected("operation_maintenance"),))
