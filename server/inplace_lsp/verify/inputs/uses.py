"""How a function uses its parameters: what kind of value each can only be."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from inplace_lsp.torch_ops.table import find
from inplace_lsp.verify.inputs.program import Function, last_name

_SHARED = frozenset("index copy items keys values pop append sort count format split join replace type get".split())
_ONLY_TENSORS = frozenset("shape dtype device grad requires_grad data T ndim is_cuda grad_fn".split())
_MODULE = frozenset("parameters named_parameters train eval state_dict zero_grad load_state_dict children".split())


_COUNTING = frozenset(
    "range int float arange linspace zeros ones empty rand randn eye view reshape Linear Conv2d".split()
)
"""Calls whose plain arguments are numbers."""


@dataclass(slots=True)
class Use:
    """What was seen of one parameter."""

    attributes: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    unpacked: int = 0
    called: bool = False
    counted: bool = False
    looped: bool = False
    tested: bool = False
    computed: bool = False
    indexed: bool = False
    compared: bool = False

    @property
    def is_module(self) -> bool:
        """Whether it is asked what only modules are asked."""
        return any(name in _MODULE for name in self.attributes)

    @property
    def is_optimizer(self) -> bool:
        """Whether it is stepped."""
        return "step" in self.attributes

    @property
    def is_tensor(self) -> bool:
        """Whether it is asked what only tensors are asked."""
        return any(
            name in _ONLY_TENSORS or (name not in _SHARED and bool(find(f"torch.Tensor.{name}")))
            for name in self.attributes
        ) and not (self.is_module or self.keys)

    @property
    def fields(self) -> list[str]:
        """The attributes, where they are none of a tensor or a module."""
        plain = not self.is_tensor and not self.is_module and not self.is_optimizer
        only_shared = all(name in _SHARED for name in self.attributes)
        return list(dict.fromkeys(self.attributes)) if plain and not only_shared else []


def uses(node: Function) -> dict[str, Use]:
    """What a function's body does with each name it is given."""
    given = node.args
    stars = [arg for arg in (given.vararg, given.kwarg) if arg is not None]
    found = {arg.arg: Use() for arg in [*given.posonlyargs, *given.args, *given.kwonlyargs, *stars]}
    for statement in node.body:
        for inner in ast.walk(statement):
            _note(inner, found)
    return found


def _note(node: ast.AST, found: dict[str, Use]) -> None:
    def use(expression: ast.expr | None) -> Use | None:
        return found.get(expression.id) if isinstance(expression, ast.Name) else None

    match node:
        case ast.Attribute(value=value, attr=name) if (one := use(value)) is not None:
            one.attributes.append(name)
        case ast.Subscript(value=value, slice=ast.Constant(value=str(key))) if (one := use(value)) is not None:
            one.keys.append(key)
        case ast.Subscript(value=value, slice=ast.Tuple()) if (one := use(value)) is not None:
            one.computed = True
        case ast.Subscript(value=value) if (one := use(value)) is not None:
            one.indexed = True
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=value) if (one := use(value)) is not None:
            one.unpacked = len(targets)
        case ast.For(iter=source) | ast.comprehension(iter=source):
            _note_loop(source, use)
        case ast.Compare(left=left, comparators=[ast.Constant(value=str(text))]) if (one := use(left)) is not None:
            one.texts.append(text)
        case ast.If(test=test) | ast.IfExp(test=test) if (one := use(_bare(test))) is not None:
            one.tested = True
        case ast.Compare(left=left, comparators=[ast.Constant(value=int())]) if (one := use(left)) is not None:
            one.compared = True
        case ast.Match(subject=subject, cases=cases) if (one := use(subject)) is not None:
            one.texts += [text for case in cases for text in _texts(case.pattern)]
        case ast.BinOp(left=left, op=ast.FloorDiv() | ast.Mod(), right=right):
            for one in (use(left), use(right)):
                if one is not None:
                    one.counted = True
        case ast.BinOp(left=left, right=right):
            for one in (use(left), use(right)):
                if one is not None:
                    one.computed = True
        case ast.Call(func=function, args=arguments):
            if (one := use(function)) is not None:
                one.called = True
            if last_name(function) in _COUNTING:
                for one in map(use, arguments):
                    if one is not None:
                        one.counted = True


def _texts(pattern: ast.pattern) -> list[str]:
    """The texts that a `case` matches."""
    values = (one.value for one in ast.walk(pattern) if isinstance(one, ast.MatchValue))
    return [one.value for one in values if isinstance(one, ast.Constant) and isinstance(one.value, str)]


def _note_loop(source: ast.expr, use: object) -> None:
    while isinstance(source, ast.Call) and last_name(source.func) in ("enumerate", "zip", "tqdm", "reversed"):
        for inner in source.args:
            _note_loop(inner, use)
        return
    one = use(source)  # type: ignore[operator]
    if one is not None:
        one.looped = True


def _bare(test: ast.expr) -> ast.expr:
    return test.operand if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) else test
