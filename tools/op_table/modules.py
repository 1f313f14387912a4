"""Describe the classes of `torch.nn`: their constructors, what they register, and what their `forward` calls."""

# ruff: noqa: PLC0415 (torch is imported where it is used: see the package)

from __future__ import annotations

import ast
import contextlib
import inspect
import textwrap
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from inplace_lsp.torch_ops.model import ModuleOp, Overload, Param
from tools.op_table.binding import python_params
from tools.op_table.corrections import module_calls
from tools.op_table.merge import Sample, merge_samples
from tools.op_table.observe import NotObservableError, observe_call, tensors_in
from tools.op_table.recipes import SIGNATURES, module_recipes
from tools.op_table.seeds import set_seed

if TYPE_CHECKING:
    import torch

_CONTAINERS = ("Module", "Container", "Sequential", "ModuleList", "ModuleDict", "ParameterList", "ParameterDict")
EXAMPLES = 4

MANY = 20
"""Modules with more parameters than this are stacks of layers."""

_ABSTRACT = ("RNNBase", "RNNCellBase", "DataParallel")


@dataclass(frozen=True)
class Example:
    """The arguments to construct a module and to call it."""

    init_args: tuple[object, ...]
    init_kwargs: Mapping[str, object]
    args: tuple[object, ...]
    kwargs: Mapping[str, object]


def module_classes() -> Iterator[type[torch.nn.Module]]:
    """Return every class of `torch.nn` that is not a container."""
    import torch

    for name in sorted(dir(torch.nn)):
        found = getattr(torch.nn, name)
        if inspect.isclass(found) and issubclass(found, torch.nn.Module) and name not in _CONTAINERS + _ABSTRACT:
            yield found


def build_module(cls: type[torch.nn.Module], find: Callable[[str], Sequence[Overload]]) -> ModuleOp:
    """Return the facts of one class. `find` looks up a function in the table being built."""
    name = f"torch.nn.{cls.__name__}"
    recipes = len(list(module_recipes(cls.__name__)))
    examples = list(islice(examples_of(cls), max(EXAMPLES, recipes)))
    own = SIGNATURES.get(name)
    init = python_params(own) if own else python_params(cls.__init__)[1:]
    parameters, buffers = _find_registered(cls, init, examples)
    made = ModuleOp(name, init, parameters, buffers, versions=tuple(_first_versions(cls, parameters, examples)))
    corrected = module_calls().get(name)
    if corrected:
        call, arguments = corrected
        return replace(made, call=call, arguments=arguments)
    call, arguments = _single_call(cls, find)
    if call:
        return replace(made, call=call, arguments=arguments)
    return replace(made, forward_op=tuple(_observe_forward(cls, init, examples)))


def examples_of(cls: type[torch.nn.Module]) -> Iterator[Example]:
    """Return the examples of torch's module database and of our recipes."""
    import torch
    from torch.testing._internal.common_modules import module_db

    set_seed(0)
    for made_with, called_with in module_recipes(cls.__name__):
        yield Example(*made_with, *called_with)
    for info in module_db:
        if info.module_cls is cls:
            with warnings.catch_warnings(), contextlib.suppress(Exception):
                warnings.simplefilter("ignore")
                for each in info.module_inputs_func(
                    info, device="cpu", dtype=torch.float32, requires_grad=False, training=True
                ):
                    made, called = each.constructor_input, each.forward_input
                    if called is not None:
                        yield Example(made.args, made.kwargs, called.args, called.kwargs)


def construct_module(cls: type[torch.nn.Module], example: Example, **more: object) -> torch.nn.Module:
    """Return the module of an example, in training mode."""

    set_seed(0)
    return cls(*example.init_args, **{**example.init_kwargs, **more})


