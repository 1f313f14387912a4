from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

from inplace_lsp.report.trace_html import trace_html
from inplace_lsp.tape.model import Check, Create, Save, Tape, TensorState, Write
from report.pictures import TAPE, training, weights
from report.story import FILE, PROGRAM, span

SOURCES = {FILE: PROGRAM.split("\n")}
VOID = {"meta", "col", "br", "link", "img"}


class Page(HTMLParser):
    """The elements of a page, and whether they nest."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, Any]]] = []
        self.open: list[str] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def named(self, tag: str, **attributes: str) -> list[dict[str, Any]]:
        wanted = attributes.items()
        return [found for name, found in self.elements if name == tag and wanted <= found.items()]


def test_it_is_well_formed():
    assert Page(trace_html(TAPE, SOURCES)).open == []


def test_it_tells_the_story_first():
    page = Page(trace_html(TAPE, SOURCES))
    at = page.texts.index
    assert at("line 7 wrote ") < at("what happens")


def test_a_row_for_every_event_with_its_place():
    rows = [row for row in Page(trace_html(TAPE, SOURCES)).named("tr") if "data-row" in row]
    assert [(row["id"], row["data-file"], row["data-row"]) for row in rows] == [
        (f"event-{at}", FILE, str(event.span.row)) for at, event in enumerate(TAPE.events)
    ]


def test_it_loads_nothing_and_fits_a_strict_policy():
    page = Page(trace_html(TAPE, SOURCES, nonce="r4nd0m"))
    assert [found.get("nonce") for name, found in page.elements if name in ("style", "script")] == ["r4nd0m"] * 3
    for name, found in page.elements:
        assert name not in ("link", "img", "iframe", "object", "embed", "base")
        assert not {"style", "src", "srcset", "action"} & found.keys()
        assert not any(attribute.startswith("on") for attribute in found)
        assert found.get("href", "#").startswith("#")
    assert "url(" not in "".join(page.texts) and "@import" not in "".join(page.texts)


def test_what_the_program_says_is_text_only():
    tensor = TensorState(1, "<script>alert(1)</script>", 1, 1, 0)
    tape = Tape("<b>f</b>", (Create(span(1, 0, 1), tensor, "<i>op</i>"),), "<img src=x>", ("<u>note</u>",))
    page = Page(trace_html(tape, {FILE: ["<marquee>"]}, origin="predicted"))
    names = {name for name, _ in page.elements}
    assert not names & {"b", "i", "img", "u", "marquee"}
    assert len(page.named("script")) == 1


def test_screen_readers_have_a_table_with_headers_and_words():
    page = Page(trace_html(TAPE, SOURCES))
    assert len(page.named("table")) == 1
    assert len(page.named("th", scope="col")) == 4
    assert "backward needs y for exp at version 0, finds 1: error" in page.texts


def test_one_row_is_in_the_tab_order_from_the_start_by_script_only():
    page = Page(trace_html(TAPE, SOURCES))
    assert {row["tabindex"] for row in page.named("tr") if "tabindex" in row} == {"-1"}


def test_folds_are_buttons_over_hidden_rows():
    page = Page(trace_html(weights(1000), SOURCES))
    button = page.named("button")[0]
    assert button["aria-expanded"] == "false"
    hidden = [body for body in page.named("tbody") if "hidden" in body]
    assert [body["data-fold"] for body in hidden] == [button["data-opens"]]


def test_five_thousand_events_stay_a_page_of_a_few_rows():
    text = trace_html(training(1250, bad_step=600), SOURCES)
    page = Page(text)
    bodies = 0
    shown = 0
    for name, found in page.elements:
        bodies = bodies if name != "tbody" else int("hidden" not in found)
        shown += name == "tr" and bodies
    assert shown < 20
    assert len(text) < 5_000_000


def test_a_file_without_source():
    assert "line 7 wrote" in trace_html(TAPE, {})
    tape = Tape(
        "f", (Save(span(99, 0, 1), TensorState(1, "", 1, 1, 0), "exp", "", 1, 1), Check(span(99, 0, 1), 1, 1, 0))
    )
    assert "a tensor without a name" in trace_html(tape, SOURCES)


def test_an_empty_tape():
    assert Page(trace_html(Tape("f"), {})).open == []


def test_names_of_the_write_are_told_in_prose():
    tensor = TensorState(1, "y", 1, 1, 0)
    page = Page(trace_html(Tape("f", (Write(span(1, 0, 1), tensor, "add_", 1, grad_mode=True),)), SOURCES))
    assert "add_ writes y" in page.texts
