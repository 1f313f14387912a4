"""`inplace-lsp explain CODE`: what a code means, why it matters, and what to write instead."""

from __future__ import annotations

import sys

import click

from inplace_lsp.cli.problems import FAILED, problem
from inplace_lsp.explanations import explanation_of, explanations


@click.command()
@click.argument("code", required=False)
def explain(code: str | None) -> None:
    """Explain CODE (or the name of a hazard); without one, list all."""
    if code is None:
        for one in explanations():
            click.echo(f"{one.code}  {one.name:<32} {one.summary}")
        return
    found = explanation_of(code)
    if found is None:
        known = ", ".join(one.code for one in explanations())
        problem(f"nothing is known about {code!r}; there are pages about {known}")
        sys.exit(FAILED)
    _print(found.page)


def _print(markdown: str) -> None:
    """As the terminal's own text where there is one, else as Markdown."""
    if not sys.stdout.isatty():
        click.echo(markdown)
        return
    from rich.console import Console  # noqa: PLC0415  (not needed in a pipe)
    from rich.markdown import Markdown  # noqa: PLC0415

    Console().print(Markdown(markdown))
