"""The entry point of `inplace-lsp`. It answers a client that starts the server before it loads anything else."""

from __future__ import annotations

from inplace_lsp.own_path import leave_out_current_folder

leave_out_current_folder()  # before anything is imported that may lie there

import os  # noqa: E402
import sys  # noqa: E402
from collections.abc import Sequence  # noqa: E402
from typing import TYPE_CHECKING  # noqa: E402

if TYPE_CHECKING:
    from inplace_lsp.lsp.first_answer import FirstMessage

INTERRUPTED = 130
"""The exit status of a process that Ctrl-C ended, as shells define it."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line. Report an internal error in one line, with exit status 2."""
    try:
        begins = _begins_server(sys.argv[1:] if arguments is None else arguments)
        _run_command(arguments, _answer_client() if begins else None)
    except KeyboardInterrupt:  # while something was loaded
        sys.exit(INTERRUPTED)


def _answer_client() -> FirstMessage | None:
    from inplace_lsp.lsp.first_answer import answer_first_message  # noqa: PLC0415

    if sys.stdin is None or sys.stdin.isatty():
        return None
    try:
        return answer_first_message(sys.stdin.buffer, sys.stdout.buffer)
    except OSError:  # the client is gone: the server will see
        return None


def _begins_server(arguments: Sequence[str]) -> bool:
    """Return whether the arguments start the server, and do not ask for help."""
    return arguments[:1] == ["serve"] and not {"-h", "--help"}.intersection(arguments)


def _run_command(arguments: Sequence[str] | None, first: FirstMessage | None) -> None:
    from inplace_lsp.cli.problems import FAILED, describe_exception, print_problem  # noqa: PLC0415

    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        os.getcwd()
    except OSError as error:
        print_problem(f"the current folder cannot be used ({error.strerror}): change to another one")
        sys.exit(FAILED)
    try:
        from inplace_lsp.cli.commands import command_group  # noqa: PLC0415

        command_group(arguments, obj=first)
    except Exception as error:
        print_problem(f"internal error: {describe_exception(error)}")
        sys.exit(FAILED)
