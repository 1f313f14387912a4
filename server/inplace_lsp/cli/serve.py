"""`inplace-lsp serve`: the language server over stdin and stdout."""

from __future__ import annotations

import click


@click.command()
def serve() -> None:
    """Start the language server over stdin and stdout; editors call this."""
    from inplace_lsp.lsp.server import serve as start  # noqa: PLC0415  (the other commands need no pygls)

    start()
