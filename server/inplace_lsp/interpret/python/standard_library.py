"""Model functions of Python's standard library that need the recorder, and calls of other libraries."""

from __future__ import annotations

from inplace_lsp.interpret.machine.intrinsics import intrinsic, make_native
from inplace_lsp.interpret.machine.iteration import find_elements
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.python import arrays
from inplace_lsp.interpret.python.assumed_optimizers import expect_modules
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
    is_given,
)
from inplace_lsp.interpret.torch_api import copying, table_ops

FIELD = "dataclasses.field"
"""The name of the factory of a dataclass field's default."""

_OBJECT = "how its objects are compared, shown and stored says nothing of tensors"
_CHANCE = "which it is, is chance"

DECORATORS = frozenset(f"functools.{name}" for name in ("lru_cache", "cache", "singledispatch", "singledispatchmethod"))
"""Decorators that are called with the function itself, because their result matters."""


def call_other_library(
    machine: Machine, name: str, arguments: list[Value], keywords: dict[str, Value], text: str
) -> Value:
    """Call the function `name` of a library other than torch that has no intrinsic and no model."""
    root = name.partition(".")[0]
    if root == "numpy":
        return arrays.ANY_FUNCTION.bind_and_run(machine, arguments, keywords, text or name)
    if root == "math":
        return Number()
    expect_modules(machine, text or name, [*arguments, *keywords.values()])
    return machine.unknown_call(text or name, [*arguments, *keywords.values()], name)


_TESTS = "when it is made, and for which tests, says nothing of what it is"


@intrinsic(
    "pytest.fixture(fixture_function=None, *, scope='function', params=None, autouse=False, ids=None, name=None)",
    **dict.fromkeys("scope params autouse ids name".split(), _TESTS),
)
def _declare_fixture(machine: Machine, fixture_function: Value) -> Value:
    """Return the function: the tests that have a parameter of its name get what it returns."""
    return fixture_function if isinstance(fixture_function, Function) else AS_IT_IS


@intrinsic("functools.lru_cache(maxsize=128, typed=False)", typed="keys differ by their class in any case")
def _remember_recent_results(machine: Machine, maxsize: Value) -> Value:
    """Make the function return the same object for the same arguments."""
    return (
        _remember_results(maxsize)
        if isinstance(maxsize, Function)
        else make_native(machine, "decorator(user_function)", _remember_results)
    )


@intrinsic("functools.cache(user_function, /)")
def _remember_all_results(machine: Machine, user_function: Value) -> Value:
    return _remember_results(user_function)


def _remember_results(user_function: Value) -> Value:
    if isinstance(user_function, Function):
        user_function.results = {}
    return user_function


@intrinsic(
    "dataclasses.dataclass(cls=None, /, *, init=True, repr=True, eq=True, order=False, unsafe_hash=False, "
    "frozen=False, match_args=True, kw_only=False, slots=False, weakref_slot=False)",
    **dict.fromkeys(
        "init repr eq order unsafe_hash frozen match_args kw_only slots weakref_slot".split(),
        "a class with annotated names takes them as arguments in any case",
    ),
)
def _make_dataclass(machine: Machine, cls: Value) -> Value:
    return cls if not isinstance(cls, Known) else AS_IT_IS


@intrinsic(
    "dataclasses.field(*, default=..., default_factory=..., init=True, repr=True, hash=None, compare=True, "
    "metadata=None, kw_only=...)",
    **dict.fromkeys("init repr hash compare metadata kw_only".split(), _OBJECT),
)
def _make_field(machine: Machine, default: Value, default_factory: Value, text: str) -> Value:
    """Return the factory of a field's default."""

    def make_default(arguments: list[Value], keywords: dict[str, Value]) -> Value:
        if is_given(default_factory):
            return machine.call(default_factory, [], {}, text)
        return default if is_given(default) else NONE

    return Native(make_default, FIELD)


@intrinsic("types.SimpleNamespace(mapping=(), /, **kwargs)")
def _make_simple_namespace(machine: Machine, mapping: Value, kwargs: Mapping) -> Value:
    given = mapping.items if isinstance(mapping, Mapping) else {}
    return _make_namespace("SimpleNamespace", {**given, **kwargs.items})


