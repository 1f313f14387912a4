"""Code that asks for `cuda` in a run on the CPU: keep tensors and modules there, as on a machine without CUDA."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch.overrides import TorchFunctionMode

from inplace_lsp.worker.naming import Arguments, Named, TorchFunction


@contextmanager
def map_cuda_to_cpu(device: str, text: str) -> Iterator[None]:
    """Replace every CUDA device that the code names by the CPU, if it runs on the CPU."""
    if device.startswith("cuda"):
        yield
        return
    with _hide_cuda():
        if device == "cpu" and any(word in text for word in ("cuda", "pin_memory", "gpu", "rank")):
            with _keep_on_cpu():
                yield
        else:
            yield


@contextmanager
def _hide_cuda() -> Iterator[None]:
    """Let torch say that there is no CUDA: a process that was forked cannot use it."""
    asked = {name: getattr(torch.cuda, name) for name in _ABSENT}
    vars(torch.cuda).update(_ABSENT)
    try:
        yield
    finally:
        vars(torch.cuda).update(asked)


@contextmanager
def _keep_on_cpu() -> Iterator[None]:
    before = torch.Tensor.cuda, torch.Tensor.pin_memory, torch.nn.Module.cuda, torch.nn.Module.to
    move = torch.nn.Module.to
    torch.Tensor.cuda = torch.Tensor.pin_memory = torch.nn.Module.cuda = _keep_device
    torch.nn.Module.to = lambda module, *args, **kwargs: move(module, *_on_cpu_by_number(args), **kwargs)
    asked = {name: getattr(torch.cuda, name) for name in _ANSWERS}
    vars(torch.cuda).update(_ANSWERS)
    types = {name: kind for name, kind in vars(torch.cuda).items() if name.endswith("Tensor") and hasattr(torch, name)}
    vars(torch.cuda).update({name: getattr(torch, name) for name in types})
    try:
        with _OnCpu():
            yield
    finally:
        torch.Tensor.cuda, torch.Tensor.pin_memory, torch.nn.Module.cuda, torch.nn.Module.to = before
        vars(torch.cuda).update({**types, **asked})


_ABSENT: dict[str, object] = {"is_available": lambda: False, "device_count": lambda: 0}
"""What these functions of `torch.cuda` say on a machine without CUDA."""
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
        named = {name: _on_cpu(kwarg) for name, kwarg in (kwargs or {}).items()}
        if type(named.get("device")) is int:
            named["device"] = _CPU
        if function is torch.Tensor.to:
            args = (*args[:1], *_on_cpu_by_number(args[1:]))
        return function(*map(_on_cpu, args), **named)


_CPU = torch.device("cpu")


def _on_cpu_by_number(args: Arguments) -> Arguments:
    """Return the arguments of `to` with the CPU in the place of a device that is a number: that is one of CUDA's."""
    return (_CPU, *args[1:]) if args and type(args[0]) is int else args


def _on_cpu(value: object) -> object:
    is_cuda = isinstance(value, torch.device) and value.type == "cuda"
    named = isinstance(value, str) and value.partition(":")[0] == "cuda"
    return _CPU if is_cuda or named else value
