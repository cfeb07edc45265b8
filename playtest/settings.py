"""Settings, all from the environment. With nothing set, everything is embedded and lives in DATA_DIR.

DATABASE_URL switches to PostgreSQL, REDIS_URL switches channel layer, broker and cache to Redis.
"""

import contextlib
import os
import re
import secrets
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import dj_database_url
from babel.numbers import get_currency_precision
from django.conf.locale import LANG_INFO
from django.core.exceptions import ImproperlyConfigured
from django.utils.csp import CSP
from django.utils.translation import to_language

from playtest.serve.assets import is_built
from playtest.serve.deployment import only_this_machine
from playtest.serve.logs import configuration

# One thread for linear algebra, set before NumPy is imported: more of them hold up the other threads of a
# process for longer, and are slower beside other processes.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(os.environ.get("DATA_DIR", BASE_DIR / "data")).resolve()
DEMONSTRATION_DIR = BASE_DIR / "demonstration"
IMPORT_DIR = Path(os.environ.get("IMPORT_DIR", DATA_DIR / "imports")).resolve()  # data of other studies
GAMES_DIR = Path(os.environ.get("GAMES_DIR", BASE_DIR / "games")).resolve()
DATABASE_URL = os.environ.get("DATABASE_URL", "")
WITHDRAWALS_FILE = os.environ.get("WITHDRAWALS_FILE", "")
REDIS_URL = os.environ.get("REDIS_URL", "")
REDIS_PREFIX = os.environ.get("REDIS_PREFIX", "playtest")
DEBUG = os.environ.get("DEBUG", "") == "1"
HTTPS = os.environ.get("HTTPS", "") == "1"
PLAIN_HTTP = os.environ.get("PLAIN_HTTP", "") == "1"  # others may connect without TLS (`serve.deployment`)
HOST = os.environ.get("HOST", "127.0.0.1")


def _port() -> int:
    given = os.environ.get("PORT", "8000")
    if not given.isdecimal() or not 0 < int(given) < 2**16:
        raise ImproperlyConfigured(f"PORT must be a number from 1 to 65535, not {given!r}. (port_invalid)")
    return int(given)


PORT = _port()


def _secret_key() -> str:
    """The key from the environment, or one made once for this data folder and readable by its owner only."""
    if given := os.environ.get("SECRET_KEY"):
        return given
    path = DATA_DIR / "secret_key"
    DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)  # it holds people's answers
    if not path.exists():
        made = path.with_suffix(f".{os.getpid()}")
        made.touch(mode=0o600)
        made.write_text(secrets.token_urlsafe(50))
        with contextlib.suppress(FileExistsError):  # another process was first, and its key is used
            path.hardlink_to(made)
        made.unlink()
    return path.read_text()


try:
    SECRET_KEY = _secret_key()
except OSError as error:
    raise ImproperlyConfigured(
        f"Nothing can be stored in {DATA_DIR}: {error.strerror}. Set DATA_DIR to a writable folder. "
        "(data_dir_unusable)"
    ) from error


def _list(name: str, default: str = "") -> list[str]:
    """What a setting lists, separated by commas."""
    return [each.strip() for each in os.environ.get(name, default).split(",") if each.strip()]


SECRET_KEY_FALLBACKS = _list("SECRET_KEY_FALLBACKS")
SECRET_KEY_IS_GENERATED = not os.environ.get("SECRET_KEY")
ALLOWED_HOSTS = _list("ALLOWED_HOSTS", "127.0.0.1,localhost,[::1]")


def _networks(name: str, default: str = "") -> list[IPv4Network | IPv6Network]:
    try:
        return [ip_network(text) for text in _list(name, default)]
    except ValueError as error:
        raise ImproperlyConfigured(
            f"{name} has to be addresses or networks, as 10.0.0.5,10.1.0.0/16: {error}. "
            f"({name.lower()}_invalid)"
        ) from error


