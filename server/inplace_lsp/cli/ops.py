"""`inplace-lsp ops [NAME]`: what an op of torch saves, writes and views."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from inplace_lsp.cli.problems import FAILED, problem
from inplace_lsp.torch_ops import table
from inplace_lsp.torch_ops.model import Overload
from inplace_lsp.torch_ops.words import Description, describe, suggestions


@click.command()
@click.argument("name", required=False)
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True)
def ops(name: str | None, output_format: str) -> None:
    """Say what the torch op NAME saves for backward, writes and views (`exp`, `F.relu`, `Tensor.add_`, `nn.Linear`).

    Without NAME: all ops, one line each.
    """
    if name is None:
        found = [describe(each) for each in (*table.op_names(), *table.module_names())]
        _list([each for each in found if each], output_format)
        return
    described = describe(name)
    if described is None:
        close = suggestions(name)
        hint = f"; did you mean {' or '.join(close)}?" if close else ""
        problem(f"torch {table.torch_version()} has no op {name!r} that the table knows{hint}")
        sys.exit(FAILED)
    if output_format == "json":
        click.echo(json.dumps(_as_json(described), indent=2))
    else:
        click.echo(_as_text(described))


def _list(found: list[Description], output_format: str) -> None:
    if output_format == "json":
        click.echo(json.dumps([_as_json(each) for each in found]))
        return
    for each in found:
        click.echo(f"{each.name}: {each.summary}")


def _as_text(described: Description) -> str:
    lines = [f"{described.name} (torch {table.torch_version()})", *described.notes]
    for way in described.ways:
        lines += ["", f"  {way.call}", *(f"    {sentence}" for sentence in way.sentences)]
    return "\n".join(lines)


def _as_json(described: Description) -> dict[str, Any]:
    return {
        "name": described.name,
        "torch": table.torch_version(),
        "summary": described.summary,
        "notes": list(described.notes),
        "overloads": [
            {"call": way.call, "sentences": list(way.sentences), **_facts(way.overload)} for way in described.ways
        ],
    }


def _facts(overload: Overload) -> dict[str, Any]:
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
