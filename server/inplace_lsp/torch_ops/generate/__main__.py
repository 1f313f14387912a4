"""Writes the shipped data, or with `--check` says whether it is what the installed torch gives."""

# ruff: noqa: PLC0415 (torch is imported where it is used: see the package)

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping

from inplace_lsp.torch_ops.generate.build import build_modules, build_ops
from inplace_lsp.torch_ops.generate.nodes import build_nodes
from inplace_lsp.torch_ops.nodes import pack_nodes
from inplace_lsp.torch_ops.packing import pack_module, pack_overloads
from inplace_lsp.torch_ops.table import DATA


def main() -> int:
    """Exit status 0 if the data was written or is current, 1 if `--check` found a difference."""
    parser = argparse.ArgumentParser(prog="python -m inplace_lsp.torch_ops.generate", description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare with the shipped data instead of writing it")
    check = parser.parse_args().check
    stale = [name for name, text in render().items() if not _store(name, text, check)]
    for name in stale:
        sys.stderr.write(f"{name} differs from what this torch gives: run without --check to renew it\n")
    return 1 if stale else 0


def render() -> dict[str, str]:
    """The text of every data file."""
    import torch

    torch.set_num_threads(1)  # the tensors are tiny: threads would only wait for each other
    ops = build_ops()
    functions = {name: pack_overloads(overloads) for name, overloads in ops.items()}
    modules = {name: pack_module(module) for name, module in build_modules(ops).items()}
    nodes = {name: pack_nodes(nodes) for name, nodes in build_nodes().items()}
    return {"ops.txt": _text(functions), "modules.txt": _text(modules), "nodes.txt": _text(nodes)}


def _text(lines: Mapping[str, str]) -> str:
    import torch

    stamped = {"#torch": torch.__version__.split("+", maxsplit=1)[0], **lines}
    return "".join(f"{name}\t{line}\n" for name, line in stamped.items())


def _store(name: str, text: str, check: bool) -> bool:
    path = DATA / name
    if check:
        return path.exists() and path.read_text(encoding="utf-8") == text
    path.write_text(text, encoding="utf-8")
    return True


if __name__ == "__main__":
    sys.exit(main())
