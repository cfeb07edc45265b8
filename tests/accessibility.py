"""Runs axe on the shown page, in the light and the dark colour scheme."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

SCHEMES = {"light": {}, "dark": {"runOnly": ["color-contrast", "link-in-text-block"]}}
"""With the rules that are asked for: in dark those about colours, for the others do not see it."""
SOURCE = Axe().axe_script
# A change of scheme may fade; what is judged is where it ends. No rule of ours reads style sheets.
RUN = """async ({ within, ...options }) => {
    for (const animation of document.getAnimations()) {
        if (Number.isFinite(animation.effect.getComputedTiming().endTime)) animation.finish();
    }
    const { violations } = await axe.run(within, { resultTypes: ["violations"], preload: false, ...options });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(", ")}`);
}"""

ALIKE = 20
THIN = """(most) => {
    for (const parent of document.querySelectorAll("tbody, ul, ol, dl, svg, svg g")) {
        while (parent.children.length > most) parent.lastElementChild.remove();
    }
    for (const figure of document.querySelectorAll("insight-figure")) figure.disconnectedCallback();
}"""
"""Leaves so many rows or marks of each list and figure, drawn for good: for thousands axe takes a minute."""


def thin(page: Page) -> None:
    """Leaves few rows and marks alike on the shown page, before it is judged."""
    page.evaluate(THIN, ALIKE)


def violations(page: Page, within: str = "html", /, **options: Any) -> list[str]:
    """Rule and places of every violation in this part of the page, in light and dark; `options` are axe's."""
    page.evaluate(f"() => {{ if (!window.axe) {{ {SOURCE} }} }}")
    found = []
    for scheme, rules in SCHEMES.items():
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        found += [
            f"{scheme}: {violation}" for violation in page.evaluate(RUN, {"within": within} | options | rules)
        ]
    return found
