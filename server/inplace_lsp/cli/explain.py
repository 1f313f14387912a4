"""`inplace-lsp explain CODE`: what a code means, why it matters, and what to write instead."""

from __future__ import annotations

import os
import sys
import webbrowser
from pathlib import Path

import click
from platformdirs import user_cache_path

from inplace_lsp.cli.problems import FAILED, print_problem
from inplace_lsp.explanations import Explanation, find_explanation, list_explanations

FOLDER = "INPLACE_LSP_PAGES_DIR"
"""Environment variable: the folder for the pages that a browser shows, in place of the default one."""


@click.command(short_help="Explain the code of a hazard.")
@click.argument("code", required=False)
@click.option("--open", "in_browser", is_flag=True, help="Show the page in a browser; works offline.")
def explain(code: str | None, in_browser: bool) -> None:
    """Explain CODE (or the name of a hazard); without CODE, list them all."""
    found = _find_page(code) if code is not None else None
    if in_browser:
        _open_page(found)
    elif found is not None:
        _print_markdown(found.page)
    else:
        for each in list_explanations():
            click.echo(f"{each.code}  {each.name:<32} {each.summary}")


def _find_page(code: str) -> Explanation:
    """Return the page of a code; end the program if there is none."""
    found = find_explanation(code)
    if found is None:
        known = ", ".join(each.code for each in list_explanations())
        print_problem(f"there is no code {code!r}; the codes are {known}")
        sys.exit(FAILED)
    return found


def _open_page(found: Explanation | None) -> None:
    """Write all pages with links between them, and open one of them or the list of all."""
    from inplace_lsp.report.pages import CONTENTS, html_pages  # noqa: PLC0415  (loads what renders)

    folder = Path(os.environ.get(FOLDER) or user_cache_path("inplace-lsp", appauthor=False) / "pages")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in html_pages().items():
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        print_problem(f"the pages cannot be written to {folder}: {error.strerror}; ${FOLDER} names another folder")
        sys.exit(FAILED)
    page = folder / (f"{found.code}.html" if found else CONTENTS)
    click.echo(page)
    if not webbrowser.open(page.as_uri()):
        print_problem("no browser was found: open that file yourself, or leave out --open")


def _print_markdown(markdown: str) -> None:
    """Print Markdown, formatted on a terminal."""
    if not sys.stdout.isatty():
        click.echo(markdown)
        return
    from rich.console import Console  # noqa: PLC0415  (not needed in a pipe)
    from rich.markdown import Markdown  # noqa: PLC0415

    Console().print(Markdown(markdown))
