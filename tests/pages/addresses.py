"""Finds the address of every page by following links, so that a new page is found with what it shows."""

import re
from collections import deque
from collections.abc import Iterable, Iterator
from html import unescape
from http.client import OK
from urllib.parse import urlsplit

from django.test import Client
from django.urls import Resolver404, resolve

LINK = re.compile(r'<(?:a|option)\b[^>]*?\b(?:href|value)="([/?][^"#]+)', re.S)
PATHS_A_NAME = 2
"""Of so many addresses with one name the one with the most to show is the page."""


def pages_by_name(client: Client, starts: Iterable[str]) -> dict[str, str]:
    """An address of each page that links lead to from `starts`, by the name of its URL."""
    longest: dict[str, tuple[int, str]] = {}
    paths: dict[str, set[str]] = {}
    waiting = deque(starts)
    while waiting:
        address = waiting.popleft()
        name, path = name_of(address), urlsplit(address).path
        met = paths.setdefault(name, set())
        if name and path not in met and len(met) < PATHS_A_NAME:
            met.add(path)
            text = html_of(client, address)
            longest[name] = max(longest.get(name, (0, "")), (len(text), address))
            waiting.extend(links_of(address, text))
    return {name: address for name, (length, address) in longest.items() if length}


def name_of(address: str) -> str:
    """The name of the URL, empty where the product has no such address."""
    try:
        return resolve(urlsplit(address).path).view_name
    except Resolver404:
        return ""


def html_of(client: Client, address: str) -> str:
    """The page at the address, empty if it is data, a file or not there."""
    answer = client.get(address, follow=True)
    try:
        is_page = answer.headers.get("Content-Type", "").startswith("text/html")
        is_file = "Content-Disposition" in answer.headers
        return answer.getvalue().decode() if is_page and not is_file and answer.status_code == OK else ""
    finally:
        answer.close()


def links_of(address: str, text: str) -> Iterator[str]:
    """The addresses that the page links to, its own with another query too."""
    for link in LINK.findall(text):
        found = unescape(link)
        yield found if found.startswith("/") else urlsplit(address).path + found
