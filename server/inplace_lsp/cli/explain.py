"""`inplace-lsp explain CODE`: what a code means, why it matters, and what to write instead."""

from __future__ import annotations

import sys

import click

from inplace_lsp import suppress
from inplace_lsp.cli.problems import FAILED, problem
from inplace_lsp.hazards import registry
from inplace_lsp.hazards.explain import explain as page


@click.command()
@click.argument("code", required=False)
def explain(code: str | None) -> None:
    """Explain CODE (or the name of a hazard); without one, list all."""
    pages = {(one.code, one.name): (one.summary, page(one)) for one in registry.HAZARDS}
    pages[suppress.CODE, suppress.NAME] = suppress.SUMMARY, suppress.PAGE
    if code is None:
        for (known, name), (summary, _) in pages.items():
            click.echo(f"{known}  {name:<32} {summary}")
        return
    found = next((text for names, (_, text) in pages.items() if code.strip().lower() in map(str.lower, names)), None)
    if found is None:
        problem(f"nothing is known about {code!r}; there are pages about {', '.join(known for known, _ in pages)}")
        sys.exit(FAILED)
    _print(found)


def _print(markdown: str) -> None:
    """As the terminal's own text where there is one, else as Markdown."""
    if not sys.stdout.isatty():
        click.echo(markdown)
        return
    from rich.console import Console  # noqa: PLC0415  (not needed in a pipe)
    from rich.markdown import Markdown  # noqa: PLC0415

    Console().print(Markdown(markdown))
