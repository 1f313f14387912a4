"""`inplace-lsp mcp`: the server for coding agents over stdin and stdout."""

from __future__ import annotations

import sys
from importlib.util import find_spec

import click

from inplace_lsp.cli.problems import FAILED, print_problem

MISSING = (
    "the Model Context Protocol needs the package `mcp`: pip install 'inplace-lsp[mcp]' (pipx inject inplace-lsp mcp)"
)


@click.command(short_help="Start the server for coding agents (MCP).")
@click.option("--allow-run", is_flag=True, help="Let the agent run your code with `verify` and `trace`.")
def mcp(*, allow_run: bool) -> None:
    """Start the server of the Model Context Protocol on stdin and stdout; coding agents run this.

    It reads your code and changes nothing. Without --allow-run it runs nothing of it either.
    """
    if find_spec("mcp") is None:
        print_problem(MISSING)
        sys.exit(FAILED)
    from inplace_lsp.agents.server import serve  # noqa: PLC0415  (loads the protocol)

    serve(allow_run=allow_run)