TRUSTED_PROXIES = _networks("TRUSTED_PROXIES")
# Who may read `/metrics`: these addresses when they ask directly, and whoever has the token.
METRICS_NETWORKS = _networks("METRICS_NETWORKS", "127.0.0.0/8,::1")
METRICS_TOKEN = os.environ.get("METRICS_TOKEN", "")
CSRF_TRUSTED_ORIGINS = _list("TRUSTED_ORIGINS")

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "axes",
    "channels",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "playtest",
    "playtest.people",
    "playtest.studio",
    "playtest.play",
    "playtest.center",
    "playtest.review",
    "playtest.insight",
    "playtest.arena",
    "playtest.operation",
    "playtest.rehearsal",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "playtest.serve.assets.TextCompression",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "playtest.people.middleware.StorableText",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "playtest.urls"
ASGI_APPLICATION = "playtest.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "playtest.people.navigation.context",
            ],
        },
    }
]


def _database() -> dict[str, Any]:
    """PostgreSQL from DATABASE_URL, else SQLite with durable commits and one writer at a time."""
    if DATABASE_URL:
        from playtest.serve.databases import check

        config: dict[str, Any] = dict(dj_database_url.parse(DATABASE_URL))
        # Every request for a connection tries to reconnect at once, without the pool's growing pauses.
        pool = {"min_size": 1, "max_size": 8, "timeout": 5.0, "reconnect_timeout": 2.0, "check": check}
        alive = {"connect_timeout": 3, "keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 3}
        config["OPTIONS"] = {**alive, "tcp_user_timeout": 15_000, **config.get("OPTIONS", {}), "pool": pool}
        return config
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": DATA_DIR / "playtest.sqlite3",
        "OPTIONS": {
            "timeout": 20,
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
        },
    }


DATABASES = {"default": _database()}
DURABLE = True  # if True, `/healthz` fails when commits do not wait for the disk

if REDIS_URL:
    CHANNEL_LAYERS: dict[str, Any] = {
        "default": {
            "BACKEND": "playtest.serve.redis_outage.PatientChannelLayer",
            "CONFIG": {"hosts": [REDIS_URL], "prefix": REDIS_PREFIX},
        }
    }
    CACHES: dict[str, Any] = {
        "default": {
            "BACKEND": "playtest.serve.redis_outage.PatientCache",
            "LOCATION": REDIS_URL,
            "KEY_PREFIX": REDIS_PREFIX,
            "OPTIONS": {"socket_timeout": 1.0, "socket_connect_timeout": 1.0},
        }
    }
    CELERY_BROKER_URL = REDIS_URL
    CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {"global_keyprefix": f"{REDIS_PREFIX}:"}
else:
    CHANNEL_LAYERS = {"default": {"BACKEND": "playtest.serve.channel_layer.ChannelLayer"}}
    CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            # A scorecard's page remembers something of each environment: Django's 300 would be thrown away.
            "OPTIONS": {"MAX_ENTRIES": 3000},
        }
    }
    CELERY_BROKER_URL = "filesystem://localhost"
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(DATA_DIR / "broker" / "messages"),
        "data_folder_out": str(DATA_DIR / "broker" / "messages"),
        "control_folder": str(DATA_DIR / "broker" / "control"),
    }

CELERY_TASK_IGNORE_RESULT = True
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA_DIR / "beat")


def _every(seconds: float, task: str) -> dict[str, Any]:
    """A periodic task; a call expires when the next one is due."""
    return {"task": task, "schedule": seconds, "options": {"expires": int(seconds)}}


