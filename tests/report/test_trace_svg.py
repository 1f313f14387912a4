from __future__ import annotations

from xml.etree.ElementTree import Element, fromstring

import pytest

from inplace_lsp.report.trace_svg import WORD, trace_svg
from inplace_lsp.tape.model import Create, Tape, TensorState
from report.pictures import TAPE, training, weights
from report.story import FILE, PROGRAM, span

SVG = "{http://www.w3.org/2000/svg}"
SOURCES = {FILE: PROGRAM.split("\n")}


def drawing(tape: Tape, **options: str | int) -> Element:
    return fromstring(trace_svg(tape, SOURCES, **options))  # type: ignore[arg-type]


def of_class(root: Element, *wanted: str) -> list[Element]:
    return [element for element in root.iter() if set(wanted) <= set(element.get("class", "").split())]


def test_it_has_a_name_and_a_description():
    root = drawing(TAPE)
    assert (root.get("role"), root.get("aria-labelledby")) == ("img", "title desc")
    assert "line 7 wrote" in (root.findtext(f"{SVG}desc") or "")


def test_the_violation_is_one_line_from_pin_to_check():
    root = drawing(TAPE)
    assert [element.text for element in of_class(root, "number", "pin", "bad")] == ["0"]
    assert [element.text for element in of_class(root, "number", "write", "bad")] == ["1"]
    assert [element.text for element in of_class(root, "number", "fail")] == ["1"]
    assert {element.get("x1") for element in of_class(root, "thread")} == {"14"}
    assert len(of_class(root, "thread")) == 5


def test_everything_lies_inside():
    for tape in (TAPE, training(300, bad_step=7), weights(300)):
        root = drawing(tape)
        width, height = float(root.get("width", 0)), float(root.get("height", 0))
        assert all(float(element.get("x", 0).rstrip("%")) <= width for element in root.iter(f"{SVG}text"))
        assert all(float(element.get("y", 0)) <= height for element in root.iter(f"{SVG}text"))


@pytest.mark.parametrize("width", [340, 480])
def test_a_narrow_drawing_wraps_its_words(width: int):
    wide, root = drawing(TAPE), drawing(TAPE, width=width)
    assert root.get("width") == str(width) < wide.get("width", "")
    assert float(root.get("height", 0)) > float(wide.get("height", 0))
    for element in of_class(root, "words"):
        assert float(element.get("x", 0)) + WORD * len(element.text or "") <= width
    said = " ".join(element.text or "" for element in of_class(root, "words"))
    assert "backward needs y for exp at version 0, finds 1: error" in said
    assert len(of_class(root, "source")) == len(of_class(wide, "source"))


def test_a_drawing_that_fits_is_as_wide_as_it_needs():
    assert trace_svg(TAPE, SOURCES, width=5000) == trace_svg(TAPE, SOURCES)


def test_it_stands_alone():
    text = trace_svg(TAPE, SOURCES)
    assert "href" not in text and "url(" not in text and "<script" not in text


def test_characters_that_xml_cannot_hold():
    tensor = TensorState(1, "a\x00<b>", 1, 1, 0)
    assert fromstring(trace_svg(Tape("f\x07", (Create(span(1, 0, 1), tensor, "op"),)), {})) is not None


def test_an_empty_tape():
    assert float(drawing(Tape("f")).get("height", 0)) > 0
