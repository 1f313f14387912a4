"""Python's standard library and numpy, as far as tensors pass through them."""

from __future__ import annotations

from itertools import pairwise, product

from inplace_lsp.interpret.machine.iteration import elements
from inplace_lsp.interpret.machine.machine import Handler, Machine
from inplace_lsp.interpret.python import builtins, dispatch, executors, heaps, operators
from inplace_lsp.interpret.state.values import (
    AS_IT_IS,
    NONE,
    Class,
    Function,
    Instance,
    Items,
    Known,
    Mapping,
    Native,
    Number,
    Tensor,
    Value,
)
from inplace_lsp.interpret.torch_api import copying, indexing, modes, tensor_methods

FIELD = "dataclasses.field"
"""How the maker of a dataclass field's default is called."""


def _partial(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    if not arguments:
        return machine.unknown(text)
    function, given = arguments[0], arguments[1:]
    return Native(lambda more, named: machine.call(function, [*given, *more], {**keywords, **named}, text), "partial")


def _reduce(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    """`functools.reduce(function, items, start)`."""
    if len(arguments) < 2:
        return machine.unknown(text)
    items = [*arguments[2:3], *elements(machine, arguments[1])]
    if not items:
        return machine.unknown(text)
    result = items[0]
    for item in items[1:]:
        result = machine.call(arguments[0], [result, item], {}, text)
    return result


def _accumulate(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    """`itertools.accumulate(items, function, initial=)`: every partial result."""
    given = dict(zip(("iterable", "func"), arguments, strict=False)) | keywords
    function, initial = given.get("func", NONE), given.get("initial", NONE)
    items = [*([initial] if initial is not NONE else []), *elements(machine, given.get("iterable", NONE))]
    results = items[:1]
    for item in items[1:]:
        if function is NONE:
            results.append(operators.binary(machine, "+", results[-1], item, text))
        else:
            results.append(machine.call(function, [results[-1], item], {}, text))
    return Items("list", results)


def _exit_stack(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    return Items(modes.EXIT_STACK, [])


def _remembering(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    """`lru_cache`, with or without arguments: the function gives the same object for the same arguments."""

    def remember(given: list[Value], named: dict[str, Value]) -> Value:
        if given and isinstance(given[0], Function):
            given[0].results = {}
        return given[0] if given else NONE

    return remember(arguments, {}) if arguments and isinstance(arguments[0], Function) else Native(remember)


def _wraps(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    return AS_IT_IS


def _in_place_operator(method: str) -> Handler:
    def run(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:

        if len(arguments) != 2:
            return machine.unknown(text)
        return operators.in_place(machine, method, arguments[0], arguments[1])

    return run


def _plain_operator(symbol: str) -> Handler:
    def run(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
        if len(arguments) != 2:
            return machine.unknown(text)
        return operators.binary(machine, symbol, arguments[0], arguments[1], text)

    return run


def _operator_setitem(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:

    if len(arguments) == 3:
        indexing.put(machine, *arguments)
    return NONE


def _first(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    return arguments[0] if arguments else NONE


def _method_caller(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    """`operator.methodcaller(name, *args)`."""
    name = arguments[0].value if arguments and isinstance(arguments[0], Known) else ""

    def run(given: list[Value], named: dict[str, Value]) -> Value:
        method = machine.attribute(given[0], str(name)) if given else NONE
        return machine.call(method, arguments[1:], keywords, text)

    return Native(run, "methodcaller")


def _namespace(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    """`SimpleNamespace(a=x)`: an object with just these attributes."""
    fields = Items("list", [Known(name) for name in keywords])
    return Instance(Class("SimpleNamespace", (), (), {"__annotated__": fields}), dict(keywords), name="namespace")


def _field(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    """`dataclasses.field(...)`: what makes the default of each object."""
    factory = keywords.get("default_factory")

    def make(given: list[Value], named: dict[str, Value]) -> Value:
        return machine.call(factory, [], {}, text) if factory is not None else keywords.get("default", NONE)

    return Native(make, FIELD)


_FUNCTIONS: dict[str, Handler] = {
    "types.SimpleNamespace": _namespace,
    "dataclasses.field": _field,
    "functools.partial": _partial,
    "functools.reduce": _reduce,
    "functools.wraps": _wraps,
    "argparse.Namespace": _namespace,
    "itertools.accumulate": _accumulate,
    "contextlib.ExitStack": _exit_stack,
    "functools.lru_cache": _remembering,
    "functools.cache": _remembering,
    "functools.singledispatch": dispatch.making(0),
    "functools.singledispatchmethod": dispatch.making(1),
    "dataclasses.dataclass": _wraps,
    "contextlib.nullcontext": _first,
    **{
        f"operator.{name}": _plain_operator(symbol)
        for name, symbol in (("add", "+"), ("sub", "-"), ("mul", "*"), ("truediv", "/"), ("pow", "**"), ("matmul", "@"))
    },
    **executors.FUNCTIONS,
    **heaps.FUNCTIONS,
    "operator.setitem": _operator_setitem,
    "operator.methodcaller": _method_caller,
    **{f"operator.{name}": _in_place_operator(op) for name, op in
       (("iadd", "+"), ("isub", "-"), ("imul", "*"), ("itruediv", "/"), ("ifloordiv", "//"), ("imod", "%"),
        ("ipow", "**"), ("iand", "&"), ("ior", "|"), ("ixor", "^"))},
}  # fmt: skip

DECORATORS = frozenset(f"functools.{name}" for name in ("lru_cache", "cache", "singledispatch", "singledispatchmethod"))
"""Decorators that are called with the function itself: what they make of it matters."""


def call(machine: Machine, name: str, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    """Call the function `name` of a library that is not torch."""
    if name in _FUNCTIONS:
        return _FUNCTIONS[name](machine, arguments, keywords, text)
    root, _, short = name.partition(".")
    if root == "numpy":
        return _numpy(machine, name, arguments, keywords, text)
    if root == "math":
        return Number()
    if root == "copy" and arguments:
        return _copied(machine, arguments[0], text) if short == "deepcopy" else _shallow(machine, arguments[0], text)
    if root == "random" and arguments and isinstance(arguments[0], Items):
        return _picked(machine, short, arguments[0], text)
    if root == "tqdm" and arguments:
        return arguments[0]
    if name == "collections.defaultdict":
        return Mapping({}, default=arguments[0] if arguments and arguments[0] is not NONE else None)
    if name == "collections.namedtuple" and len(arguments) > 1:
        return _named_tuple(machine, arguments[0], arguments[1])
    if name == "collections.deque":
        return builtins.call(machine, "list", arguments[:1], {}, text)
    if name == "collections.OrderedDict":
        return builtins.call(machine, "dict", arguments, keywords, text)
    if root == "itertools":
        return _iterators(machine, short, arguments, text)
    return machine.unknown_call(text or name, [*arguments, *keywords.values()])


def _numpy(machine: Machine, name: str, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    short = name.rpartition(".")[2]
    first = arguments[0] if arguments else NONE
    shares = short in (
        "asarray",
        "asanyarray",
        "ascontiguousarray",
        "ravel",
        "reshape",
        "transpose",
        "from_dlpack",
        "squeeze",
    )
    if isinstance(first, Tensor) and shares:
        return machine.recorder.alias(first, ".numpy()", shares_counter=first.array, array=True)
    out = keywords.get("out")
    target = first if short in ("copyto", "put", "place", "putmask", "fill_diagonal") else out
    if isinstance(target, Tensor) and target.array:
        machine.recorder.write(target, f"numpy.{short}")
        return target
    if short in ("zeros", "ones", "empty", "array", "full", "arange", "linspace", "zeros_like", "ones_like", "eye"):
        made = machine.recorder.fresh(f"numpy.{short}")
        made.array, made.alias = True, "numpy"
        return made
    result = machine.unknown(text or name)
    result.graphless = True
    return result


def _named_tuple(machine: Machine, name: Value, fields: Value) -> Value:
    """The class that `namedtuple("P", "x y")` makes."""
    words = (
        fields.value.replace(",", " ").split() if isinstance(fields, Known) and isinstance(fields.value, str) else []
    )
    names: list[Value] = [Known(word) for word in words] or list(elements(machine, fields))
    title = str(name.value) if isinstance(name, Known) else "namedtuple"
    return Class(title, (), ("typing.NamedTuple",), {"__annotated__": Items("list", names)})


def _shallow(machine: Machine, value: Value, text: str) -> Value:
    copied = copying.shallow(value)
    return copied if copied is not None else machine.unknown(text)


def _picked(machine: Machine, name: str, given: Items, text: str) -> Value:
    """What `random` takes out of a list: any element stands for the one that is taken."""
    if name == "choice" and given.items:
        return given.items[machine.choices.choose(len(given.items))]
    if name in ("sample", "choices", "sorted"):
        return Items("list", list(given.items), open=True, more=given.more)
    return NONE if name == "shuffle" else machine.unknown(text)


def _copied(machine: Machine, value: Value, text: str) -> Value:
    if isinstance(value, Tensor):
        return tensor_methods.torch_call(machine, "torch.clone", [value], {}, text)
    copied = copying.deep(machine, value)
    return copied if copied is not None else machine.unknown(text)


def _iterators(machine: Machine, name: str, arguments: list[Value], text: str) -> Value:
    if name in ("chain", "chain.from_iterable"):
        parts = list(elements(machine, arguments[0])) if name.endswith("iterable") and arguments else arguments
        return Items("list", [item for part in parts for item in elements(machine, part)])
    if name in ("cycle", "islice") and arguments:
        return Items("list", list(elements(machine, arguments[0])), open=True)
    if name == "pairwise" and arguments:
        items = list(elements(machine, arguments[0]))
        return Items("list", [Items("tuple", [a, b]) for a, b in pairwise(items)])
    if name == "zip_longest":
        return builtins.call(machine, "zip", arguments, {}, text)
    if name == "product" and arguments:
        columns = [list(elements(machine, one)) for one in arguments]
        return Items("list", [Items("tuple", list(row)) for row in product(*columns)])
    if name == "repeat" and arguments:
        return Items("list", arguments[:1] * 2, open=True)
    if name == "count":
        return Items("list", [Number(hint=0), Number(hint=1)], open=True)
    return machine.unknown(text or name, arguments)