CELERY_BEAT_SCHEDULE = {
    "audit": _every(600.0, "playtest.operation.tasks.audit_if_due"),
    "sign-days": _every(600.0, "playtest.play.tasks.sign_days"),
    "end-overdue": _every(15.0, "playtest.play.tasks.end_overdue"),
    "flag-effort": _every(15.0, "playtest.review.tasks.effort.flag_effort"),
    "judge-again": _every(60.0, "playtest.review.tasks.effort.judge_again"),
    "keep-level-results": _every(30.0, "playtest.insight.tasks.keep_up_to_date"),
    "mask-states": _every(60.0, "playtest.insight.tasks.mask_states"),
    "measure-pairs": _every(600.0, "playtest.studio.tasks.measure_pairs"),
    "requeue-jobs-of-the-studio": _every(15.0, "playtest.studio.tasks.requeue_stalled"),
    "requeue-study-imports": _every(60.0, "playtest.insight.tasks.requeue_stalled"),
    "requeue-exports": _every(60.0, "playtest.review.tasks.exports.requeue_stalled"),
    "close-idle-cards": _every(60.0, "playtest.arena.tasks.close_idle_cards"),
    "erase-dropped": {"task": "playtest.arena.tasks.erase_dropped", "schedule": 3600.0},
    "summarise-plays": _every(60.0, "playtest.arena.tasks.summarise_plays"),
    "post-missing-pay": _every(60.0, "playtest.center.tasks.post_missing"),
    "remind": _every(600.0, "playtest.center.schedule.messages.remind"),
    "requeue-messages": _every(60.0, "playtest.center.schedule.messages.requeue_stalled"),
    "erase-due": {"task": "playtest.operation.tasks.erase_due", "schedule": 86_400.0},
    "clean-up-exports": {"task": "playtest.review.tasks.exports.clean_up", "schedule": 3600.0},
}
CELERY_TASK_ROUTES = {  # long jobs have their own workers, so that the sweep never waits for them
    "*.requeue_stalled": {"queue": "celery"},
    "playtest.center.schedule.messages.send_message": {"queue": "exports"},
    "playtest.review.tasks.exports.*": {"queue": "exports"},
    "playtest.review.tasks.effort.judge_again": {"queue": "exports"},
    "playtest.studio.tasks.do_import": {"queue": "imports"},
    "playtest.insight.tasks.import_study": {"queue": "imports"},
    "playtest.insight.tasks.mask_states": {"queue": "imports"},
    "playtest.studio.tasks.*": {"queue": "studio"},
    "playtest.operation.tasks.*": {"queue": "studio"},
}

AUTH_USER_MODEL = "people.Staff"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
    "playtest.people.second_factor.CodeBackend",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
CSRF_FAILURE_VIEW = "playtest.people.views.form_expired"
LOGIN_URL = "people:sign-in"
LOGIN_REDIRECT_URL = "people:home"
LOGOUT_REDIRECT_URL = "people:sign-in"
AXES_FAILURE_LIMIT = 8
AXES_COOLOFF_TIME = 0.25
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_CLIENT_IP_CALLABLE = "playtest.people.rate_limits.client_address"
AXES_USERNAME_CALLABLE = "playtest.people.rate_limits.name_to_lock"
AXES_RESET_ON_SUCCESS = True
AXES_LOCKOUT_TEMPLATE = "people/locked.html"
AXES_VERBOSE = False
AXES_SENSITIVE_PARAMETERS = ["username", "ip_address", "code"]
SESSION_COOKIE_AGE = 12 * 3600  # a sign-in lasts a working day from its beginning (`people.sign_in`)
PASSWORD_RESET_TIMEOUT = 48 * 3600  # of one-time links for a password


def _second_factor_required() -> bool:
    """Of accounts that could take all or pay: unless only this machine can connect, or SECOND_FACTOR says."""
    given = os.environ.get("SECOND_FACTOR", "")
    if given not in ("", "required", "optional"):
        raise ImproperlyConfigured(
            f"SECOND_FACTOR is required or optional, not {given!r}. (second_factor_invalid)"
        )
    return given == "required" or (not given and not DEBUG and not only_this_machine([HOST, *ALLOWED_HOSTS]))


SECOND_FACTOR_REQUIRED = _second_factor_required()

LANGUAGE_CODE = "en"
LOCALE_PATHS = [BASE_DIR / "locale"]
_FOLDERS = sorted(each.parent.parent.name for each in LOCALE_PATHS[0].glob("*/LC_MESSAGES/django.mo"))
_CATALOGUES = [to_language(each) for each in _FOLDERS]  # of pt_BR: pt-br
LANGUAGES = [("en", "English"), *((each, LANG_INFO[each]["name_local"]) for each in _CATALOGUES)]
"""Of participants' pages: English, and what has a catalogue (docs/languages.md)."""
TIME_ZONE = "UTC"  # everything is stored and computed in UTC


