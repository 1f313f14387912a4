"""Intrinsics: what the recorder itself does when a library function is called, as Python could not say it.

Each is declared once, with its signature in Python's own notation; the one binder of `signatures` binds its arguments.
A parameter that does not matter to gradients is declared as such, with the reason. An argument that does not bind makes
the result unknown, and is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.signatures import Parameter, bind, bind_plainly, parse_signature
from inplace_lsp.interpret.state.values import NONE, Known, Native, Value

Run = TypeVar("Run", bound=Callable[..., Value])


@dataclass(frozen=True)
class Intrinsic:
    """A function of the recorder's own. `run` gets the machine and, by name, all parameters but the `ignored` ones.

    `ignored` says of each parameter that `run` does not look at why it does not matter. `wants_text`: `run` also takes
    `text`, how the reader knows the call.
    """

    signature: str
    run: Callable[..., Value]
    ignored: Mapping[str, str] = field(default_factory=dict)
    wants_text: bool = False

    @property
    def name(self) -> str:
        """The dotted name it is called by."""
        return self.signature.partition("(")[0]

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """What it takes."""
        return parse_signature(self.signature)[1]

    @cached_property
    def defaults(self) -> dict[str, Value]:
        """What the parameters are that a call leaves out."""
        left_out = (one for one in self.parameters if not one.required and one.kind not in ("vararg", "kwarg"))
        return {one.name: NONE if one.default is None else Known(one.default) for one in left_out}

    def call(self, machine: Machine, arguments: Sequence[Value], keywords: Mapping[str, Value], text: str) -> Value:
        """Bind the arguments and run it; an unknown value where they do not bind."""
        values = bind_plainly(self.parameters, arguments, keywords)
        if values is None:
            binding = bind(self.parameters, arguments, keywords)
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


def intrinsic(*signatures: str, **ignored: str) -> Callable[[Run], Run]:
    """Declare the decorated function as what `signatures` do. `ignored`: parameters that do not matter, and why."""

    def declare(run: Run) -> Run:
        code = run.__code__
        wants_text = "text" in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        for signature in signatures:
            made = Intrinsic(signature, run, {k: v for k, v in ignored.items() if _names(signature, k)}, wants_text)
            INTRINSICS[made.name] = made
        return run

    return declare


def make_native(machine: Machine, signature: str, run: Callable[..., Value]) -> Native:
    """Return a function that other values hand out; `run` gets its arguments by name, bound as `signature` says."""
    declared = Intrinsic(signature, lambda machine, **given: run(**given))
    return Native(lambda arguments, keywords: declared.call(machine, arguments, keywords, ""), declared.name)


def _names(signature: str, parameter: str) -> bool:
    """Whether the signature has that parameter: several that share a function need not have the same ones to ignore."""
    return any(one.name == parameter for one in parse_signature(signature)[1])
