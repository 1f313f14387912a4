"""The facts about one torch callable, as the abstract recorder needs them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

ParamType = Literal["Tensor", "Tensor?", "Tensor[]", "Scalar", "int", "int[]", "float", "bool", "str", "dtype", "other"]
AliasKind = Literal["view", "multi", "apart", "maybe", "same", "maybe_same"]
Passes = Literal["", "whole", "none"]


@dataclass(frozen=True, slots=True)
class Param:
    """A parameter. `default` is its Python source text, None where it must be given.

    `variadic`: takes either one sequence or all the remaining positional arguments (`x.view(2, 3)`, `meshgrid(a, b)`).
    """

    name: str
    type: ParamType
    default: str | None = None
    keyword_only: bool = False
    variadic: bool = False

    kind: Literal["normal", "keyword"] = field(init=False, repr=False, compare=False)
    required: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Say how an argument reaches it, and whether a call must give it: asked for at every call of an op."""
        object.__setattr__(self, "kind", "keyword" if self.keyword_only else "normal")
        object.__setattr__(self, "required", self.default is None)


@dataclass(frozen=True, slots=True)
class SavedRole:
    """The op keeps `role` for its backward if any parameter in `when` requires grad.

    `role` is a parameter's name or `result`, `result1`, ... (output 0, 1, ...). An empty `when` never occurs.
    """

    role: str
    when: frozenset[str]


@dataclass(frozen=True, slots=True)
class Alias:
    """Output `output` shares memory with parameter `of`.

    `view`: a plain view; `multi`: one of several views made at once (in-place writes to it are refused);
    `apart`: the same memory under a version counter of its own, unknown to autograd: `unsafe_chunk`; `maybe`: a view
    (or the very object) when the layout allows, else a copy: `reshape`; `same`: the very object; `maybe_same`: the very
    object when there is nothing to do, else a copy: `contiguous`, `to`, `float`.
    """

    output: int
    of: str
    kind: AliasKind


@dataclass(frozen=True, slots=True)
class Overload:
    """One way to call a torch callable.

    `given` restricts the overload to calls whose bound arguments have these constant values (`inplace=True`); overloads
    are tried in order and the first that fits is taken. `differentiable` are the parameters gradients flow through
    (empty: no output ever requires grad). `no_grad_outputs` are outputs that never require grad (indices, masks).
    `writes` are the parameters written in place; `bumps` whether that is seen by the version counter. `returns` is the
    number of tensor outputs; -1: a list of tensors. `saves_something`: the node keeps any tensor at all, a private one
    (a mask, a clone) included, so that a second walk over it fails. `derivative`: one line of math for the reader.
    `writes_no_grad`: the writes happen under no_grad inside the callable (`nn.init`), so that torch accepts them on
    leaves and they leave no node. `out_of_any`: torch lets it write to `out=` though arguments require grad: what it
    computes never does (indices, comparisons). The look-up finds that out from the other overloads.
    `passes`: what a write in place lets through of the gradient to the value that was there before, the `whole` of it
    (`add_`) or `none` although the new value depends on it (`round_`); "": neither.
    `shares_gradient`: the parameters whose gradient lies in the memory of the result's: itself or a view of it.
    """

    name: str
    params: tuple[Param, ...]
    returns: int = 1
    differentiable: frozenset[str] = frozenset()
    no_grad_outputs: frozenset[int] = frozenset()
    saves: tuple[SavedRole, ...] = ()
    saves_something: bool = False
    writes: tuple[str, ...] = ()
    bumps: bool = True
    aliases: tuple[Alias, ...] = ()
    given: tuple[tuple[str, bool | int | float | str | None], ...] = ()
    derivative: str = ""
    writes_no_grad: bool = False
    out_of_any: bool = False
    passes: Passes = ""
    shares_gradient: frozenset[str] = frozenset()

    def makes_leaf(self) -> bool:
        """Return whether the op makes a new leaf: a factory such as `torch.zeros`, which takes `requires_grad`."""
        return any(param.name == "requires_grad" for param in self.params)


@dataclass(frozen=True, slots=True)
class ModuleOp:
    """An `nn.Module` class of torch.

    `init` are the parameters of `__init__`. `parameters` / `buffers` map each registered name to the condition under
    which it exists: an `init` parameter that must be true (`bias`), or "" for always. `call` names the torch callable
    that `forward` amounts to, with `arguments` as (its parameter, source): source is a name of `forward`, `self.NAME`
    (an attribute, parameter or buffer; an attribute is the `init` argument of that name), or `training`. Where `call`
    is empty, `forward_op` describes forward itself, observed; its params are forward's plus `self.NAME` for parameters.
    `versions`: how often `__init__` writes each parameter, which is the version that it starts with.
    """

    name: str
    init: tuple[Param, ...]
    parameters: tuple[tuple[str, str], ...] = ()
    buffers: tuple[tuple[str, str], ...] = ()
    call: str = ""
    arguments: tuple[tuple[str, str], ...] = ()
    forward_op: tuple[Overload, ...] = ()
    versions: tuple[tuple[str, int], ...] = ()