def _center_time_zone() -> ZoneInfo:
    """The zone of the clock on the center's wall, in which slots are planned and printed."""
    given = os.environ.get("CENTER_TIME_ZONE", "UTC")
    try:
        return ZoneInfo(given)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ImproperlyConfigured(
            f"CENTER_TIME_ZONE must be the name of a time zone, such as Europe/Berlin, not {given!r}. "
            "(time_zone_unknown)"
        ) from error


CENTER_TIME_ZONE = _center_time_zone()
CENTER_URL = os.environ.get("CENTER_URL", f"http://{HOST}:{PORT}")  # what links in messages begin with

EMAIL_URL = os.environ.get("EMAIL_URL", "")
DEFAULT_FROM_EMAIL = os.environ.get("EMAIL_FROM", "playtest@localhost")
_MAIL_SECONDS = 10
_MAIL_PORTS = {"smtp": 25, "smtp+tls": 587, "smtps": 465}


def _mail_server() -> dict[str, Any]:
    """The mail server of EMAIL_URL."""
    try:
        url = urlsplit(EMAIL_URL)
        port = url.port
    except ValueError:
        url, port = urlsplit(""), None
    if url.scheme not in _MAIL_PORTS or not url.hostname:
        raise ImproperlyConfigured(
            "EMAIL_URL must be smtp://, smtp+tls:// or smtps:// with a host. (email_url_invalid)"
        )
    options = {
        "host": url.hostname,
        "port": port or _MAIL_PORTS[url.scheme],
        "username": unquote(url.username or ""),
        "password": unquote(url.password or ""),
        "use_tls": url.scheme == "smtp+tls",
        "use_ssl": url.scheme == "smtps",
        "timeout": _MAIL_SECONDS,
    }
    return {"BACKEND": "django.core.mail.backends.smtp.EmailBackend", "OPTIONS": options}


MAILERS = {
    "default": _mail_server() if EMAIL_URL else {"BACKEND": "django.core.mail.backends.dummy.EmailBackend"}
}

# The testing center, as authenticator apps, receipts, files for the payer and invitations name it.
CENTER_NAME = OTP_TOTP_ISSUER = os.environ.get("CENTER_NAME", "Testing center")
CENTER_ADDRESS = os.environ.get("CENTER_ADDRESS", "")


def _currency() -> str:
    given = os.environ.get("CENTER_CURRENCY", "USD")
    if not (len(given) == 3 and given.isascii() and given.isalpha() and given.isupper()):
        raise ImproperlyConfigured(
            f"CENTER_CURRENCY has to be a code of three capitals, as USD, not {given!r}. (currency_invalid)"
        )
    if get_currency_precision(given) > 3:
        raise ImproperlyConfigured(f"{given} has more than three decimals. (currency_invalid)")
    return given


CENTER_CURRENCY = _currency()
# What users of data packages are told, such as cc-by-4.0, where none is named for a package.
DATA_LICENCE = os.environ.get("DATA_LICENCE", "")

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
# What `manage.py prepare` builds of static/. Until it has, and with DEBUG, files are served as they are.
ASSETS_DIR = DATA_DIR / "assets"
BUNDLED = not DEBUG and is_built(ASSETS_DIR, BASE_DIR / "static", BASE_DIR / "templates")
STATIC_ROOT = ASSETS_DIR if BUNDLED else None
WHITENOISE_USE_FINDERS = not BUNDLED
WHITENOISE_KEEP_ONLY_HASHED_FILES = True
WHITENOISE_AUTOREFRESH = DEBUG
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "playtest.serve.assets.Bundles"
        if BUNDLED
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}

