"""Configurations of kiosk browsers are valid, open our own addresses only, and keep the device token."""

import hashlib
import json
import plistlib
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from playtest.center.stations import kiosk
from playtest.rules.errors import RuleError

ADDRESS = "https://center.example.org"
PASSWORD = "change-this-password"
KEYS: dict[str, type] = {
    # "SEB Configuration Setting Keys", and Keys.cs of seb-win-refactoring: names and types of their values.
    **dict.fromkeys(
        [
            *(
                "allowBrowsingBackForward",
                "allowDeveloperConsole",
                "allowDownloads",
                "allowFind",
                "allowPrint",
            ),
            *("allowQuit", "allowScreenSharing", "allowSpellCheck", "allowUploads", "allowWlan"),
            *("browserWindowAllowAddressBar", "browserWindowAllowReload", "createNewDesktop"),
            *("displayAlwaysOn", "downloadAndOpenSebConfig", "enableAltEsc", "enableAltF4", "enableAltTab"),
            *("enableBrowserWindowToolbar", "enableCtrlEsc", "enableMiddleMouse", "enablePrintScreen"),
            *("enableRightMouse", "enableSebBrowser", "enableStartMenu", "examSessionClearCookiesOnEnd"),
            *("examSessionClearCookiesOnStart", "examSessionReconfigureAllow", "killExplorerShell"),
            *("newBrowserWindowAllowAddressBar", "newBrowserWindowNavigation", "sendBrowserExamKey"),
            *("showReloadButton", "showReloadWarning", "showSideMenu", "showTaskBar", "systemAlwaysOn"),
            *("touchOptimized", "URLFilterEnable", "URLFilterEnableContentFilter"),
        ],
        bool,
    ),
    **dict.fromkeys(
        ["browserViewMode", "clipboardPolicy", "newBrowserWindowByLinkPolicy", "sebConfigPurpose"], int
    ),
    **dict.fromkeys(["hashedQuitPassword", "quitURL", "startURL"], str),
    "URLFilterRules": list,
}
ALLOW, BLOCK = 1, 0


def settings(url: str = ADDRESS) -> dict[str, Any]:
    return dict(plistlib.loads(kiosk.safe_exam_browser(url, PASSWORD)))


def filtered(rules: list[dict[str, Any]], url: str) -> int:
    """What Safe Exam Browser does: rules that block first, then those that allow; else it blocks."""
    for action in (BLOCK, ALLOW):
        for rule in rules:
            found = rule["active"] and rule["regex"] and re.search(rule["expression"], url, re.IGNORECASE)
            if found and rule["action"] == action:
                return action
    return BLOCK


def test_every_key_is_documented_and_has_a_value_of_its_type() -> None:
    assert {name: type(value) for name, value in settings().items()} == KEYS
    assert kiosk.safe_exam_browser(ADDRESS, PASSWORD).startswith(b"<?xml"), "SEB knows plain files by this"


def test_the_device_token_stays_and_staff_can_quit() -> None:
    found = settings()
    assert not found["examSessionClearCookiesOnStart"]
    assert not found["examSessionClearCookiesOnEnd"]
    assert found["allowQuit"]
    assert found["hashedQuitPassword"] == hashlib.sha256(PASSWORD.encode()).hexdigest()
    assert found["browserViewMode"] == 1
    assert found["startURL"] == "https://center.example.org/"


@pytest.mark.parametrize(
    ("center", "url", "expected"),
    [
        (ADDRESS, "https://center.example.org", ALLOW),
        (ADDRESS, "https://center.example.org/session/play/", ALLOW),
        (ADDRESS, "https://center.example.org:443/", ALLOW),
        (ADDRESS, "https://CENTER.example.org/?a=b", ALLOW),
        (ADDRESS, "wss://center.example.org/ws/session/", ALLOW),
        (ADDRESS, "http://center.example.org/", BLOCK),
        (ADDRESS, "https://center.example.org:8443/", BLOCK),
        (ADDRESS, "https://center.example.org.evil.test/", BLOCK),
        (ADDRESS, "https://www.center.example.org/", BLOCK),
        (ADDRESS, "https://centerxexample.org/", BLOCK),
        (ADDRESS, "https://evil.test/?https://center.example.org/", BLOCK),
        (ADDRESS, "https://center.example.org@evil.test/", BLOCK),
        (ADDRESS, "file:///etc/passwd", BLOCK),
        ("http://10.0.0.5:8000", "ws://10.0.0.5:8000/ws/station/", ALLOW),
        ("http://10.0.0.5:8000", "http://10.0.0.5/", BLOCK),
        ("http://[::1]:8000", "http://[::1]:8000/", ALLOW),
    ],
)
def test_the_filter_lets_only_our_own_addresses_through(center: str, url: str, expected: int) -> None:
    assert filtered(settings(center)["URLFilterRules"], url) == expected


def test_chromium_may_open_our_own_addresses_only() -> None:
    policies = json.loads(kiosk.chromium_policies(ADDRESS))
    assert policies["URLBlocklist"] == ["*"]
    assert policies["URLAllowlist"] == ["https://.center.example.org:443", "wss://.center.example.org:443"]
    (local, _) = json.loads(kiosk.chromium_policies("http://10.0.0.5:8000"))["URLAllowlist"]
    assert local == "http://10.0.0.5:8000"
    assert policies["DeveloperToolsAvailability"] == 2
    assert policies["IncognitoModeAvailability"] == 1
    command = kiosk.chromium_command(ADDRESS)
    assert command[-1] == "https://center.example.org/"
    assert "--kiosk" in command
    assert "--incognito" not in command, "the device token has to stay"


@pytest.mark.parametrize(
    "url",
    [
        "",
        "center.example.org",
        "ftp://a.test",
        "https://",
        "https://a.test/staff/",
        "https://u:p@a.test",
        "http://a:x",
    ],
)
def test_other_addresses_are_refused(url: str, tmp_path: Path) -> None:
    with pytest.raises(RuleError, match="https://center"):
        kiosk.origin(url)
    with pytest.raises(CommandError, match="address_invalid"):
        call_command("kiosk", url=url, quit_password=PASSWORD, to=tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_the_command_writes_the_three_files(tmp_path: Path) -> None:
    call_command("kiosk", url=ADDRESS, quit_password=PASSWORD, to=tmp_path)
    assert plistlib.loads((tmp_path / "station.seb").read_bytes()) == settings(ADDRESS)
    assert (tmp_path / "chromium-policies.json").read_text() == kiosk.chromium_policies(ADDRESS)
    script = (tmp_path / "chromium-kiosk.sh").read_text()
    assert shlex.split(script.split("exec ")[1].replace("\\\n", ""))[:-1] == kiosk.chromium_command(ADDRESS)
