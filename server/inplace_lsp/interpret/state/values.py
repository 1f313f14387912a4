"""Values of variables while a program is executed abstractly, and the frames that hold them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, MutableMapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeAlias

from inplace_lsp.interpret.state.facts import ModuleText
from inplace_lsp.interpret.state.implications import Answers, Asked
from inplace_lsp.interpret.state.layout import Layout
from inplace_lsp.interpret.state.mro import merge_lineages
from inplace_lsp.interpret.state.spans import make_span
from inplace_lsp.source import ir
from inplace_lsp.tape.model import NEVER, Span, ViewKind, When
from inplace_lsp.tape.records import record
from inplace_lsp.torch_ops.model import ModuleOp
from inplace_lsp.torch_ops.table import find_module, find_overloads


class Callee(NamedTuple):
    """An unknown function that was called: its text in the program, and its dotted name if it is a library's.
    `of_tensors`: tensors went in, else a module or an optimizer. `used`: something was done with the result."""

    text: str
    name: str = ""
    of_tensors: bool = True
    used: bool = True


class Value:
    """The value of a variable."""

    __slots__ = ()


@dataclass(slots=True, eq=False)
class Storage:
    """A block of memory. Tensors that share it see each other's writes."""

    id: int


@dataclass(slots=True, eq=False)
class Counter:
    """A version counter. Views and `detach()` share it; `.data` and numpy aliases do not."""

    id: int
    version: int = 0


@dataclass(slots=True, eq=False)
class Node:
    """A node of the autograd graph."""

    id: int
    op: str
    when: When
    """The condition under which it is part of the graph."""
    edges: list[Node | Tensor] = field(default_factory=list)
    """The next nodes; for leaves, the tensors themselves."""
    saves: list[int] = field(default_factory=list)
    """The keys of its saves."""
    unchecked: list[int] = field(default_factory=list)
    """The saves that a custom Function keeps outside autograd: no walk checks or frees them."""
    freed: bool = False
    """Whether a walk that releases graphs went through it."""
    walked: bool = False
    backward: Callable[[bool], None] | None = None
    """Runs the backward of a custom Function. The argument says whether the gradient is the expanded one of a `sum`."""
    hooks: tuple[Callable[[Tensor], Value], ...] = ()
    """Run before the node with its gradient, which a returned tensor replaces."""
    site: Span | None = None
    """The statement that made it."""
    shape: tuple[int | None, ...] | None = None
    """The extents of the op's result, as far as they are known."""
    scaled: bool = False
    """Whether the op multiplies an input by `alpha`."""
    part: bool = False
    """Whether it made one of several values that unseen code computed together."""
    may_cut: bool = False
    """Whether an unseen function made it, which may have detached it from the graph of its arguments."""
    unsure: tuple[Node | Tensor, ...] = ()
    """Those of `edges` that it has only through values which an unseen function may have detached."""
    shows: Tensor | None = None
    """The view that it made."""
    stands_in: Tensor | None = None
    """The leaf whose history it would be if torch had not refused a write to it."""


@dataclass(slots=True, eq=False)
class Tensor(Value):
    """A tensor object of the abstract run."""

    id: int
    storage: Storage
    counter: Counter
    name: str = ""
    """The last name that the program gave it."""
    origin: str = ""
    """The name of the tensor that a nameless view is of."""
    requires_grad: When = NEVER
    leaf: bool = True
    node: Node | None = None
    """The autograd node that made it."""
    base: Tensor | None = None
    """The root of the chain of views it stands on; None for a tensor that is no view."""
    view: ViewKind = ViewKind.NONE
    seen_version: int = 0
    """The counter's version when `node` was made; a view whose base was written since gets a new node at its
    next use."""
    expanded: frozenset[int] = frozenset()
    """The dimensions along which all elements are one."""
    inference: bool = False
    dtype: str = "float"
    """"float", "int", "bool", or "" if it is not known."""
    shape: tuple[int | None, ...] | None = None
    """The extents, where the program writes them; a None in it is an unknown extent."""
    contiguous: bool = True
    """Whether `reshape` gives a view of it."""
    array: bool = False
    """Whether it is a numpy array."""
    alias: str = ""
    """How another tensor's memory is reached: `.data`, `.numpy()`."""
    original: Tensor | None = None
    """The tensor that `alias` leads to."""
    shifted: Tensor | None = None
    """The tensor from which it differs by a constant."""
    parameter: bool = False
    assumed: bool = False
    """Whether it is a function's input, or the result of an unknown call."""
    evident: bool = False
    """Whether an annotation, or its use, says that what is assumed is a tensor."""
    argument: bool = False
    """Whether it is an argument of the function that is judged."""
    region: tuple[int, int | None, int | None] | None = None
    """The tensor id, start and stop of a slice of the first dimension of a contiguous tensor."""
    layout: Layout | None = None
    """Where every element lies, if that is known."""
    rows_apart: bool = False
    """If `layout` is None: whether joining all dimensions but the last takes a copy, whatever the extents."""
    swapped: tuple[int, int] | None = None
    """If `layout` is None: the two dimensions to exchange for the elements to lie in order."""
    taken_from: Tensor | None = None
    """The tensor that a view was made of."""
    device: Value | None = None
    """Where the program has moved it, as a text if that is known; None where tensors are made."""
    grad: Value | None = None
    attributes: dict[str, Value] = field(default_factory=dict)

    @property
    def overlaps_itself(self) -> bool:
        """Return whether several elements share one memory location."""
        return bool(self.expanded)


