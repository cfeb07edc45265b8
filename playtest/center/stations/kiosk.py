"""Configurations of browsers that show one center's pages and nothing else (docs/stations.md). Pure.

The keys of Safe Exam Browser are those of its "SEB Configuration Setting Keys"; how its URL filter reads the
rules is in seb-win-refactoring, `SafeExamBrowser.Browser/Filters`.
"""

import hashlib
import json
import plistlib
import re
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from playtest.rules.errors import RuleError

_SOCKETS = {"http": "ws", "https": "wss"}
_PORTS = {"http": 80, "https": 443}
_FULL_SCREEN, _BLOCK_NEW_WINDOWS, _ALLOW, _CONFIGURE_CLIENT, _ISOLATED_CLIPBOARD = 1, 0, 1, 1, 2

PROFILE = "/var/lib/playtest-station"
_FLAGS = (
    "--kiosk",
    f"--user-data-dir={PROFILE}",
    "--password-store=basic",  # cookies can be read after a restart without anybody signing in to the machine
    "--no-first-run",
    "--no-default-browser-check",
    "--noerrdialogs",
    "--hide-crash-restore-bubble",
    "--disable-session-crashed-bubble",
    "--disable-pinch",
    "--overscroll-history-navigation=0",
    "--disable-features=Translate",
)


def origin(url: str) -> SplitResult:
    """The scheme, host and port of the center's address. RuleError: address_invalid."""
    found = urlsplit(url)
    try:
        valid = found.scheme in _SOCKETS and bool(found.hostname) and (found.port or 1) > 0
    except ValueError:
        valid = False
    if not valid or found.username or found.path not in ("", "/") or found.query or found.fragment:
        raise RuleError(
            "address_invalid", "The address has to be like https://center.example.org, without a path."
        )
    return found._replace(path="", netloc=found.netloc.lower())


def safe_exam_browser(url: str, quit_password: str) -> bytes:
    """A .seb file: an XML property list without encryption. RuleError: address_invalid, password_missing."""
    if not quit_password:
        raise RuleError("password_missing", "Safe Exam Browser needs a password by which staff quit it.")
    return plistlib.dumps(_settings(origin(url), quit_password))


def chromium_command(url: str) -> list[str]:
    """The command that starts Chromium as a kiosk. RuleError: address_invalid."""
    return ["chromium", *_FLAGS, f"{origin(url).geturl()}/"]


def chromium_policies(url: str) -> str:
    """Policies for /etc/chromium/policies/managed/, as JSON. RuleError: address_invalid."""
    here = origin(url)
    host, port = _policy_host(here.hostname or ""), here.port or _PORTS[here.scheme]
    policies = {
        "URLAllowlist": [f"{scheme}://{host}:{port}" for scheme in (here.scheme, _SOCKETS[here.scheme])],
        "URLBlocklist": ["*"],
        "AllowFileSelectionDialogs": False,
        "AudioCaptureAllowed": False,
        "AutofillAddressEnabled": False,
        "AutofillCreditCardEnabled": False,
        "BackgroundModeEnabled": False,
        "BookmarkBarEnabled": False,
        "BrowserSignin": 0,
        "DefaultGeolocationSetting": 2,
        "DefaultNotificationsSetting": 2,
        "DefaultPopupsSetting": 2,
        "DeveloperToolsAvailability": 2,
        "DownloadRestrictions": 3,
        "ExtensionInstallBlocklist": ["*"],
        "IncognitoModeAvailability": 1,
        "PasswordManagerEnabled": False,
        "PrintingEnabled": False,
        "SavingBrowserHistoryDisabled": True,
        "ScreenCaptureAllowed": False,
        "SearchSuggestEnabled": False,
        "SpellcheckEnabled": False,
        "SyncDisabled": True,
        "TaskManagerEndProcessEnabled": False,
        "TranslateEnabled": False,
        "VideoCaptureAllowed": False,
    }
    return json.dumps(policies, indent=2) + "\n"


def _policy_host(host: str) -> str:
    """The host in a policy's pattern: a dot before a name excludes its subdomains."""
    try:
        return f"[{host}]" if ip_address(host).version == 6 else host
    except ValueError:
        return f".{host}"


def _settings(here: SplitResult, quit_password: str) -> dict[str, object]:
    no = (
        *("allowBrowsingBackForward", "allowDeveloperConsole", "allowDownloads", "allowFind", "allowPrint"),
        *("allowScreenSharing", "allowSpellCheck", "allowUploads"),
        *("allowWlan", "browserWindowAllowAddressBar", "downloadAndOpenSebConfig", "enableAltEsc"),
        *("enableAltF4", "enableAltTab", "enableBrowserWindowToolbar", "enableCtrlEsc", "enableMiddleMouse"),
        *("enablePrintScreen", "enableRightMouse", "enableStartMenu", "examSessionClearCookiesOnEnd"),
        *("examSessionClearCookiesOnStart", "examSessionReconfigureAllow", "killExplorerShell"),
        *("newBrowserWindowAllowAddressBar", "newBrowserWindowNavigation", "sendBrowserExamKey"),
        *("showReloadButton", "showReloadWarning", "showSideMenu", "showTaskBar", "touchOptimized"),
    )
    yes = (
        "browserWindowAllowReload",
        "createNewDesktop",
        "displayAlwaysOn",
        "enableSebBrowser",
        "systemAlwaysOn",
    )
    return {
        **dict.fromkeys(no, False),
        **dict.fromkeys(yes, True),
        "allowQuit": True,  # with the password
        "hashedQuitPassword": hashlib.sha256(quit_password.encode()).hexdigest(),
        "sebConfigPurpose": _CONFIGURE_CLIENT,
        "startURL": f"{here.geturl()}/",
        "quitURL": "",
        "browserViewMode": _FULL_SCREEN,
        "newBrowserWindowByLinkPolicy": _BLOCK_NEW_WINDOWS,
        "clipboardPolicy": _ISOLATED_CLIPBOARD,
        "URLFilterEnable": True,
        "URLFilterEnableContentFilter": True,
        "URLFilterRules": [{"active": True, "regex": True, "expression": _pattern(here), "action": _ALLOW}],
    }


def _pattern(here: SplitResult) -> str:
    """A regular expression for every address of the center, its sockets included, and for no other."""
    host = re.escape(here.hostname or "")
    if ":" in (here.hostname or ""):
        host = rf"\[{host}\]"
    port = here.port or _PORTS[here.scheme]
    given = f"(:{port})?" if port == _PORTS[here.scheme] else f":{port}"
    return f"^({here.scheme}|{_SOCKETS[here.scheme]})://{host}{given}([/?#]|$)"
