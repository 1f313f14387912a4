"""Writes what docs/ shows of the program itself: `make pages`, or `python website/write_docs.py`.

The pages of the hazards, the table of messages, the page of the configuration, and that of writes in
place. A test holds all of them against
the program.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from in_place_page import write_in_place_page
from inplace_lsp.message_table.page import write_messages
from inplace_lsp.report.pages import markdown_pages
from settings_page import write_settings

DOCS = Path(__file__).parents[1] / "docs"


def written_pages() -> Iterator[tuple[Path, str]]:
    """Return each file of docs/ that is written by a program, with its text."""
    for name, text in markdown_pages().items():
        yield DOCS / "hazards" / name, text
    yield DOCS / "configuration.md", write_settings()
    yield DOCS / "messages.md", write_messages()
    yield DOCS / "in-place.md", write_in_place_page()


if __name__ == "__main__":
    for file, text in written_pages():
        file.write_text(text, encoding="utf-8", newline="\n")