@dataclass(frozen=True, slots=True, eq=False)
class Amount:
    """A number relative to another: `more` than `base`, which is not known (None: than zero), or `at_most` that."""

    base: Value | None
    more: int
    at_most: bool = False


class Length(NamedTuple):
    """The number of elements, as long as `known` of them are listed."""

    amount: Amount
    known: int


@dataclass(slots=True, eq=False)
class Known(Value):
    """A Python constant. `amount`: its relation to an unknown number, if it counts one of a few passes that stand for
    all."""

    value: object
    amount: Amount | None = None


class Question(NamedTuple):
    """A comparison with a constant that is not decided yet."""

    asked: Asked
    likely: bool = True
    """The answer that the first path takes."""
    wanted: bool = True
    """The answer that makes the comparison true."""


@dataclass(slots=True, eq=False)
class Number(Value):
    """An unknown number."""

    hint: int | None = None
    """An index into lists, if it came from a loop over a range."""
    grows: bool = False
    """Whether it counts the passes of a loop that has more passes than are executed."""
    truth: Answers = field(default_factory=dict)
    negates: Value | None = None
    """The value of which it is `not`, if the truth of that is not decided yet."""
    amount: Amount | None = None
    """Its relation to another number."""
    about: Value | None = None
    """The value that `question` compares."""
    question: Question | None = None
    """The comparison with a constant whose result it is."""
    is_count: bool = False
    """Whether it counts things."""
    likely: bool = True
    """Whether it is probably not zero."""


def counts_passes(value: Value) -> bool:
    """Return whether the value is a number that grows with the passes of a loop."""
    return type(value) is Number and value.grows


