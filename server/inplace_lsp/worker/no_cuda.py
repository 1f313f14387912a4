"""Code that asks for `cuda` on a machine without it: keep tensors and modules on the CPU."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch.overrides import TorchFunctionMode

from inplace_lsp.worker.naming import Arguments, Named, TorchFunction


@contextmanager
def map_cuda_to_cpu(device: str, text: str) -> Iterator[None]:
    """Replace every CUDA device that the code names by the CPU, if it runs on the CPU and there is no CUDA."""
    asks = "cuda" in text or "pin_memory" in text
    if device != "cpu" or not asks or torch.cuda.is_available():
        yield
        return
    before = torch.Tensor.cuda, torch.Tensor.pin_memory, torch.nn.Module.cuda
    torch.Tensor.cuda = torch.Tensor.pin_memory = torch.nn.Module.cuda = _keep_device
    asked = {name: getattr(torch.cuda, name) for name in _ANSWERS}
    vars(torch.cuda).update(_ANSWERS)
    types = {name: kind for name, kind in vars(torch.cuda).items() if name.endswith("Tensor") and hasattr(torch, name)}
    vars(torch.cuda).update({name: getattr(torch, name) for name in types})
    try:
        with _OnCpu():
            yield
    finally:
        torch.Tensor.cuda, torch.Tensor.pin_memory, torch.nn.Module.cuda = before
        vars(torch.cuda).update({**types, **asked})


_ANSWERS: dict[str, object] = {
    "synchronize": lambda *_device: None,
    "set_device": lambda *_device: None,
    "current_device": lambda: 0,
    "get_device_name": lambda *_device: "cpu",
}
"""What functions of `torch.cuda` do there."""


def _keep_device(self: object, *_device: object, **_how: object) -> object:
    return self


class _OnCpu(TorchFunctionMode):  # type: ignore[misc]
    """Hands on every call with the CPU in the place of a CUDA device."""

    def __torch_function__(
        self, function: TorchFunction, types: object, args: Arguments = (), kwargs: Named | None = None
    ) -> object:
        return function(*map(_on_cpu, args), **{name: _on_cpu(kwarg) for name, kwarg in (kwargs or {}).items()})


def _on_cpu(value: object) -> object:
    is_cuda = isinstance(value, torch.device) and value.type == "cuda"
    named = isinstance(value, str) and value.partition(":")[0] == "cuda"
    return torch.device("cpu") if is_cuda or named else value