SECURE_CSP = {
    "default-src": [CSP.NONE],
    "script-src": [CSP.SELF],
    "style-src": [CSP.SELF],
    "img-src": [CSP.SELF, "data:", "blob:"],
    "font-src": [CSP.SELF],
    "connect-src": [CSP.SELF],
    "form-action": [CSP.SELF],
    "base-uri": [CSP.NONE],
    "frame-ancestors": [CSP.NONE],
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SAMESITE = "Strict"
SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = int(os.environ.get("HSTS_SECONDS", 30 * 24 * 3600)) if HTTPS else 0
# Subdomains and preloading are for the owner of the domain to decide; without EMAIL_URL, invitations are
# downloaded, so no mail is sent on purpose.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021", *([] if EMAIL_URL else ["mail.E001"])]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000

# The key that signs each day's list (docs/journal.md): a PEM file, by default created in DATA_DIR; and the
# public keys, hexadecimal and separated by commas, of keys that signed here before.
RECORD_KEY_FILE = os.environ.get("RECORD_KEY_FILE", "")
# Where the digest of each signed day goes: folders, addresses as `mailto:lead@example.org`, and time stamping
# authorities as `https://stamps.example.org/`; a PEM file with the root certificates of these.
RECORD_ANCHORS = _list("RECORD_ANCHORS")
RECORD_STAMP_ROOTS = os.environ.get("RECORD_STAMP_ROOTS", "")
RECORD_PUBLIC_KEYS = _list("RECORD_PUBLIC_KEYS")
for _key in RECORD_PUBLIC_KEYS:
    if not re.fullmatch("[0-9a-fA-F]{64}", _key):
        raise ImproperlyConfigured(
            "RECORD_PUBLIC_KEYS has to be public keys of 64 hexadecimal digits, "
            f"not {_key!r}. (record_public_keys_invalid)"
        )

# Seconds within which a request's headers must be complete, and between two parts of its body.
REQUEST_SECONDS = float(os.environ.get("REQUEST_SECONDS", "20"))
SILENT_SECONDS = float(os.environ.get("SILENT_SECONDS", "600"))
MOST_WAITING_CONNECTIONS = int(os.environ.get("MOST_WAITING_CONNECTIONS", "500"))

# Seconds that a process that is told to end may take to give its connections to others (`serve.draining`).
DRAIN_SECONDS = float(os.environ.get("DRAIN_SECONDS", "8"))

# With less free space on the disk of DATA_DIR `/healthz` fails.
DISK_FREE_MEGABYTES = float(os.environ.get("DISK_FREE_MEGABYTES", "200"))

# Engine hosts: processes for one version, processes in all; seconds for one action, memory for one host.
ENGINE_HOSTS = int(os.environ.get("ENGINE_HOSTS", "0")) or os.cpu_count() or 1
ENGINE_OWN_HOSTS = int(
    os.environ.get("ENGINE_OWN_HOSTS")
    or min(128, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 4 // (16 * 1024 * 1024))
)
ENGINE_MOST_HOSTS = int(os.environ.get("ENGINE_MOST_HOSTS", "256"))
ENGINE_SPARE_HOSTS = int(os.environ.get("ENGINE_SPARE_HOSTS", "8"))
ENGINE_MOST_GAMES = int(os.environ.get("ENGINE_MOST_GAMES", "2000"))
ENGINE_DEADLINE_SECONDS = float(os.environ.get("ENGINE_DEADLINE_SECONDS", "1"))
ENGINE_MEMORY_MEGABYTES = int(os.environ.get("ENGINE_MEMORY_MEGABYTES", "512"))
# Agents' requests that a process carries out at once; whether agents may play while people do.
ARENA_AT_ONCE = int(os.environ.get("ARENA_AT_ONCE", "1"))
ARENA_WHILE_PEOPLE_PLAY = os.environ.get("ARENA_WHILE_PEOPLE_PLAY", "open")
if ARENA_WHILE_PEOPLE_PLAY not in ("open", "closed"):
    raise ImproperlyConfigured(
        f"ARENA_WHILE_PEOPLE_PLAY is open or closed, not {ARENA_WHILE_PEOPLE_PLAY!r}. (arena_while_invalid)"
    )
# Seconds for an environment's first start when it is imported.
INSPECTION_SECONDS = float(os.environ.get("INSPECTION_SECONDS", "10"))

LOG_FORMAT = os.environ.get("LOG_FORMAT", "text")
if LOG_FORMAT not in ("text", "json"):
    raise ImproperlyConfigured(f"LOG_FORMAT is text or json, not {LOG_FORMAT!r}. (log_format_invalid)")
LOGGING = configuration(LOG_FORMAT, os.environ.get("LOG_LEVEL", "WARNING"))