@dataclass(slots=True, eq=False)
class Unknown(Value):
    """A value of which only its origin is known. The same object is always the same unknown."""

    origin: str
    tensorlike: bool = False
    """Whether it is used as a tensor somewhere, so that arithmetic on it is arithmetic on tensors."""
    may_be_none: bool = False
    inputs: tuple[Tensor, ...] = ()
    """The tensors from which an unknown callee computed it."""
    graphless: bool = False
    """Whether it has no graph, if it is a tensor."""
    argument: bool = False
    """Whether it is an argument of the judged function."""
    library: str = ""
    """The dotted name under which a library provides it (`mylib.Trainer.fit`, `mylib.make().fit`)."""
    callee: Callee | None = None
    """The callee that returned it."""
    names: tuple[str, ...] = ()
    """The texts that it may be, if it is a name."""
    module: Value | None = None
    """The module that represents it, once its parameters are requested."""
    flows: bool = False
    """Whether gradients flow through it to all its `inputs`."""
    part: bool = False
    """Whether it is one of several values that unseen code returned together."""
    given: tuple[Value, ...] = ()
    """The containers, modules and unknowns from which an unknown callee made it."""
    may_cut: bool = False
    """Whether a function (not a layer) made it, which may have detached it from the graphs of its `inputs`."""
    unsure: tuple[Tensor, ...] = ()
    """Those of its `inputs` that it has only through other values which may have been detached from them."""
    amount: Amount | None = None
    """Its relation to another number, if it is a number."""
    length: Number | None = None
    """The number of its elements."""
    likely: bool = True
    """Whether it is probably true, and not None."""
    gives_data: bool = False
    """Whether its name says that its elements are data: `model.train_loader`, the result of its `get_dataloader`."""
    of_constants: bool = False
    """Whether a library's function, or a method of its result, made it only from numbers, texts and tensors without a
    graph."""
    tensor: Tensor | None = None
    """The tensor that it turned out to be, made on first use."""
    truth: Answers = field(default_factory=dict)
    attributes: dict[str, Value] = field(default_factory=dict)
    elements: dict[object, Value] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Items(Value):
    """A list, tuple, set, or an iterator over known elements."""

    kind: str
    items: list[Value]
    open: bool = False
    """Whether there may be more elements than are known."""
    fields: tuple[str, ...] = ()
    """The names of the elements of a named tuple."""
    more: Callable[[], Value] | None = None
    """Makes one more element of an open container."""
    cls: Class | None = None
    """The class of a named tuple."""
    limit: int | None = None
    """Maximum number of elements of a deque."""
    grows: bool = False
    """Whether each further pass of a loop makes it longer."""
    grown_in: int = 0
    """The last pass that made it longer, 0 for none."""
    may_be_none: bool = False
    """Whether it comes from a caller that may pass None."""
    none: bool | None = None
    """Whether it is None here; None while that is not decided."""
    length: Length | None = None
    count_at: Callable[[int], Value] | None = None
    """Returns the number at a place counted from the end, if it holds only numbers but their count is unknown."""
    reached: int = 0
    """The places that numbers have reached, a bit for each."""
    beyond: dict[Hashable, tuple[Value, Value]] | None = None
    """The elements for numbers beyond those seen, each with the one whose id is in its key."""

    def copy_with_items(self, items: list[Value], more: Callable[[], Value] | None = None) -> Items:
        """Return the same kind of container around other elements; `more` makes one more of them."""
        return Items(self.kind, items, self.open, self.fields, more, self.cls, self.limit)


@dataclass(slots=True, eq=False)
class Mapping(Value):
    """A dict. A key that is not a constant is stored as its own value object.

    `default` makes missing entries, as in a `defaultdict`. `grows`, `grown_in`: as in Items. `told_apart`: the ids of
    the entries that were put under unknown keys, and which of them each known key stands for.
    """

    items: MutableMapping[Any, Value]
    open: bool = False
    default: Value | None = None
    grows: bool = False
    grown_in: int = 0
    told_apart: tuple[tuple[int, ...], dict[Any, Value]] = field(default_factory=lambda: ((), {}))


@dataclass(slots=True, eq=False)
class SliceValue(Value):
    """A slice inside a subscript. `whole` is `[:]`."""

    lower: Value | None
    upper: Value | None
    step: Value | None

    @property
    def is_whole(self) -> bool:
        """Return whether it selects everything as it is."""
        return self.lower is None and self.upper is None and self.step is None


@dataclass(slots=True, eq=False)
class Function(Value):
    """A function of the user's, with the frame that it closes over. `owner` is the class it was defined in.

    `results` are those of earlier calls by their arguments, for a function that remembers them (`lru_cache`).
    `dispatch`: which function runs instead, by the type of an argument (`singledispatch`). `site` is the statement a
    lambda stands in. `attributes` are those that the program has set. `around`: its decorators that are not in sight.
    """

    name: str
    definition: ir.FunctionDef | ir.Lambda
    frame: Frame
    defaults: dict[str, Value]
    owner: Class | None = None
    modes: tuple[str, ...] = ()
    around: tuple[str, ...] = ()
    kind: str = ""
    results: dict[object, Value] | None = None
    dispatch: Dispatch | None = None
    site: Span | None = None
    attributes: dict[str, Value] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Dispatch:
    """The variants of a `singledispatch` function, chosen by the type of the argument at `position`."""

    position: int
    variants: list[tuple[Value, Function]] = field(default_factory=list)


