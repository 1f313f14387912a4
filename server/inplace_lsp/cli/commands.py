"""`inplace-lsp`: the table of its commands. Each is imported when it is called, so that it does not slow the others."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

import click

from inplace_lsp.cli.interrupts import describe_interrupt
from inplace_lsp.cli.problems import print_problem
from inplace_lsp.version import __version__

COMMANDS = {
    "check": "inplace_lsp.cli.check:check",
    "explain": "inplace_lsp.cli.explain:explain",
    "mcp": "inplace_lsp.cli.mcp:mcp",
    "ops": "inplace_lsp.cli.ops:ops",
    "serve": "inplace_lsp.cli.serve:serve",
    "tape": "inplace_lsp.cli.tape:tape",
    "trace": "inplace_lsp.cli.trace:trace",
    "verify": "inplace_lsp.cli.verify:command",
    "why": "inplace_lsp.cli.why:why",
}


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports them on demand."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return every name in alphabetical order."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of that name, None if there is none."""
        if cmd_name not in COMMANDS:
            return None
        module, attribute = COMMANDS[cmd_name].split(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. Ctrl-C ends it as shells expect: click's own status would mean findings."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as interrupt:
            how, status = describe_interrupt(interrupt)
            print_problem(how)
            sys.exit(status)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="inplace-lsp")
def command_group() -> None:
    """Find the in-place writes that break PyTorch gradients."""
