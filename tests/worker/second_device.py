"""Run the worker's code on a second device that the CPU plays: torch's private backend, with its ops in Python.

A program of its own, since a process can register that backend only once: `python second_device.py` writes what came of
each run as JSON. The values are real; the device has no views, and only the ops of `OPS`.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Any

import torch
from torch.utils import backend_registration
from torch.utils._pytree import tree_map

from inplace_lsp.hazards.registry import find_all
from inplace_lsp.messages.inputs import Inputs
from inplace_lsp.messages.job import Job, Op
from inplace_lsp.worker.arguments import move_to_device
from inplace_lsp.worker.recorder import observe_program
from inplace_lsp.worker.run import JobRun
from inplace_lsp.worker.sandbox import Sandbox

NAME = "twin"
OPS = """_copy_from _local_scalar_dense add.Scalar add.Tensor add_.Scalar add_.Tensor addmm clone empty.memory_format
    empty_strided equal exp expand mm mul.Tensor mul_.Tensor mul_.Scalar ones_like rand sigmoid sigmoid_backward
    sum sum.dim_IntList t uniform_""".split()
HEAD = "import torch\nx = torch.rand(3, device='twin:0').requires_grad_()\ny = x.exp()\n"
PROGRAMS = {
    "broken": "y.add_(1)\ny.sum().backward()\n",
    "fine": "y = y + 1\ny.sum().backward()\n",
    "on the cpu": "z = y.cpu()\nz.add_(1)\n(z.sum() + y.sum().cpu()).backward()\n",
    "a leaf": "x.mul_(2)\nx.sum().backward()\n",
    "back and forth": "y = y.cpu().to('twin:0')\ny.add_(1)\ny.sum().backward()\n",
}
FUNCTIONS = {
    "given tensors": ("def f(x, y):\n    z = (x * y).exp()\n    z.add_(1)\n    return z\n", "f", None),
    "a given module": (
        "import torch\nclass Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.layer = torch.nn.Linear(3, 3)\n    def forward(self, x, y):\n"
        "        z = self.layer(x * y).sigmoid()\n        z.add_(1)\n        return z\n",
        "Net.forward",
        "Net()",
    ),
}
_held: dict[int, torch.Tensor] = {}
"""The memory of the device, by the storage that stands for it."""
_storages: list[torch.UntypedStorage] = []


def register_device() -> torch.library.Library:
    """Make the device known to torch; the ops are there as long as what is returned."""
    backend_registration._setup_privateuseone_for_python_backend(NAME)
    library = torch.library.Library("aten", "IMPL")
    for name in OPS:
        base, _, overload = name.partition(".")
        library.impl(name, _on_device(getattr(getattr(torch.ops.aten, base), overload or "default")), "PrivateUse1")
    return library


def _on_device(op: Any) -> Callable[..., Any]:
    def run(*given: Any, **named: Any) -> Any:
        if op._schema.name == "aten::_copy_from":
            _on_cpu(given[1]).copy_(_on_cpu(given[0]))
            return given[1]
        made = op(*tree_map(_on_cpu, given), **tree_map(_on_cpu, named))
        pairs = zip(given, op._schema.arguments, strict=False)
        written = [value for value, argument in pairs if argument.alias_info and argument.alias_info.is_write]
        return written[0] if written else tree_map(_on_twin, made)

    return run


def _on_cpu(value: Any) -> Any:
    if isinstance(value, torch.device):
        return torch.device("cpu")
    if isinstance(value, torch.Tensor) and value.device.type == NAME:
        return _held[value.untyped_storage()._cdata].view(value.shape)
    return value


def _on_twin(value: Any) -> Any:
    if not isinstance(value, torch.Tensor):
        return value
    made = torch._C._acc.create_empty_tensor(value.shape, value.dtype)
    _storages.append(made.untyped_storage())
    _held[_storages[-1]._cdata] = value.contiguous()
    return made


def observe(text: str) -> dict[str, Any]:
    """Return what the recorders tell of a program."""
    tape = observe_program(text, "/nowhere/second.py")
    return {
        "error": tape.error,
        "notes": tape.notes,
        "found": [[finding.span.row, finding.code] for finding in find_all(tape)],
    }


def run_job(text: str, target: str, receiver: str | None) -> dict[str, Any]:
    """Return the report of a plain run with inputs that were made on the CPU."""
    given = {"x": "torch.rand(2, 3, requires_grad=True)", "y": "torch.rand(2, 3)"}
    inputs = Inputs("directive", "import torch\n", receiver, given)
    job = Job(Op.VERIFY, text, "/nowhere/second.py", target, 10.0, device=f"{NAME}:0", inputs=inputs, rows=(1, 99))
    report = JobRun(job, Sandbox([], (), ())).produce_report(recorded=False)
    return {"error": report.error, "failed": report.failed, "raised": report.raised is not None}


def move() -> dict[str, Any]:
    """Return what becomes of inputs that are moved to the device."""
    leaf = torch.rand(2, requires_grad=True)
    parts = move_to_device({"many": [leaf, (torch.rand(2), "a text")], "net": torch.nn.Linear(2, 2)}, f"{NAME}:0")
    first, (second, text) = parts["many"]
    return {
        "devices": [str(tensor.device) for tensor in (first, second, parts["net"].weight)],
        "leaf": first.is_leaf and first.requires_grad and not second.requires_grad,
        "text": text,
        "there": move_to_device(first, f"{NAME}:0") is first,
    }


if __name__ == "__main__":
    ops = register_device()
    found = {name: observe(HEAD + text) for name, text in PROGRAMS.items()}
    jobs = {name: run_job(*given) for name, given in FUNCTIONS.items()}
    sys.stdout.write(json.dumps({**found, **jobs, "moved": move()}))
    sys.stdout.flush()
    os._exit(0)  # torch's thread for the device may still run: then C++ ends a process that exits as usual by SIGABRT
