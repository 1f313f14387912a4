"""`inplace-lsp serve`: the language server over stdin and stdout."""

from __future__ import annotations

import gc
import sys
from typing import TYPE_CHECKING

import click

from inplace_lsp.cli.problems import FAILED, print_problem

if TYPE_CHECKING:
    from inplace_lsp.lsp.first_answer import FirstMessage


@click.command(short_help="Start the language server, for editors.")
@click.option("--log-file", metavar="FILE", help="Write the log to FILE instead of stderr.")
@click.option(
    "--log-level",
    type=click.Choice(["error", "warning", "info", "debug"], case_sensitive=False),
    default="warning",
    show_default=True,
    help="How much to log.",
)
@click.pass_obj
def serve(first: FirstMessage | None, log_file: str | None, log_level: str) -> None:
    """Start the language server on stdin and stdout; editors run this."""
    gc.disable()  # until the server runs: loading makes many objects and no garbage
    from inplace_lsp.lsp.start import serve as start  # noqa: PLC0415  (the other commands need no pygls)

    try:
        status = start(log_file, log_level, first)
    except OSError as error:
        print_problem(f"{log_file}: the log cannot be written: {error.strerror or error}")
        sys.exit(FAILED)
    sys.exit(status)