@intrinsic("argparse.Namespace(**kwargs)")
def _make_argparse_namespace(machine: Machine, kwargs: Mapping) -> Value:
    return _make_namespace("Namespace", dict(kwargs.items))


def _make_namespace(name: str, attributes: dict[str, Value]) -> Instance:
    """Return an object with just these attributes; as in a dataclass, they are for the caller."""
    fields = Items("list", [Known(attribute) for attribute in attributes])
    return Instance(Class(name, (), (), {"__annotated__": fields}), attributes, name="namespace")


@intrinsic(
    "collections.namedtuple(typename, field_names, *, rename=False, defaults=None, module=None)",
    rename="a program that runs has names that can be fields",
    module="where a class stands says nothing of tensors",
)
def _make_named_tuple(machine: Machine, typename: Value, field_names: Value, defaults: Value) -> Value:
    given = field_names.value if isinstance(field_names, Known) else None
    words = given.replace(",", " ").split() if isinstance(given, str) else []
    names: list[Value] = [Known(word) for word in words] or list(find_elements(machine, field_names))
    members: dict[str, Value] = {}
    last = list(find_elements(machine, defaults)) if defaults is not NONE and isinstance(defaults, Items) else []
    for name, value in zip(reversed(names), reversed(last), strict=False):
        members[str(name.value) if isinstance(name, Known) else ""] = value
    return _name_tuple(typename, names, members)


@intrinsic("typing.NamedTuple(typename, fields=[], /, **kwargs)")
def _make_typed_tuple(machine: Machine, typename: Value, fields: Value, kwargs: Mapping) -> Value:
    pairs = [*find_elements(machine, fields)]
    names: list[Value] = [pair.items[0] for pair in pairs if isinstance(pair, Items) and pair.items]
    return _name_tuple(typename, [*names, *(Known(name) for name in kwargs.items)], {})


def _name_tuple(typename: Value, names: list[Value], defaults: dict[str, Value]) -> Class:
    """Return a class of tuples with named elements."""
    title = str(typename.value) if isinstance(typename, Known) else "namedtuple"
    return Class(title, (), ("typing.NamedTuple",), {"__annotated__": Items("list", names), **defaults})


@intrinsic("copy.copy(x)")
def _copy_value(machine: Machine, x: Value, text: str) -> Value:
    copied = copying.copy_shallow(machine, x)
    return copied if copied is not None else machine.make_unknown(text)


@intrinsic("copy.deepcopy(x, memo=None, _nil=[])", memo="what was copied before", _nil="it is for Python itself")
def _copy_deeply(machine: Machine, x: Value, text: str) -> Value:
    if isinstance(x, Tensor):
        return table_ops.call_table_op(machine, "torch.clone", [x], {}, text)
    copied = copying.copy_deep(machine, x)
    return copied if copied is not None else machine.make_unknown(text)


@intrinsic("random.choice(seq)")
def _choose_element(machine: Machine, seq: Value, text: str) -> Value:
    """Return any element: each stands for the one that is drawn."""
    if isinstance(seq, Items) and seq.items:
        return seq.items[machine.choices.choose_option(len(seq.items))]
    return next(iter(find_elements(machine, seq)), machine.make_unknown(text))


@intrinsic(
    "random.sample(population, k, *, counts=None)",
    "random.choices(population, weights=None, *, cum_weights=None, k=1)",
    k=_CHANCE,
    counts=_CHANCE,
    weights=_CHANCE,
    cum_weights=_CHANCE,
)
def _sample_elements(machine: Machine, population: Value) -> Value:
    more = population.more if isinstance(population, Items) else None
    return Items("list", list(find_elements(machine, population)), open=True, more=more)


@intrinsic("random.shuffle(x)", x="any order is as good as the one it has")
def _shuffle_list(machine: Machine) -> Value:
    return NONE


@intrinsic(
    "random.random()",
    "random.uniform(a, b)",
    "random.gauss(mu=0.0, sigma=1.0)",
    "random.randint(a, b)",
    "random.randrange(start, stop=None, step=1)",
    **dict.fromkeys("a b mu sigma start stop step".split(), _CHANCE),
)
def _draw_number(machine: Machine) -> Value:
    return Number()
