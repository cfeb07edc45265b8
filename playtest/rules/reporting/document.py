"""A report as a value: its items, what the record says of each, and what people answered."""

from dataclasses import dataclass
from typing import Any

from playtest.rules.document import digest_of, document_of
from playtest.rules.errors import RuleError

LONGEST_ANSWER = 5_000


@dataclass(frozen=True, slots=True)
class Item:
    """One item. `asked` is the question to a person, "" where the record answers alone."""

    number: str
    title: str
    asked: str = ""

    @property
    def place(self) -> str:
        """The key of its chapter in CHAPTERS."""
        return place_of(self.number)

    @property
    def chapter(self) -> str:
        return CHAPTERS[self.place]


def place_of(number: str) -> str:
    """The key of the chapter of an item with this number."""
    return number.partition(".")[0]


CHAPTERS = {
    "0": "The evaluation",
    "1": "Design",
    "2": "Recruitment",
    "3": "Execution",
    "4": "Analysis",
    "5": "Documentation",
}

_WRITTEN = """
0.5 | Kind of the evaluation | What does the evaluation measure, and for which claim?
0.6 | Mode of the evaluation | How do AI systems meet the environments, in one or two sentences?
0.7 | Language
0.8 | Items in the whole set
0.9 | Items that AI is run on | On which environments was AI run, and how were they chosen?
0.10 | AI runs for each item | How often was each AI system run on each environment?
1.1 | Number of baseliners
1.2 | Items that the baseline covers | If not all items are covered: how were they chosen?
1.3 | Responses for each item
1.4 | Items for each baseliner
1.5 | Suitability for people and AI | Do design and instructions suit people and AI alike? Why?
1.6 | Iterative design | Which pilots were run and which experts asked, and what was changed?
1.7 | Effort of people and AI | What did the AI runs cost, in time and money?
1.8 | Power and least detectable effect | How was the number of people chosen, if not by the plan?
1.9 | Ethics review | Which board reviewed the study, with what outcome and number? If none, why?
1.10 | Preregistration
2.1 | Population of interest | Whom do the people stand for, and which factors define that group?
2.2 | Sampling | How were people found and chosen?
2.3 | Quality control in recruitment | Who was turned away before the first session, why and how many?
2.4 | Authors and staff | Were authors or their colleagues among the people? How many?
2.5 | Earlier exposure
2.6 | Training | Were people trained beyond the tutorial of the controls? Paid for it?
2.7 | Pay
3.1 | Items in a session, and their order
3.2 | Quality control in execution
3.3 | Interface | How does what AI gets differ from the screen, and was that adjusted for?
3.4 | Instructions | Were AI systems told more than people, and was that adjusted for?
3.5 | Tools | Which tools had AI and people, and how was it enforced?
3.6 | Explanations of people
4.1 | Test of the difference | Which difference between AI and people is claimed, and which test decides?
4.2 | Uncertainty
4.3 | Metric, criteria and scoring | Was anything scored for AI in another way than for people?
4.6 | Robustness to exclusions
5.1 | Participants and completion | Which AI tools could people use, and in which versions?
5.2 | Data | Where are the data, and if they are not public, why?
5.3 | Materials and code | Where are the environments, and the code of the analysis?
"""
ITEMS = tuple(Item(*line.split(" | ")) for line in _WRITTEN.strip().splitlines())
"""In the order of the report. Items 4.3 to 4.5, and 5.3 and 5.4, are one here, with one answer."""

_BY_NUMBER = {item.number: item for item in ITEMS}


def item_of(number: str) -> Item:
    """RuleError: item_unknown, item_not_asked."""
    item = _BY_NUMBER.get(number)
    if item is None:
        raise RuleError("item_unknown", f"The checklist has no item {number!r}.")
    if not item.asked:
        raise RuleError("item_not_asked", f"The record answers item {number}: nobody is asked.")
    return item


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that the record says; `link` is the path of its evidence here, "" for none."""

    label: str
    value: str
    link: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of text under their columns, with a caption that says what a row is."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One item with its facts and tables. `answer` is "" while nobody has answered what is `asked`."""

    number: str
    title: str
    chapter: str
    facts: tuple[Fact, ...]
    tables: tuple[Table, ...]
    asked: str
    answer: str
    answered: str
    """The version and the day of the answer, as text."""

    @property
    def missing(self) -> bool:
        """Whether a person still has to answer."""
        return bool(self.asked) and not self.answer

    @classmethod
    def of(
        cls,
        item: Item,
        facts: tuple[Fact, ...],
        tables: tuple[Table, ...] = (),
        answer: str = "",
        answered: str = "",
    ) -> "Entry":
        return cls(item.number, item.title, item.chapter, facts, tables, item.asked, answer, answered)


@dataclass(frozen=True, slots=True)
class Report:
    """A study's report. `scope` says whose results these are; two reports of the same data are equal."""

    study: str
    scope: str
    entries: tuple[Entry, ...]

    @property
    def missing(self) -> tuple[Entry, ...]:
        """The entries that a person still has to answer."""
        return tuple(entry for entry in self.entries if entry.missing)

    @property
    def document(self) -> dict[str, Any]:
        """The value in JSON types."""
        document: dict[str, Any] = document_of(self)
        return document

    @property
    def digest(self) -> str:
        """SHA-256 of the canonical JSON, as 64 hexadecimal digits."""
        return digest_of(self.document)
