"""`inplace-lsp explain CODE`: what a code means, why it matters, and what to write instead."""

from __future__ import annotations

import sys

import click

from inplace_lsp.cli.problems import FAILED, problem
from inplace_lsp.config import known_codes
from inplace_lsp.hazards import registry
from inplace_lsp.hazards.explain import explain as page


@click.command()
@click.argument("code", required=False)
def explain(code: str | None) -> None:
    """Explain CODE (or the name of a hazard); without one, list all."""
    if code is None:
        for one in registry.HAZARDS:
            click.echo(f"{one.code}  {one.name:<28} {one.summary}")
        return
    found = registry.hazard(code)
    if found is None:
        problem(f"there is no hazard {code!r}; there are {', '.join(known_codes())}")
        sys.exit(FAILED)
    _print(page(found))


def _print(markdown: str) -> None:
    """As the terminal's own text where there is one, else as Markdown."""
    if not sys.stdout.isatty():
        click.echo(markdown)
        return
    from rich.console import Console  # noqa: PLC0415  (not needed in a pipe)
    from rich.markdown import Markdown  # noqa: PLC0415

    Console().print(Markdown(markdown))
