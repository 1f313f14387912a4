"""What docs/ shows of the program is what the program would write now. If not: `make pages`."""

from __future__ import annotations

from xml.etree import ElementTree

from tools.pages.pictures import PICTURES, draw_pictures
from tools.write_pages import written_pages


def test_pages_are_up_to_date():
    """Not a test for each: to know them is to write them, in each worker of pytest before its first test."""
    assert {file.name: text for file, text in written_pages() if file.read_text(encoding="utf-8") != text} == {}


def read_words(picture: str) -> list[str]:
    """The texts of a picture; what they are drawn with may change with the library that draws."""
    return [text.strip() for text in ElementTree.fromstring(picture).itertext() if text.strip()]


def test_pictures_show_what_is_printed():
    drawn = draw_pictures()
    assert {path.name for path in PICTURES.glob("*.svg")} == set(drawn)
    for name, text in drawn.items():
        shown = (PICTURES / name).read_text(encoding="utf-8")
        assert read_words(shown)[1:] == read_words(text)[1:], name
