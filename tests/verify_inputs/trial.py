"""Trial runs in this process: the probe on the meta device, and the real run, as the worker does them."""

from __future__ import annotations

import contextlib
import importlib
import inspect
import io
import signal
import sys
import types
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from inplace_lsp.messages.answers import Step
from inplace_lsp.messages.inputs import Inputs
from inplace_lsp.verify.inputs.model import ProbeResult

torch.nn.Linear(2, 2, device="meta")(torch.randn(2, 2, device="meta"))  # its first op imports much


class TooLongError(BaseException):
    """No Exception, so that the code under trial does not catch it."""


@contextlib.contextmanager
def deadline(seconds: float) -> Iterator[None]:
    def stop(*_: object) -> None:
        raise TooLongError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@dataclass
class Trial:
    """A target of a file, loaded once."""

    text: str
    filename: str
    target: str
    module: str | None = None
    probes: int = 0
    loaded: types.ModuleType = field(init=False)

    def __post_init__(self) -> None:
        if self.module is not None:
            self.loaded = importlib.import_module(self.module)
            return
        self.loaded = self._fresh("program")

    def _fresh(self, name: str, text: str | None = None, filename: str | None = None) -> types.ModuleType:
        made = types.ModuleType(name)
        made.__file__ = filename or self.filename
        sys.modules[name] = made
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings(action="ignore"):
            exec(compile(text or self.text, made.__file__, "exec"), made.__dict__)
        return made

    def probe(self, candidates: Sequence[Inputs], /, *, data: bool = False) -> list[ProbeResult]:
        """Each candidate on the meta device, or with data."""
        self.probes += len(candidates)
        return [self._guarded(candidate, "cpu" if data else "meta", walk=False) for candidate in candidates]

    def real(self, inputs: Inputs) -> ProbeResult:
        """The run with data, backward included."""
        return self._guarded(inputs, "cpu", walk=True)

    def _guarded(self, inputs: Inputs, device: str, *, walk: bool) -> ProbeResult:
        quiet = io.StringIO()
        try:
            with (
                deadline(60 if walk else 3),
                contextlib.redirect_stdout(quiet),
                contextlib.redirect_stderr(quiet),
                warnings.catch_warnings(action="ignore"),
            ):
                self._run(inputs, device, walk=walk)
        except TooLongError:
            return ProbeResult(False, "TooLongError: the deadline")
        except BaseException as error:
            return ProbeResult(False, f"{type(error).__name__}: {error}", tuple(self._steps_of(error)))
        return ProbeResult(True)

    def _steps_of(self, error: BaseException) -> Iterator[Step]:
        at = error.__traceback__
        while at is not None:
            if at.tb_frame.f_code.co_filename == self.filename:
                yield at.tb_lineno, at.tb_lasti
            at = at.tb_next

    def _run(self, inputs: Inputs, device: str, *, walk: bool) -> None:
        torch.manual_seed(0)
        if inputs.driver is not None:
            self._drive(inputs, device)
            return
        space: dict[str, Any] = {**self.loaded.__dict__}
        with torch.device(device) if device == "meta" else contextlib.nullcontext():
            exec(inputs.setup, space)
            result = self._call(inputs, space)
        if walk:
            backward(result)

    def _call(self, inputs: Inputs, space: dict[str, Any]) -> Any:
        owner: Any = None
        path = self.target.split(".<locals>.")[0]
        if inputs.receiver is not None:
            owner = eval(inputs.receiver, space)
            function = getattr(owner, path.rpartition(".")[2])
        else:
            function = self.loaded
            for name in path.split("."):
                function = getattr(function, name)
        named = {k: eval(v, space) for k, v in inputs.arguments.items()}
        if path != self.target:
            return self._nested(function, named)
        plain = {k: v for k, v in named.items() if k[0] != "*"}
        star = next((v for k, v in named.items() if k.startswith("*") and k[1] != "*"), ())
        return function(*star, **plain) if not star else function(*plain.values(), *star)

    def _nested(self, function: Any, named: dict[str, Any]) -> Any:
        """Call the function around the target, and the target if it is returned."""
        result = function(**{k: v for k, v in named.items() if k in inspect.signature(function).parameters})
        if getattr(result, "__qualname__", "") == self.target:
            return result(**{k: v for k, v in named.items() if k in inspect.signature(result).parameters})
        return result

    def _drive(self, inputs: Inputs, device: str) -> None:
        driver = inputs.driver
        assert driver is not None
        reached: list[bool] = []

        def watch(frame: types.FrameType, event: str, _: object) -> None:
            code = frame.f_code
            if event == "call" and code.co_filename == self.filename:
                name = getattr(code, "co_qualname", code.co_name)
                if name == self.target:
                    reached.append(True)

        sys.setprofile(watch)
        try:
            with torch.device(device) if device == "meta" else contextlib.nullcontext():
                if driver.call is None:
                    self._fresh(
                        "__main__" if driver.filename == self.filename else "driver", driver.text, driver.filename
                    )
                else:
                    here = driver.filename == self.filename
                    made = self.loaded if here else self._fresh("driver", driver.text, driver.filename)
                    space = {**made.__dict__, "torch": torch}
                    eval(driver.call, space)
        finally:
            sys.setprofile(None)
        if not reached:
            raise LookupError("the target was never called")


def backward(result: Any) -> None:
    """Backward of what a function returned, on the sum of its tensors that carry a graph."""
    found = [tensor for tensor in flat(result) if tensor.requires_grad and tensor.grad_fn is not None]
    found = [tensor for tensor in found if tensor.is_floating_point() or tensor.is_complex()]
    if found:
        sum((tensor.abs() if tensor.is_complex() else tensor).sum() for tensor in found).backward()


def flat(value: Any) -> Iterator[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from flat(part)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from flat(part)
