"""Finds the staff pages of an installation: follows links from the home, some addresses of each page."""

import re
import urllib.error
import urllib.request
from collections import defaultdict, deque
from dataclasses import dataclass, field
from html import unescape
from urllib.parse import urljoin, urlsplit

from django.urls import Resolver404, resolve

STAFF = "/staff/"
ADDRESSES_TRIED = 5
"""Of each page; the largest answer is the one that is measured."""
_LINK = re.compile(r'<a\b[^>]*?\bhref="([^"#]+)')


@dataclass
class Crawl:
    """What has been found: for each page's name the address with the largest answer, and its size."""

    root: str
    cookie: str
    found: dict[str, tuple[int, str]] = field(default_factory=dict)
    tried: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def run(self) -> dict[str, str]:
        """The address of each page, by the name of its URL."""
        waiting, seen = deque([STAFF]), {STAFF}
        while waiting:
            address = waiting.popleft()
            text = self._page(address)
            for link in map(unescape, _LINK.findall(text)):
                linked = urljoin(address, link)
                if linked not in seen and self._is_wanted(linked):
                    seen.add(linked)
                    waiting.append(linked)
        return {name: address for name, (_, address) in sorted(self.found.items())}

    def _is_wanted(self, address: str) -> bool:
        """Counts the addresses of a page, so that of thousands of attempts some are opened."""
        name = page_of(address)
        if name is None or self.tried[name] >= ADDRESSES_TRIED:
            return False
        self.tried[name] += 1
        return True

    def _page(self, address: str) -> str:
        """The text of a page; nothing of what is a file, or cannot be opened."""
        request = urllib.request.Request(self.root + address, headers={"Cookie": self.cookie})
        try:
            with urllib.request.urlopen(request) as answer:
                is_page = answer.headers.get("Content-Type", "").startswith("text/html")
                if not is_page or "attachment" in answer.headers.get("Content-Disposition", ""):
                    return ""
                text: str = answer.read().decode()
        except urllib.error.HTTPError:
            return ""
        name = page_of(address)
        if name is not None and len(text) > self.found.get(name, (0, ""))[0]:
            self.found[name] = (len(text), address)
        return text


def page_of(address: str) -> str | None:
    """The name of the URL of a staff page's address; None for other addresses."""
    path = urlsplit(address).path
    if not path.startswith(STAFF) or urlsplit(address).netloc:
        return None
    try:
        return resolve(path).view_name
    except Resolver404:
        return None