_ENUMS = frozenset(f"enum.{name}" for name in ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"))
"""The library's classes that enums inherit from."""


class Lineage(tuple["Class", ...]):
    """A class and its bases. No plain tuple, so that snapshots skip it."""

    __slots__ = ()


@dataclass(slots=True, eq=False)
class Class(Value):
    """A class of the user's. `library` are the dotted names of bases that are not the user's; `metaclass` is one that
    it names itself."""

    name: str
    bases: tuple[Class, ...]
    library: tuple[str, ...]
    members: dict[str, Value]
    definition: ir.ClassDef | None = None
    metaclass: Class | None = None
    _lineage: Lineage = field(init=False, repr=False)
    _is_module: bool = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._lineage = Lineage((self, *merge_lineages(self.bases, [base._lineage for base in self.bases])))
        self._is_module = any(
            name.endswith("Module") or name.startswith("torch.nn.") for cls in self._lineage for name in cls.library
        )

    def look_up(self, name: str) -> Value | None:
        """Return the member `name`, bases included; None if there is none."""
        for cls in self._lineage:
            if name in cls.members:
                return cls.members[name]
        return None

    def look_up_in_metaclass(self, name: str) -> Value | None:
        """Return the member `name` of the user's metaclass; None if there is none."""
        metaclass = next((cls.metaclass for cls in self._lineage if cls.metaclass is not None), None)
        return metaclass.look_up(name) if metaclass is not None else None

    def list_lineage(self) -> tuple[Class, ...]:
        """Return the class and its bases in the order in which Python searches them."""
        return self._lineage

    def is_module(self) -> bool:
        """Return whether it is an `nn.Module`, as far as can be seen."""
        return self._is_module

    def is_enum(self) -> bool:
        """Return whether it is an enum."""
        return any(name in _ENUMS for cls in self._lineage for name in cls.library)

    def has_unknown_base(self) -> bool:
        """Return whether some base is neither the user's nor torch's."""
        return any(not name.startswith(("torch.", "object")) for c in self.list_lineage() for name in c.library)


@dataclass(slots=True, eq=False)
class Instance(Value):
    """An object of a user's class. `base` is its part that is a module or an optimizer, if it inherits from torch."""

    cls: Class
    attributes: dict[str, Value] = field(default_factory=dict)
    name: str = ""
    base: Module | Container | Optimizer | None = None


@dataclass(slots=True, eq=False)
class Module(Value):
    """An `nn.Module` of torch's own. `declared` is where it was made."""

    op: ModuleOp
    arguments: dict[str, Value]
    attributes: dict[str, Value]
    declared: Span
    name: str = ""


@dataclass(slots=True, eq=False)
class Container(Value):
    """`nn.Sequential`, `nn.ModuleList`, `nn.ModuleDict`, `nn.ParameterList`, ..."""

    kind: str
    items: dict[str, Value]
    attributes: dict[str, Value] = field(default_factory=dict)
    open: bool = False
    length: Length | None = None


@dataclass(slots=True, eq=False)
class Optimizer(Value):
    """A torch optimizer; its `groups` are dicts with `params`. `fused`: its step does not bump version counters."""

    name: str
    groups: Items
    fused: bool = False
    attributes: dict[str, Value] = field(default_factory=dict)


@record
class Library(Value):
    """A library's object, by its dotted public name (`torch.nn.functional.relu`). Equal names are equal values."""

    name: str


class Finder(Protocol):
    """Looks up module-level names whose units are not executed yet. `running` are the ids of the executed units,
    `unfilled` the tables that no code has read so far."""

    running: set[int]
    unfilled: dict[str, Value]

    def __call__(self, name: str) -> Value | None:
        """Return the value of `name`, None if nothing binds it."""

    def forget_units(self) -> None:
        """Forget that any unit was executed."""


@dataclass(slots=True, eq=False)
class Frame:
    """A scope: a module, a function's call, a class body or a comprehension."""

    file: str
    row: int
    """The file row of row 1 of the unit whose IR is executed in it."""
    function: str = "<module>"
    names: dict[str, Value] = field(default_factory=dict)
    parent: Frame | None = None
    """The scope around it."""
    module: Frame | None = None
    """The module's scope; None for a module."""
    owner: Class | None = None
    """The class in whose method it is."""
    self: Value | None = None
    running: Function | None = None
    """The function that is called."""
    call_key: tuple[object, ...] = ()
    """Tells active calls of `running` apart."""
    newest: int = 0
    """The id of the last tensor made before the call."""
    scoped: dict[str, str] = field(default_factory=dict)
    """The names that `global` and `nonlocal` declare."""
    yielded: list[Value] | None = None
    on_yield: Callable[[Value], None] | None = None
    find_global: Finder | None = None
    """Finds module-level names that were not executed yet: functions judged on their own look them up lazily."""
    starred: list[str | Callable[[str], Value | None]] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)
    """The module-level names that were looked up, found or not."""
    other_module: bool = False
    """Whether it is another module than the one that is judged."""
    third_party: bool = False
    """Whether it belongs to an installed package."""
    model: ModuleText | None = None
    """The model file that it is the scope of."""
    tensors: frozenset[str] = frozenset()
    """The names that the judged function uses as tensors."""

    def find_span(self, place: ir.Place) -> Span:
        """Return the span in the file of a `place` in this frame's unit."""
        return make_span(self.file, self.row, place)

    def forget_names(self) -> None:
        """Forget the names of a module's scope: they are executed again when they are asked for."""
        self.names.clear()
        self.asked.clear()
        if self.find_global is not None:
            self.find_global.forget_units()

    def find_module_scope(self) -> Frame:
        """Return the module's scope."""
        return self.module or self

    def look_up(self, name: str) -> Value | None:
        """Return the value of `name` by Python's rules, None if nothing in sight binds it."""
        scope: Frame | None = self
        module = self.module or self
        if self.scoped and self.scoped.get(name) == "global":
            scope = module
        while scope is not None:
            value = scope.names.get(name)
            if value is not None:
                if scope.module is None:
                    scope.asked.add(name)
                return value if type(value) is not Imported else _resolve_import(scope.names, name)
            scope = scope.parent
        module.asked.add(name)
        if name not in module.names and module.find_global is not None:
            found = module.find_global(name)
            if found is not None and name not in module.names:
                return found
        return (
            _resolve_import(module.names, name) if name in module.names else _find_in_star_imports(module.starred, name)
        )

    def bind_name(self, name: str, value: Value) -> None:
        """Assign `name` in the scope it belongs to."""
        if not self.scoped:
            self.names[name] = value
            return
        scope = self
        declared = self.scoped.get(name)
        if declared == "global":
            scope = self.find_module_scope()
        elif declared == "nonlocal":
            outer = self.parent
            while outer is not None and name not in outer.names:
                outer = outer.parent
            scope = outer or self
        scope.names[name] = value


