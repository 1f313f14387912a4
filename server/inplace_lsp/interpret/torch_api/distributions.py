"""`torch.distributions` as policies use them: the ops that their densities are made of, and what these keep.

Source: torch/distributions/categorical.py, normal.py and bernoulli.py.
"""

from __future__ import annotations

from collections.abc import Callable

from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import NONE, Class, Computed, Instance, Known, Native, Value
from inplace_lsp.interpret.torch_api.tensor_methods import torch_call

LAST = Known(-1)


def _op(machine: Machine, name: str, *arguments: Value, **keywords: Value) -> Value:
    return torch_call(machine, f"torch.{name}", arguments, keywords, name)


def _distribution(name: str, attributes: dict[str, Value], methods: dict[str, Callable[[Value], Value]]) -> Instance:
    """An object whose methods take one value, or none."""

    def native(run: Callable[[Value], Value]) -> Native:
        return Native(lambda given, named: run(given[0] if given else named.get("value", NONE)))

    return Instance(Class(name, (), (), {}), attributes | {k: native(run) for k, run in methods.items()}, name=name)


def _sampled(machine: Machine, dtype: str) -> Callable[[Value], Value]:
    return lambda _: machine.recorder.fresh("sample", dtype=dtype)


def _given(arguments: list[Value], keywords: dict[str, Value], *names: str) -> list[Value]:
    """The parameters by place or by name; NONE for one that is missing."""
    return [arguments[at] if at < len(arguments) else keywords.get(name, NONE) for at, name in enumerate(names)]


def categorical(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    """`Categorical(probs)` divides by the sum, `Categorical(logits=...)` subtracts the logsumexp."""
    probs, logits = _given(arguments, keywords, "probs", "logits")
    keep = Known(True)
    if logits is NONE:
        normal = _op(machine, "div", probs, _op(machine, "sum", probs, LAST, keepdim=keep))
        attributes: dict[str, Value] = {
            "probs": normal,
            "logits": Computed(lambda: _op(machine, "log", _op(machine, "clamp", normal, Known(1e-7), Known(1.0)))),
        }
    else:
        shifted = _op(machine, "sub", logits, _op(machine, "logsumexp", logits, LAST, keepdim=keep))
        attributes = {"logits": shifted, "probs": Computed(lambda: _op(machine, "softmax", shifted, LAST))}

    def log_prob(value: Value) -> Value:
        picked = _op(machine, "gather", machine.attribute(made, "logits"), LAST, _op(machine, "unsqueeze", value, LAST))
        return _op(machine, "squeeze", picked, LAST)

    def entropy(_: Value) -> Value:
        product = _op(machine, "mul", machine.attribute(made, "logits"), machine.attribute(made, "probs"))
        return _op(machine, "neg", _op(machine, "sum", product, LAST))

    methods = {"log_prob": log_prob, "entropy": entropy, "sample": _sampled(machine, "int")}
    made = _distribution("Categorical", attributes, methods)
    return made


def normal(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    """`Normal(loc, scale)`: its density squares the scale and takes its logarithm."""
    loc, scale = _given(arguments, keywords, "loc", "scale")

    def log_prob(value: Value) -> Value:
        variance = _op(machine, "pow", scale, Known(2))
        square = _op(machine, "pow", _op(machine, "sub", value, loc), Known(2))
        quotient = _op(machine, "div", _op(machine, "neg", square), _op(machine, "mul", variance, Known(2)))
        return _op(machine, "sub", quotient, _op(machine, "log", scale))

    def rsample(_: Value) -> Value:
        noise = machine.recorder.fresh("randn")
        return _op(machine, "add", loc, _op(machine, "mul", noise, scale))

    def entropy(_: Value) -> Value:
        return _op(machine, "add", _op(machine, "log", scale), Known(1.4))

    attributes = {"loc": loc, "mean": loc, "scale": scale, "stddev": scale}
    methods = {"log_prob": log_prob, "rsample": rsample, "entropy": entropy, "sample": _sampled(machine, "float")}
    return _distribution("Normal", attributes, methods)


def bernoulli(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    """`Bernoulli(probs)`, `Bernoulli(logits=...)`: its density is the binary cross entropy of the logits."""
    probs, logits = _given(arguments, keywords, "probs", "logits")

    def read_logits() -> Value:
        if logits is not NONE:
            return logits
        kept = _op(machine, "clamp", probs, Known(1e-7), Known(1.0))
        return _op(machine, "sub", _op(machine, "log", kept), _op(machine, "log1p", _op(machine, "neg", kept)))

    def log_prob(value: Value) -> Value:
        loss = torch_call(
            machine, "torch.nn.functional.binary_cross_entropy_with_logits", [read_logits(), value], {}, "log_prob"
        )
        return _op(machine, "neg", loss)

    attributes: dict[str, Value] = {"probs": probs} if probs is not NONE else {"logits": logits}
    return _distribution("Bernoulli", attributes, {"log_prob": log_prob, "sample": _sampled(machine, "float")})


MAKERS = {
    f"torch.distributions.{module}{name}": maker
    for name, maker in (("Categorical", categorical), ("Normal", normal), ("Bernoulli", bernoulli))
    for module in ("", f"{name.lower()}.")
}
