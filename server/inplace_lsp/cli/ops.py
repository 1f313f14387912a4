"""`inplace-lsp ops [NAME]`: what an op of torch saves, writes and views."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from inplace_lsp.cli.problems import FAILED, print_problem
from inplace_lsp.config import ConfigError, config_for_file
from inplace_lsp.facts.models import make_facts
from inplace_lsp.interpret.state.facts import TorchQuestion
from inplace_lsp.tape.plain import Plain
from inplace_lsp.torch_ops import table
from inplace_lsp.torch_ops.descriptions import Description, describe_name, list_differences, suggest_names
from inplace_lsp.torch_ops.model import Overload


@click.command(short_help="Show what a torch op saves, views and writes.")
@click.argument("name", required=False)
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option(
    "--torch", "version", metavar="VERSION", help="The release of torch to answer for  [default: the project's]"
)
def ops(name: str | None, output_format: str, version: str | None) -> None:
    """Show what the torch op NAME saves for backward, writes and views (`exp`, `F.relu`, `Tensor.add_`, `nn.Linear`).

    Without NAME: all ops, one line each.
    """
    with table.use_release(_find_release() if version is None else version):
        _print_descriptions(name, output_format)


def _find_release() -> str:
    """Return the release of torch that a project in the current folder runs with."""
    file = str(Path("module.py").absolute())
    try:
        config = config_for_file(file)
    except ConfigError as error:
        print_problem(str(error))
        sys.exit(FAILED)
    return make_facts(config).find_torch_release(TorchQuestion(file))


def _print_descriptions(name: str | None, output_format: str) -> None:
    if name is None:
        found = [describe_name(each) for each in (*table.op_names(), *table.module_names())]
        _print_list([each for each in found if each], output_format)
        return
    described = describe_name(name)
    if described is None:
        close = suggest_names(name)
        hint = f"; did you mean {' or '.join(close)}?" if close else ""
        print_problem(f"no op {name!r} is known for torch {table.torch_version()}{hint}")
        sys.exit(FAILED)
    if output_format == "json":
        click.echo(json.dumps(_to_plain(described), indent=2))
    else:
        click.echo(_format_as_text(described))


def _print_list(found: list[Description], output_format: str) -> None:
    if output_format == "json":
        click.echo(json.dumps([_to_plain(each) for each in found]))
        return
    for each in found:
        click.echo(f"{each.name}: {each.summary}")


def _format_as_text(described: Description) -> str:
    lines = [f"{described.name} (torch {table.torch_version()})", *described.notes]
    lines += list_differences(described.name)
    for way in described.ways:
        lines += ["", f"  {way.call}", *(f"    {sentence}" for sentence in way.sentences)]
    return "\n".join(lines)


def _to_plain(described: Description) -> dict[str, Plain]:
    return {
        "name": described.name,
        "torch": table.torch_version(),
        "summary": described.summary,
        "releases": list_differences(described.name),
        "notes": list(described.notes),
        "overloads": [
            {"call": way.call, "sentences": list(way.sentences), **_overload_to_plain(way.overload)}
            for way in described.ways
        ],
    }


def _overload_to_plain(overload: Overload) -> dict[str, Plain]:
    return {
        "parameters": [param.name for param in overload.params],
        "given": dict(overload.given),
        "returns": overload.returns,
        "differentiable": sorted(overload.differentiable),
        "no_grad_outputs": sorted(overload.no_grad_outputs),
        "saves": [{"role": save.role, "when": sorted(save.when)} for save in overload.saves],
        "saves_something": overload.saves_something,
        "writes": list(overload.writes),
        "bumps_version": overload.bumps,
        "writes_under_no_grad": overload.writes_no_grad,
        "views": [{"output": alias.output, "of": alias.of, "kind": alias.kind} for alias in overload.aliases],
        "derivative": overload.derivative,
    }