@dataclass(slots=True, eq=False)
class UserModule(Value):
    """A module whose source is in sight: `name` with `level` dots, as `importer` would import it."""

    frame: Frame
    importer: str
    level: int
    name: str


@dataclass(slots=True, eq=False)
class Imported(Value):
    """An imported name, resolved when it is first looked up. `plain` is its value meanwhile."""

    resolve: Callable[[], Value]
    plain: Library


def _resolve_import(names: dict[str, Value], name: str) -> Value:
    """Return the value of a bound name; resolve an import now."""
    value = names[name]
    if isinstance(value, Imported):
        names[name] = value.plain  # the value that circular imports see
        value = names[name] = value.resolve()
    return value


def _find_in_star_imports(modules: list[str | Callable[[str], Value | None]], name: str) -> Value | None:
    """Return what a star import bound to `name`, None if none did."""
    for module in modules:
        if not isinstance(module, str):
            value = module(name)
            if value is not None:
                return value
            continue
        full = f"{module}.{name}"
        if find_overloads(full) or find_module(full) or name in ("nn", "optim", "autograd") or module == "torch.optim":
            return Library(full)
    return None


@dataclass(slots=True, eq=False)
class Bound(Value):
    """A method on its object. `method` is a Function of the user's, or a name to be looked up by the kind of `self`."""

    self: Value
    method: Function | str


@dataclass(slots=True, eq=False)
class Native(Value):
    """A callable the interpreter itself provides (a decorator's result, a partial)."""

    call: Method
    name: str = ""


@dataclass(slots=True, eq=False)
class Computed(Value):
    """An attribute of a module that is computed each time it is read."""

    compute: Callable[[], Value]


@dataclass(slots=True, eq=False)
class Suspended(Value):
    """A call of a generator: it runs when a loop takes its elements (a `@contextmanager`: when a `with` enters it).

    `walked` is what it yielded, once it has run; `go_on` runs the rest of a `@contextmanager` that waits at its
    `yield`.
    """

    function: Function
    arguments: list[Value]
    keywords: dict[str, Value]
    walked: Items | None = None
    go_on: Callable[[], None] | None = None


