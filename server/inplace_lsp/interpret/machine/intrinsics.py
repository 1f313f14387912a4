"""Intrinsics: library functions that the recorder implements itself, as Python could not express them.

Each is declared once, with its signature in Python's own notation; the binder of `signatures` binds its arguments. A
parameter that does not matter to gradients is declared as such, with the reason. An argument that does not bind makes
the result unknown, and is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.signatures import Parameter, bind_arguments, bind_simple_call, parse_signature
from inplace_lsp.interpret.state.values import NONE, Known, Native, Value

Implementation = TypeVar("Implementation", bound=Callable[..., Value])


@dataclass(frozen=True)
class Intrinsic:
    """A library function that the recorder implements. `run` gets the machine and, by name, all parameters but the
    `ignored` ones.

    `ignored` says of each parameter that `run` does not look at why it does not matter. `wants_text`: `run` also takes
    `text`, how the reader knows the call.
    """

    signature: str
    run: Callable[..., Value]
    ignored: Mapping[str, str] = field(default_factory=dict)
    wants_text: bool = False

    @property
    def name(self) -> str:
        """Return the dotted name of the function."""
        return self.signature.partition("(")[0]

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """Return the parameters of the signature."""
        return parse_signature(self.signature)[1]

    @cached_property
    def defaults(self) -> dict[str, Value]:
        """Return the values of parameters that a call leaves out."""
        skipped = (
            parameter
            for parameter in self.parameters
            if not parameter.required and parameter.kind not in ("vararg", "kwarg")
        )
        return {
            parameter.name: NONE if parameter.default is None else Known(parameter.default) for parameter in skipped
        }

    def bind_and_run(
        self, machine: Machine, arguments: Sequence[Value], keywords: Mapping[str, Value], text: str
    ) -> Value:
        """Bind the arguments and run the function; return an unknown value if they do not bind."""
        values = bind_simple_call(self.parameters, arguments, keywords)
        if values is None:
            binding = bind_arguments(self.parameters, arguments, keywords)
            if not binding.fits:
                return machine.unknown_call(text or self.name, [*arguments, *keywords.values()])
            values = binding.values
        given: dict[str, Any] = {**self.defaults, **values}
        for name in self.ignored:
            del given[name]
        if self.wants_text:
            given["text"] = text
        return self.run(machine, **given)


INTRINSICS: dict[str, Intrinsic] = {}
"""All intrinsics by dotted name. Methods stand under their class: `torch.Tensor.detach`, `builtins.list.append`."""


def intrinsic(*signatures: str, **ignored: str) -> Callable[[Implementation], Implementation]:
    """Declare the decorated function as the implementation of `signatures`. `ignored`: parameters that do not matter,
    and why."""

    def declare_intrinsics(run: Implementation) -> Implementation:
        code = run.__code__
        wants_text = "text" in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        for signature in signatures:
            made = Intrinsic(
                signature, run, {k: v for k, v in ignored.items() if _has_parameter(signature, k)}, wants_text
            )
            INTRINSICS[made.name] = made
        return run

    return declare_intrinsics


def make_native(machine: Machine, signature: str, run: Callable[..., Value]) -> Native:
    """Return a function for use as a value; `run` gets its arguments by name, bound as `signature` says."""
    declared = Intrinsic(signature, lambda machine, **given: run(**given))
    return Native(lambda arguments, keywords: declared.bind_and_run(machine, arguments, keywords, ""), declared.name)


def _has_parameter(signature: str, parameter: str) -> bool:
    """Return whether the signature has that parameter: signatures that share a function may ignore different ones."""
    return any(declared.name == parameter for declared in parse_signature(signature)[1])
