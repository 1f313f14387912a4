"""`inplace-lsp verify`: run a function, a line's function or a whole file under torch, and say what really happens."""

from __future__ import annotations

import json
import os
import sys
from typing import Any, NoReturn

import click

from inplace_lsp.cli.pictures import FORMATS, drawn
from inplace_lsp.cli.problems import FAILED, FOUND, problem
from inplace_lsp.cli.run import default_jobs
from inplace_lsp.cli.sources import Sources
from inplace_lsp.config import ConfigError
from inplace_lsp.files.read import UnreadableError, read
from inplace_lsp.report.formats import MissingPackageError
from inplace_lsp.report.lines import split_lines
from inplace_lsp.verify import interpreter
from inplace_lsp.verify.as_json import as_json
from inplace_lsp.verify.client import Client
from inplace_lsp.verify.inputs.model import Hints
from inplace_lsp.verify.launch import Launch, LaunchError
from inplace_lsp.verify.many import StateError
from inplace_lsp.verify.options import DEADLINE, KINDS, DeviceError, Options
from inplace_lsp.verify.prove import Subject, verify
from inplace_lsp.verify.target import Target, TargetError, at_line, by_name, module
from inplace_lsp.verify.verdict import Verdict

OF_MANY = ("concise", "json-lines", "github", "gitlab", "junit", "sarif", "rdjson")
"""The formats that there are with --all alone; of those for one verdict it has `text` and `json`."""
STATUS = {"confirmed": FOUND, "silent": FOUND, "not-reproduced": 0, "inconclusive": FAILED}


@click.command("verify")
@click.argument("place", metavar="FILE[:LINE | ::QUALNAME]")
@click.option("--device", default="auto", metavar="auto|cpu|cuda[:N]", help="Where to run it.")
@click.option(
    "--output-format",
    type=click.Choice([*FORMATS, *OF_MANY]),
    default="text",
    help="The verdict, or a picture of the run; with --all: verdicts, or a report as `check` writes it.",
)
@click.option("--output-file", "-o", metavar="FILE", help="With --all: write the verdicts to FILE.")
@click.option("--all", "everything", is_flag=True, help="FILE is a file or folder: verify all that has findings.")
@click.option(
    "--jobs", "-j", type=click.IntRange(min=1), help="With --all: how many at once  [default: one a processor]"
)
@click.option(
    "--resume", metavar="FILE", help="With --all: keep verdicts in FILE, and run again only what has changed."
)
@click.option("--python", metavar="PATH", help="The interpreter with your torch  [default: that of the project]")
@click.option("--launch", default="", metavar="COMMAND", help="What starts the interpreter, such as `ssh HOST`.")
@click.option("--timeout", type=click.FloatRange(min=0.1), default=DEADLINE, help="Seconds that a run may take.")
@click.option("--seed", type=int, default=0, help="The seed of all random numbers.")
@click.option("--memory", type=click.FloatRange(min=0.1), metavar="GIB", help="Memory a run may take  [default: 4]")
@click.option("--allow-write", is_flag=True, help="Let the code write outside its temporary folder.")
@click.option("--allow-network", is_flag=True, help="Let it use the network.")
@click.option("--allow-subprocess", is_flag=True, help="Let it start processes.")
@click.option("--allow-signal", is_flag=True, help="Let it signal other processes.")
def command(
    *,
    place: str,
    device: str,
    output_format: str,
    output_file: str | None,
    everything: bool,
    jobs: int | None,
    resume: str | None,
    python: str | None,
    launch: str,
    timeout: float,
    seed: int,
    memory: float | None,
    **allowed: bool,
) -> None:
    """Run the function at FILE:LINE, FILE::QUALNAME, or the whole FILE, and confirm what the analysis says of it.

    This runs your code. A time limit, memory and file limits and a wall against accidents are round it; it is no
    protection against malice. Exit status: 0 not reproduced, 1 confirmed or silent, 2 inconclusive or failed.
    """
    allow = tuple(kind for kind in KINDS if allowed[f"allow_{kind}"])
    options = Options(device, timeout, seed, allow, None if memory is None else int(memory * (1 << 30)))
    try:
        if everything:
            where: dict[str, Any] = {"python": python, "launch": launch, "output_file": output_file}
            _all(place, options, jobs=jobs, resume=resume, output_format=output_format, **where)
        if output_format in OF_MANY or output_file is not None:
            raise click.UsageError(f"{'--output-file' if output_file else output_format} is for --all")
        subject = _subject(place)
        with Client(Launch.parse(interpreter.choose(subject.filename, python), launch)) as client:
            verdict = verify(subject, client, options)
    except UnreadableError as error:
        _fail(f"cannot read {_split(place)[0]}: {error}")
    except (TargetError, LaunchError, DeviceError) as error:
        _fail(f"{place}: {error}")
    except (ConfigError, StateError) as error:
        _fail(str(error))
    _print(verdict, subject, output_format)
    sys.exit(STATUS[verdict.verdict])


