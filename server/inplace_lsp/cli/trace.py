"""`inplace-lsp trace SCRIPT [ARGS...]`: run a script as it is, and explain the in-place error it ends with."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from inplace_lsp.cli.pictures import drawn
from inplace_lsp.cli.problems import FAILED, problem
from inplace_lsp.cli.sources import Sources
from inplace_lsp.tape.codec import FormatError, from_plain
from inplace_lsp.verify import interpreter
from inplace_lsp.verify.messages import MESSAGES

START = Path(__file__).resolve().parent.parent / "worker" / "script" / "start.py"


@click.command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option("-m", "as_module", is_flag=True, help="SCRIPT is the name of a module, as in `python -m`.")
@click.option("--python", metavar="PATH", help="The interpreter that has your torch  [default: that of the project]")
@click.option("--html", metavar="FILE", type=click.Path(dir_okay=False), help="Also write the trace as a page.")
@click.option("--svg", metavar="FILE", type=click.Path(dir_okay=False), help="Also write it as a drawing.")
@click.option("--json", metavar="FILE", type=click.Path(dir_okay=False), help="Also write it as JSON.")
@click.argument("script")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def trace(*, as_module: bool, python: str | None, script: str, arguments: Sequence[str], **files: str | None) -> None:
    """Run SCRIPT with its ARGS, unchanged, and explain the in-place error that it raises.

    Behind torch's own traceback stand, on stderr, the line that wrote, the line that had saved, and what happened in
    between. Input, output and exit status are those of the script.
    """
    if not as_module and not os.path.exists(script):
        problem(f"cannot run {script}: no such file")
        sys.exit(FAILED)
    chosen = interpreter.choose(os.path.join(os.getcwd(), "x") if as_module else script, python)
    with tempfile.TemporaryDirectory(prefix="inplace-lsp-") as folder:
        told = Path(folder) / "told.json"
        status = _run([chosen, str(START), str(told), *["-m"] * as_module, script, *arguments])
        answer = _read(told)
    if answer is not None:
        _explain(answer, {form: name for form, name in files.items() if name})
    _end_as(status)


def _run(command: Sequence[str]) -> int:
    """Run it, with our own input and output. Ctrl-C is for the script to answer; SIGTERM is handed on to it."""
    try:
        process = subprocess.Popen(command)
    except OSError as error:
        problem(f"cannot start {command[0]}: {error.strerror or error}")
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


def _read(told: Path) -> dict[str, Any] | None:
    """What the recorder has left, None if there was no in-place error."""
    try:
        answer: dict[str, Any] = json.loads(told.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        problem(f"the trace cannot be read: {error}")
        return None
    return answer


def _explain(answer: dict[str, Any], files: dict[str, str]) -> None:
    if answer["tape"] is None:
        _say_what_was_not_seen(answer)
        return
    try:
        tape = from_plain(answer["tape"])
    except FormatError as error:
        problem(f"the trace cannot be read: {error}")
        return
    sources = Sources(())
    click.echo("", err=True)
    if not answer["uncaught"]:
        click.echo("The program went on after this error:", err=True)
    click.echo(drawn(tape, sources, "text", origin="observed"), err=True, nl=False)
    for form, name in files.items():
        _write(name, drawn(tape, sources, form, origin="observed"))


def _say_what_was_not_seen(answer: dict[str, Any]) -> None:
    """torch has raised, and the recorder does not know who wrote."""
    if not any(words in answer["error"] for words in MESSAGES):
        return
    lines = [f"{os.path.relpath(name)}:{row}" for name, row in answer["unseen"]]
    where = (
        f"it happened inside of a transform of torch.func ({', '.join(lines)}), which" if lines else "it happened where"
    )
    click.echo(f"\nWhat wrote was not seen: {where} the recorder cannot watch.", err=True)


def _write(name: str, text: str) -> None:
    try:
        Path(name).write_text(text, encoding="utf-8")
    except OSError as error:
        problem(f"cannot write {name}: {error.strerror or error}")
    else:
        click.echo(f"The trace is in {name}.", err=True)


def _end_as(status: int) -> None:
    """End as the script did: with its exit status, or by the signal that ended it."""
    if status < 0 and os.name == "posix":
        sys.stdout.flush()
        if -status != signal.SIGKILL:
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    sys.exit(status)