def _find_registered(
    cls: type[torch.nn.Module], init: Sequence[Param], examples: Sequence[Example]
) -> tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]:
    """Return parameters and buffers, each with the flag of `__init__` that removes it, found by constructing."""
    if not examples:
        return (), ()
    flags = [p.name for p in init if p.default in ("True", "False") and p.name not in ("inplace", "batch_first")]
    names = [p.name for p in init]
    given = {**dict(zip(names, examples[0].init_args, strict=False)), **examples[0].init_kwargs}

    def names_without(off: str) -> tuple[list[str], list[str]]:
        values = {**given, **{flag: flag != off for flag in flags}}
        with contextlib.suppress(Exception):
            module = construct_module(cls, Example((), values, (), {}))
            return [n for n, _ in module.named_parameters()], [n for n, _ in module.named_buffers()]
        return everything

    everything: tuple[list[str], list[str]] = ([], [])
    everything = names_without("")
    without = {flag: names_without(flag) for flag in flags}
    parameters, buffers = everything
    return (
        _find_conditions(parameters, {flag: each[0] for flag, each in without.items()}),
        _find_conditions(buffers, {flag: each[1] for flag, each in without.items()}),
    )


def _first_versions(
    cls: type[torch.nn.Module], parameters: Iterable[tuple[str, str]], examples: Sequence[Example]
) -> Iterator[tuple[str, int]]:
    """Return the number of writes to each parameter in the constructor (`nn.init`), where autograd starts to count."""
    made = dict(construct_module(cls, examples[0]).named_parameters()) if examples else {}
    for name, _ in parameters:
        if name in made and made[name]._version:
            yield name, made[name]._version


def _find_conditions(everything: Sequence[str], without: Mapping[str, Sequence[str]]) -> tuple[tuple[str, str], ...]:
    """Return each name, in the order of registration, with the flag that removes it; of several flags, the one that
    removes most."""
    if len(everything) > MANY:
        return ()  # a stack of layers: what matters is observed, the names depend on how deep it is

    def find_condition(name: str) -> str:
        flags = [flag for flag, left in without.items() if name not in left]
        return min(flags, key=lambda flag: (len(without[flag]), flag)) if flags else ""

    return tuple((name, find_condition(name)) for name in everything)


def _single_call(
    cls: type[torch.nn.Module], find: Callable[[str], Sequence[Overload]]
) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return the one call that `forward` returns, read from its source; ("", ()) if it is more than that."""
    value = _find_returned_value(cls.forward)
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Attribute):
        return "", ()
    home = value.func.value
    if not isinstance(home, ast.Name):
        return "", ()
    receiver = []
    if home.id in ("F", "torch"):
        called = f"{'torch.nn.functional' if home.id == 'F' else 'torch'}.{value.func.attr}"
    else:
        called, receiver = f"torch.Tensor.{value.func.attr}", [home]
    known = find(called)
    if not known:
        return "", ()
    return called, tuple(_read_arguments(known, [*receiver, *value.args], value.keywords))


def _find_returned_value(function: Callable[..., object]) -> ast.expr | None:
    """Return the value that a function returns if that is all it does."""
    try:
        definition = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    except (OSError, TypeError, SyntaxError):
        return None
    statements = [each for each in definition.body if not isinstance(each, ast.Expr)]  # type: ignore[attr-defined]
    return statements[0].value if len(statements) == 1 and isinstance(statements[0], ast.Return) else None


def _read_arguments(
    known: Sequence[Overload], args: Sequence[ast.expr], keywords: Sequence[ast.keyword]
) -> Iterator[tuple[str, str]]:
    params = max((each.params for each in known if "out" not in each.writes), key=len)
    for param, value in zip(params, args, strict=False):
        yield param.name, _read_argument(value)
    for keyword in keywords:
        if any(param.name == keyword.arg for param in params) and not str(keyword.arg).startswith("_"):
            yield str(keyword.arg), _read_argument(keyword.value)


def _read_argument(value: ast.expr) -> str:
    if isinstance(value, ast.Call) and len(value.args) == 1:
        value = value.args[0]  # `float(self.norm_type)`
    text = ast.unparse(value)
    return "training" if text == "self.training" else text


def _observe_forward(cls: type[torch.nn.Module], init: Sequence[Param], examples: Sequence[Example]) -> list[Overload]:
    """Return `forward` as an op whose parameters are the module's besides its arguments: one overload, or several
    selected by a flag of the module or the call (`self.batch_first`, `average_attn_weights`)."""
    if not examples:
        return []
    params = list(python_params(cls.forward)[1:])
    flags = [Param(f"self.{p.name}", "bool", p.default, True) for p in init if p.default in ("True", "False")]
    usual = {p.name: p.default == "True" for p in (*params, *flags) if p.default in ("True", "False")}
    samples, names = _sample_forward(cls, init, examples, usual)
    if not samples:
        return []
    known = [replace(p, type="Tensor") if _always_tensor(p.name, cls, examples) else p for p in params]
    own = [Param(name, "Tensor", "None", True) for name in names if name != "self."]
    made, _ = merge_samples(Overload("forward", (*known, *own)), samples)
    given = {name for each in made for name, _ in each.given}
    asked = [flag for flag in flags if flag.name in given]
    known_to_it = {p.name for p in (*known, *own)}
    results = max(each.returns for each in made)  # `need_weights=False` gives a pair too, of a tensor and None
    return [_trim_overload(replace(each, params=(*known, *own, *asked), returns=results), known_to_it) for each in made]


def _sample_forward(
    cls: type[torch.nn.Module], init: Sequence[Param], examples: Sequence[Example], usual: dict[str, bool]
) -> tuple[list[Sample], list[str]]:
    """Call the forward of each example's module; return what was observed, and the names of the members it used."""
    samples: list[Sample] = []
    names: dict[str, None] = {}
    for example in examples:
        with warnings.catch_warnings(), contextlib.suppress(NotObservableError, RuntimeError, TypeError):
            warnings.simplefilter("ignore")
            module = construct_module(cls, example)
            given = _forward_arguments(cls, module, example)
            evidence = observe_call(make_forward(module), given)
            samples.append(Sample(usual | _flags_of(init, example, usual), evidence, usual))
            names |= dict.fromkeys(name for name in given if name.startswith("self.") and name != "self.")
    return samples, list(names)


