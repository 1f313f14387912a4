"""`inplace-lsp trace SCRIPT [ARGS...]`: run a script unchanged and explain its in-place error."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from inplace_lsp.cli.launch_command import make_command_line
from inplace_lsp.cli.observed_errors import ObservedError, read_kept_memory, read_observed_errors
from inplace_lsp.cli.options import interpreter_option
from inplace_lsp.cli.pictures import draw_trace
from inplace_lsp.cli.problems import FAILED, print_problem
from inplace_lsp.cli.sources import Sources
from inplace_lsp.report.kept_memory import describe_kept_memory
from inplace_lsp.report.unrecorded_write import describe_unseen
from inplace_lsp.report.widths import find_columns
from inplace_lsp.tape.kept_memory import KeptMemory
from inplace_lsp.verify import interpreter
from inplace_lsp.verify.launch import LaunchError

START = Path(__file__).resolve().parent.parent / "worker" / "script" / "start.py"


@click.command(
    short_help="Run a script and explain its in-place errors.",
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
)
@click.option("-m", "as_module", is_flag=True, help="SCRIPT is a module name, as in `python -m`.")
@interpreter_option()
@click.option(
    "--launch", default="", metavar="COMMAND", help="A command to start it with, such as `torchrun --nproc-per-node 2`."
)
@click.option(
    "--memory", is_flag=True, help="Also show which lines keep memory until backward, the largest first, and why."
)
@click.option("--html", metavar="FILE", type=click.Path(dir_okay=False), help="Also write the trace as a page.")
@click.option("--svg", metavar="FILE", type=click.Path(dir_okay=False), help="Also write it as a drawing.")
@click.option("--json", metavar="FILE", type=click.Path(dir_okay=False), help="Also write it as JSON.")
@click.argument("script", type=click.Path())
@click.argument("arguments", nargs=-1, metavar="[ARGS ...]", type=click.UNPROCESSED)
def trace(
    *,
    as_module: bool,
    python: str | None,
    launch: str,
    memory: bool,
    script: str,
    arguments: Sequence[str],
    **files: str | None,
) -> None:
    """Run SCRIPT with its ARGS, unchanged, and explain the in-place errors that it raises.

    After torch's own traceback, stderr shows which line wrote the tensor, which line had saved it, and what happened
    in between. Input, output and exit status are those of the script.
    """
    if not as_module and not os.path.exists(script):
        print_problem(f"cannot run {script}: no such file")
        sys.exit(FAILED)
    chosen = interpreter.choose_interpreter(os.path.join(os.getcwd(), "x") if as_module else script, python)
    with _make_recording_folder(near=bool(launch)) as folder:
        program = [str(START), folder, *["--memory"] * memory, *["-m"] * as_module, script, *arguments]
        try:
            status = _run_script(make_command_line(launch, chosen, program))
        except LaunchError as error:
            print_problem(str(error))
            sys.exit(FAILED)
        observed = read_observed_errors(folder)
        measured = read_kept_memory(folder)
    _explain_errors(observed, {form: name for form, name in files.items() if name})
    _describe_memory(measured)
    _end_like_script(status)


@contextmanager
def _make_recording_folder(*, near: bool) -> Iterator[str]:
    """Yield a folder for the recorders' files; `near`: in the current one, which other machines probably share."""
    here = os.getcwd() if near and os.access(os.getcwd(), os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix=".inplace-lsp-" if here else "inplace-lsp-", dir=here) as folder:
        yield folder


def _run_script(command: Sequence[str]) -> int:
    """Run the script with our input and output. Leave Ctrl-C to it, and pass SIGTERM on."""
    try:
        process = subprocess.Popen(command)
    except OSError as error:
        print_problem(f"cannot start {command[0]}: {error.strerror or error}")
        sys.exit(FAILED)
    handlers = {
        signal.SIGINT: signal.signal(signal.SIGINT, signal.SIG_IGN),
        signal.SIGTERM: signal.signal(signal.SIGTERM, lambda *_: process.terminate()),
    }
    try:
        return process.wait()
    finally:
        for number, before in handlers.items():
            signal.signal(number, before)


def _explain_errors(observed: Sequence[ObservedError], files: dict[str, str]) -> None:
    """Explain each error once, with the ranks that had it."""
    sources = Sources(())
    groups: dict[str, list[ObservedError]] = {}
    for each in observed:
        groups.setdefault(_describe_error(each, sources), []).append(each)
    for text, those in groups.items():
        if text:
            click.echo(f"\n{_describe_processes(those)}{text}", err=True)
    tapes = [each.tape for each in observed if each.tape is not None]
    for form, name in files.items():
        if tapes:
            _write_trace(name, draw_trace(tapes[0], sources, form, origin="observed"))


def _describe_error(observed: ObservedError, sources: Sources) -> str:
    """Return the explanation of an error; "" if it is about no in-place write."""
    if observed.tape is None:
        return describe_unseen(observed.error, observed.unseen)
    story = draw_trace(observed.tape, sources, "text", origin="observed").rstrip("\n")
    return "\n".join([story, *(f"note: {note}" for note in observed.tape.notes)])


def _describe_memory(measured: Sequence[KeptMemory]) -> None:
    """Show what the graphs of each process kept."""
    for memory in measured:
        rank = "" if memory.rank is None else f"Rank {memory.rank}:\n"
        text = describe_kept_memory(memory, Sources(()), find_columns(sys.stderr), os.getcwd())
        click.echo(f"\n{rank}{text}", err=True)


def _describe_processes(those: Sequence[ObservedError]) -> str:
    """Return which processes of a launched program had an error, and whether it ended them."""
    ranks = sorted({each.rank for each in those if each.rank is not None})
    who = f"Rank{'s' * (len(ranks) > 1)} {', '.join(map(str, ranks))}:\n" if ranks else ""
    return who if any(each.uncaught for each in those) else f"{who}The program went on after this error:\n"


def _write_trace(name: str, text: str) -> None:
    try:
        Path(name).write_text(text, encoding="utf-8")
    except OSError as error:
        print_problem(f"cannot write {name}: {error.strerror or error}")
    else:
        click.echo(f"The trace is in {name}.", err=True)


def _end_like_script(status: int) -> None:
    """End with the script's exit status or signal."""
    if status < 0 and os.name == "posix":
        sys.stdout.flush()
        if -status != signal.SIGKILL:
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    sys.exit(status)
