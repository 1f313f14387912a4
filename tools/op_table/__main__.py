"""Write the shipped data, or with `--check` compare it with what the installed torch gives.

Of the release that the table is of that is all of it; of another release it is the column of that release. To move the
table itself to another release, write that release into the first line of `ops.txt` first.
"""

# ruff: noqa: PLC0415 (torch is imported where it is used: see the package)

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping

from inplace_lsp.torch_ops.nodes import pack_nodes
from inplace_lsp.torch_ops.packing import pack_module, pack_overloads
from inplace_lsp.torch_ops.table import DATA, own_release
from tools.op_table.build import build_modules, build_ops
from tools.op_table.nodes import build_nodes
from tools.op_table.releases import build_column, render_columns
from tools.op_table.samples import example_calls


def main() -> int:
    """Return exit status 0 if the data was written or is current, 1 if `--check` found a difference."""
    parser = argparse.ArgumentParser(prog="python -m tools.op_table", description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare with the shipped data instead of writing it")
    check = parser.parse_args().check
    stale = [name for name, text in render_files().items() if not _store_file(name, text, check)]
    for name in stale:
        sys.stderr.write(f"{name} differs from what this torch gives: run without --check to renew it\n")
    return 1 if stale else 0


def render_files() -> dict[str, str]:
    """Return the text of each data file that the installed torch tells of: all, or `releases.txt` for its column."""
    import torch

    torch.set_num_threads(1)  # the tensors are tiny: threads would only wait for each other
    examples = example_calls()
    ops = build_ops(examples)
    if _installed_release() != own_release():
        return {"releases.txt": _join(render_columns(_installed_release(), build_column(ops), own_release()))}
    functions = {name: pack_overloads(overloads) for name, overloads in ops.items()}
    modules = {name: pack_module(module) for name, module in build_modules(ops).items()}
    nodes = {name: pack_nodes(nodes) for name, nodes in build_nodes(examples).items()}
    return {"ops.txt": _join_lines(functions), "modules.txt": _join_lines(modules), "nodes.txt": _join_lines(nodes)}


def _join_lines(lines: Mapping[str, str]) -> str:
    return _join({"#torch": _installed_release(), **lines})


def _join(lines: Mapping[str, str]) -> str:
    return "".join(f"{name}\t{line}\n" for name, line in lines.items())


def _installed_release() -> str:
    import torch

    return str(torch.__version__).split("+", maxsplit=1)[0]


def _store_file(name: str, text: str, check: bool) -> bool:
    path = DATA / name
    if check:
        return path.exists() and path.read_text(encoding="utf-8") == text
    path.write_text(text, encoding="utf-8")
    return True


if __name__ == "__main__":
    sys.exit(main())
