"""Write what the repository shows of the program itself: `make pages`. Tests hold each file against the program."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from inplace_lsp.report.pages import markdown_pages
from tools.message_table.page import write_messages
from tools.pages import config_schema, models
from tools.pages.in_place import write_in_place_page
from tools.pages.settings import write_settings

DOCS = Path(__file__).parents[1] / "docs"


def written_pages() -> Iterator[tuple[Path, str]]:
    """Yield each file that is written by a program, with its text."""
    for name, text in markdown_pages().items():
        yield DOCS / "hazards" / name, text
    yield DOCS / "configuration.md", write_settings()
    yield DOCS / "messages.md", write_messages()
    yield DOCS / "in-place.md", write_in_place_page()
    yield config_schema.FILE, config_schema.as_text()
    yield models.PAGE, models.fill_page(models.PAGE.read_text("utf-8"))
    yield models.STUB, models.make_stub()


if __name__ == "__main__":
    for file, text in written_pages():
        file.write_text(text, encoding="utf-8", newline="\n")