@dataclass(slots=True, eq=False)
class Mapped(Value):
    """The iterator that `enumerate`, `zip` or `map` makes over a generator: `make` turns each element into one of its
    own.

    None: this element is skipped.
    """

    source: Suspended | Mapped
    make: Callable[[Value], Value | None]


@dataclass(slots=True, eq=False)
class Super(Value):
    """`super()` inside a method."""

    self: Value
    cls: Class


@dataclass(slots=True, eq=False)
class Mode(Value):
    """A context manager of torch's: a grad mode (no_grad, enable_grad, inference_mode, or set_grad_enabled with a
    value), or one that sets the version `counters` back to the `versions` that they had."""

    kind: str
    enabled: bool | None
    previous: tuple[bool, bool, bool, tuple[str, ...]] | None = None
    counters: tuple[Counter, ...] = ()
    versions: tuple[int, ...] = ()


DRIVER = "driver"
"""The kind of a model's function that calls the user's code in its own order."""
NONE = Known(None)


_CONSTANTS = frozenset((Known, Number, Library))


def is_constant(value: Value) -> bool:
    """Return whether a value is a number, a text or the like, or a list, tuple or dict of such."""
    if isinstance(value, Items):
        return (not value.open or value.count_at is not None) and all(map(is_constant, value.items))
    if isinstance(value, Mapping):
        return not value.open and all(map(is_constant, value.items.values()))
    return type(value) in _CONSTANTS or (isinstance(value, Unknown) and value.of_constants)


def is_none(value: Value) -> bool:
    """Return whether `value` is known to be None."""
    return isinstance(value, Known) and value.value is None


def is_given(value: Value) -> bool:
    """Return whether a call gave the parameter whose default is declared as `...`."""
    return not (isinstance(value, Known) and value.value is ...)


def find_integer(value: Value | None) -> int | None:
    """Return the integer that `value` is known to be, else None."""
    return value.value if isinstance(value, Known) and isinstance(value.value, int) else None


def is_true(value: Value) -> bool:
    """Return whether `value` is known to be true."""
    return isinstance(value, Known) and bool(value.value)


def is_false(value: Value) -> bool:
    """Return whether `value` is known to be false."""
    return isinstance(value, Known) and not value.value


AS_IT_IS = Native(lambda arguments, keywords: arguments[0] if arguments else NONE, "as it is")
"""A decorator that returns the function as it is."""

Method: TypeAlias = Callable[[list[Value], dict[str, Value]], Value]
"""A method that the interpreter itself provides; it takes positional and keyword arguments."""


def make_object_with(name: str, methods: dict[str, Method]) -> Instance:
    """Return an object of a library's class `name`, of which only its methods matter."""
    return Instance(
        Class(name, (), (), {}), {method: Native(run, method) for method, run in methods.items()}, name=name
    )


def make_key(value: Value) -> object:
    """Return `value` as a key of a dict: the constant, the tuple of its elements' keys, or the value object itself."""
    if isinstance(value, Known):
        if type(value.value) is str:
            return value.value
        try:
            hash(value.value)
        except TypeError:
            return value
        return value.value
    if isinstance(value, Items) and value.kind == "tuple" and not value.open:
        return tuple(map(make_key, value.items))
    return value.hint if isinstance(value, Number) and value.hint is not None else value


def name_part(key: object) -> str:
    """Return the name that a container gives the module or parameter under a key: one that is not known is named after
    its origin, `<width>`, whatever else becomes known of it."""
    if isinstance(key, Unknown):
        return f"<{key.origin.rpartition('.')[2]}>"
    return "<number>" if isinstance(key, Value) else str(key)


def make_value_of_key(key: object) -> Value:
    """Return the value from which `make_key` made this key."""
    if isinstance(key, tuple):
        return Items("tuple", [make_value_of_key(part) for part in key])
    return key if isinstance(key, Value) else Known(key)


def has_certain_key(value: Value) -> bool:
    """Return whether it is known which other keys equal `value`."""
    if isinstance(value, Items):
        return value.kind == "tuple" and not value.open and all(map(has_certain_key, value.items))
    return isinstance(value, (Known, Tensor, Instance, Module, Container, Class, Function, Library))