def _all(place: str, options: Options, *, jobs: int | None, output_format: str, **where: Any) -> NoReturn:
    from inplace_lsp.cli.verify_all import verify_all  # noqa: PLC0415  (one place does not need it)

    if output_format not in ("text", "json", *OF_MANY):
        raise click.UsageError(
            f"--all draws no pictures; it prints text, json (one object a line), {', '.join(OF_MANY)}"
        )
    try:
        sys.exit(verify_all(place, options, jobs=jobs or default_jobs(), output_format=output_format, **where))
    except MissingPackageError as error:
        _fail(f"cannot write {output_format}: it {error}")
    except OSError as error:
        if where["output_file"] is None or error.filename != where["output_file"]:
            raise
        _fail(f"cannot write the verdicts to {error.filename}: {error.strerror or error}")


def _fail(message: str) -> NoReturn:
    problem(message)
    sys.exit(FAILED)


def _split(place: str) -> tuple[str, str, str]:
    """File, separator and the rest; a file of that very name wins."""
    if os.path.exists(place):
        return place, "", ""
    for separator in ("::", ":"):
        file, found, rest = place.rpartition(separator)
        if found and file and (separator == "::" or rest.isdecimal()):
            return file, separator, rest
    return place, "", ""


def _subject(place: str) -> Subject:
    file, separator, rest = _split(place)
    text = read(file)
    hints = Hints((int(rest),)) if separator == ":" else Hints()
    return Subject(text, os.path.abspath(file), _target(text, separator, rest), hints)


def _target(text: str, separator: str, rest: str) -> Target:
    if separator == "::":
        return by_name(text, rest)
    return at_line(text, int(rest)) if separator else module(text)


def _print(verdict: Verdict, subject: Subject, output_format: str) -> None:
    if output_format == "json":
        if verdict.output:
            click.echo(verdict.output, err=True, nl=False)
        click.echo(json.dumps(as_json(verdict), indent=2))
        return
    sources = Sources(())
    sources[subject.filename] = split_lines(subject.text)
    if output_format != "text":
        _draw(verdict, sources, output_format)
        return
    from inplace_lsp.report.console import plain_console  # noqa: PLC0415  (JSON does not need rich)
    from inplace_lsp.report.verdict_text import verdict_text  # noqa: PLC0415

    console = plain_console(sys.stdout)
    for line in verdict_text(verdict, sources, subject.filename, os.getcwd()):
        console.print(line)
    if verdict.violations and verdict.tape is not None:
        click.echo()
        at, title = verdict.violations[0].written, _title(verdict)
        click.echo(drawn(verdict.tape, sources, "text", origin="observed", at=at, title=title), nl=False)


def _title(verdict: Verdict) -> str:
    """What stands above the picture where no write to what was saved is to be told."""
    told = (f"line {one.span.row}: {one.message}" for one in verdict.findings)
    return next(told, f"{verdict.function}: {verdict.verdict}")


def _draw(verdict: Verdict, sources: Sources, form: str) -> None:
    """The picture goes to standard output; the verdict, which it does not tell, to standard error."""
    click.echo(f"{verdict.function}: {verdict.verdict}: {verdict.why}", err=True)
    if verdict.tape is None:
        return
    at = verdict.violations[0].written if verdict.violations else None
    click.echo(drawn(verdict.tape, sources, form, origin="observed", at=at, title=_title(verdict)), nl=False)