def _flags_of(init: Sequence[Param], example: Example, usual: Mapping[str, bool]) -> dict[str, bool]:
    """Return the flags of an example: those of the module as `self.NAME`, those of the call by name."""
    made = {**dict(zip([p.name for p in init], example.init_args, strict=False)), **example.init_kwargs}
    given = {**{f"self.{name}": value for name, value in made.items()}, **example.kwargs}
    return {name: value for name, value in given.items() if name in usual and isinstance(value, bool)}


def _trim_overload(overload: Overload, known: set[str]) -> Overload:
    """Return the overload without the parameters of inner layers, which are too many to name."""
    kept = [save for save in overload.saves if save.role in known or save.role.startswith("result")]
    saves = [replace(save, when=save.when & known) for save in kept]
    return replace(
        overload, differentiable=overload.differentiable & known, saves=tuple(save for save in saves if save.when)
    )


def _forward_arguments(cls: type[torch.nn.Module], module: torch.nn.Module, example: Example) -> Mapping[str, object]:
    bound = inspect.signature(cls.forward).bind(module, *example.args, **example.kwargs).arguments
    given = {name: value for name, value in bound.items() if name != "self"}
    own = {f"self.{name}": tensor for name, tensor in module.named_parameters()}
    return given | (own if len(own) <= MANY else {"self.": own})


def make_forward(module: torch.nn.Module) -> Callable[[Mapping[str, object]], object]:
    """Return `module`'s forward as a function of its arguments and its parameters (`self.NAME`)."""
    import torch

    def call_forward(given: Mapping[str, object]) -> object:
        layers = given.get("self.", {})
        assert isinstance(layers, Mapping)
        flat = {**given, **layers}
        own = {
            name.removeprefix("self."): v for name, v in flat.items() if name.startswith("self.") and name != "self."
        }
        rest = {name: value for name, value in given.items() if not name.startswith("self.")}
        return torch.func.functional_call(module, own, (), rest)

    return call_forward


def _always_tensor(name: str, cls: type[torch.nn.Module], examples: Sequence[Example]) -> bool:
    values = []
    for example in examples:
        with contextlib.suppress(TypeError):
            values.append(
                inspect.signature(cls.forward).bind(None, *example.args, **example.kwargs).arguments.get(name)
            )
    return bool(values) and all(value is not None and len(tensors_in(value)) == 1 for value in values)
