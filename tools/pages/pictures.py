"""Draws the pictures of docs/: what the terminal shows, and a trace. `make pages` writes them anew.

The pictures of VS Code are taken by its tests (vscode-client/README.md), that of the site by its own script
(docs/website/screenshot.sh).
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import DIMMED_MONOKAI
from rich.text import Text

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "pictures"
EXAMPLE = "examples/gate.py"
TERMINALS = {
    "check.svg": ("check", EXAMPLE),
    "diff.svg": ("check", EXAMPLE, "--diff"),
}
WIDTH = 108
FRAME = Path(__file__).with_name("terminal.svg")
"""The frame that rich draws, but for the font that it would fetch from the web; `{{` is a brace."""


def draw_pictures() -> dict[str, str]:
    """Return the pictures as SVG, by their file names."""
    terminals = {name: _draw_terminal(arguments) for name, arguments in TERMINALS.items()}
    return {**terminals, "trace.svg": _print_output("tape", f"{EXAMPLE}:13", "--output-format", "svg")}


def _draw_terminal(arguments: tuple[str, ...]) -> str:
    """Return a picture of a terminal in which the command was called."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    console.print(Text(f"$ inplace-lsp {' '.join(arguments)}", style="bold"))
    console.print(Text.from_ansi(_print_output(*arguments)))
    drawn = console.export_svg(
        title="", theme=DIMMED_MONOKAI, code_format=FRAME.read_text(encoding="utf-8"), unique_id="terminal"
    )
    return "\n".join(line.rstrip() for line in drawn.splitlines()) + "\n"


def _print_output(*arguments: str) -> str:
    command = [sys.executable, "-m", "inplace_lsp", *arguments]
    colours = {**os.environ, "FORCE_COLOR": "1", "TERM": "xterm-256color", "COLUMNS": str(WIDTH)}
    return subprocess.run(command, cwd=ROOT, env=colours, capture_output=True, text=True, check=False).stdout


if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    for name, text in draw_pictures().items():
        (PICTURES / name).write_text(text, encoding="utf-8", newline="\n")
