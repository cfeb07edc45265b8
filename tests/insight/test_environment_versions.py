"""The comparison of two versions: differences and their intervals."""

import re
from html import unescape

import pytest
from django.test import Client

from playtest.play.models import Study
from playtest.rules.attempt import Outcome
from playtest.rules.inference.ranks import BETWEEN_VERSIONS
from playtest.studio.models import Version
from tests import make
from tests.live.games import WALK

pytestmark = [pytest.mark.django_db, pytest.mark.once]

PAGE = "/staff/environments/wk01/versions/"
FUNNEL = "/staff/environments/wk01/figures/funnel.json"


@pytest.fixture
def study() -> Study:
    return make.study(people=100)


def plays(study: Study, actions: list[int], people: int) -> None:
    for _ in range(people):
        outcome = Outcome.COMPLETED if actions == WALK else Outcome.GAVE_UP
        make.play(make.session(study), [*[2] * 31, *actions], outcome)


def change_the_source() -> Version:
    version = Version.objects.get()
    version.pk, version.digest = None, "f" * 64
    version.save()
    version.environment.current = version
    version.environment.save()
    return version


def text(client: Client, **query: str | int) -> str:
    answer = client.get(PAGE, query)
    assert answer.status_code == 200
    return re.sub(
        r"\s+",
        " ",
        unescape(re.sub(r"<script.*?</script>|<[^>]+>", " ", answer.content.decode(), flags=re.S)),
    )


def test_a_single_version_cannot_be_compared(designer: Client, study: Study) -> None:
    assert "wk01 has one version" in text(designer)
    assert "change the source and upload it : somebody who may import approves it." in text(designer)


def test_a_significant_difference_is_shown_with_its_interval(designer: Client, study: Study) -> None:
    plays(study, [2, 2, 4], people=6)
    before = Version.objects.get().digest
    change_the_source()
    plays(study, WALK, people=6)
    page_text = text(designer)
    assert "People now complete level 1 more often" in page_text
    # Newcombe's interval and Fisher's p, 2 / comb(12, 6), of 6 of 6 against 0 of 6
    assert "1 6 6 0 of 6 6 of 6 +100 (+45 to +100) More people complete it now (p = 0.002)." in page_text
    assert BETWEEN_VERSIONS in page_text
    bars = designer.get(FUNNEL, {"before": before}).json()
    assert bars["options"]["before"]["levels"] == {"1": [0, 6]}
    assert len(bars["rows"]) == 6
    bar = bars["rows"][0]
    assert designer.get(bar["href"]).context["page"].paginator.count == bar["people"] == 6


def test_the_page_says_that_it_mixes_versions_of_the_protocol(designer: Client, study: Study) -> None:
    plays(study, WALK, 1)
    change_the_source()
    plays(study, WALK, 1)
    sentence = "These results combine versions 1 and 2 of the protocol."
    assert sentence not in text(designer, study=study.pk)
    make.change(study, more_than_actions=3)
    plays(study, WALK, 1)
    assert sentence in text(designer, study=study.pk)


def test_the_address_chooses_the_compared_versions(designer: Client, study: Study) -> None:
    plays(study, [4], people=1)
    old = Version.objects.get()
    new = change_the_source()
    plays(study, WALK, people=2)
    turned = {"before": new.digest, "version": old.digest}
    assert "Too few people to compare: 2 and 1" in text(designer, **turned)
    shown = designer.get(PAGE, turned).content.decode()
    assert shown.index('name="version"') < shown.index('name="before"'), "what is compared, then with what"
    assert sum(row["people"] for row in designer.get(FUNNEL, turned).json()["rows"]) == 1
    assert designer.get(PAGE, {"before": "none"}).status_code == 404
