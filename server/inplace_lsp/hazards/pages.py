"""Writes the documentation pages of the hazards: `python -m inplace_lsp.hazards.pages docs/hazards`."""

from __future__ import annotations

import sys
from pathlib import Path

from inplace_lsp.hazards.explain import explain
from inplace_lsp.hazards.registry import HAZARDS


def pages() -> dict[str, str]:
    """File names and texts of all pages, the table of contents (README.md) included."""
    return {"README.md": _contents(), **{f"{one.code}.md": explain(one) for one in HAZARDS}}


def _contents() -> str:
    rows = [f"| [{one.code}]({one.code}.md) | {one.name} | {one.summary} |" for one in HAZARDS]
    head = (
        "# Hazards",
        "",
        "`inplace-lsp explain CODE` prints these pages.",
        "",
        "| code | name | what it is |",
        "|---|---|---|",
    )
    return "\n".join([*head, *rows, ""])


def write(folder: Path) -> None:
    """Write all pages into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/hazards"))
