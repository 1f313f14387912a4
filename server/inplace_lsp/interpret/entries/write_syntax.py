"""Find the syntax in a function that may write a tensor or walk a graph back, and what else the function mentions.

Where the text does not tell, the answer is that it may.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from inplace_lsp.interpret.entries.skipped_code import find_path, is_write_syntax
from inplace_lsp.interpret.python.bindings import Binding
from inplace_lsp.source import ir

WRITING_NAMES = frozenset(
    "backward step apply load_state_dict inference_mode exec eval globals locals vars import_module __import__ "
    "distributed vector_to_parameters swap_tensors functional_call shuffle copyto putmask place fill_diagonal "
    "put_along_axis at".split()
)
"""Names of what writes tensors or arrays, walks graphs back or hides what is called."""
_WRITE_IF_CALLED = frozenset({"grad", "setattr", "__setattr__", "getattr", "methodcaller", "attrgetter"})
"""What walks back, or reads or sets an attribute by a name that may be that of a write."""
_ONLY_FOR_EFFECT = frozenset("fill sort partition put itemset resize byteswap setfield setflags".split())
"""Methods that change an array, and stand as a statement then."""
_NO_WRITES = frozenset({"requires_grad_", "share_memory_"})
"""Methods of tensors that end like a write and write nothing."""
HARMLESS_METHODS = frozenset({"eval"})
"""Names that count as builtins only, not as methods: `eval(...)`, but not `model.eval()`."""


@dataclass(frozen=True, slots=True)
class BodyReading:
    """What the syntax of a function's body shows."""

    writes: bool
    """Whether something in it may write a tensor or walk a graph back."""
    names: tuple[tuple[str, ...], ...]
    """The dotted names that it mentions."""
    into_arrays: frozenset[tuple[str, ...]]
    """The names that it calls as a statement, or with enough positional arguments for one to be an array to write."""
    local: frozenset[str]
    """The names that it binds."""
    nested: frozenset[int]
    """The functions that it defines."""


def is_writing_name(name: str) -> bool:
    """Return whether the name is that of something that may write or walk: by torch's convention, or a known one."""
    return name in WRITING_NAMES or (name.endswith("_") and not name.startswith("_") and name not in _NO_WRITES)


@lru_cache(maxsize=8192)
def read_definition(definition: ir.FunctionDef | ir.Lambda) -> BodyReading:
    """Return the syntax of a function's body, read once as long as its text stays the same."""
    body = (definition.body, getattr(definition, "decorators", ()))
    nodes = list(ir.walk_nodes(body))
    local = frozenset(_find_local_names(definition, nodes))
    writes = any(map(WriteSyntax(nodes, local).may_write, nodes))
    inner = {id(node.value) for node in nodes if isinstance(node, ir.Attribute)}
    mentions = (node for node in nodes if isinstance(node, (ir.Name, ir.Attribute)) and id(node) not in inner)
    names = tuple(dict.fromkeys(filter(None, map(find_path, mentions))))
    for_effect = {id(node.value) for node in nodes if isinstance(node, ir.ExprStatement)}
    calls = (node for node in nodes if isinstance(node, ir.Call) and (id(node) in for_effect or _has_many(node)))
    into_arrays = frozenset(find_path(node.function) for node in calls) - {()}
    nested = frozenset(id(node) for node in nodes if type(node) is ir.FunctionDef)
    return BodyReading(writes, names, into_arrays, local, nested)


def _has_many(node: ir.Call) -> bool:
    """Return whether a call has more arguments by position than numpy's functions have inputs."""
    return sum(argument.name is None for argument in node.arguments) > _INPUTS


_INPUTS = 2


@lru_cache(maxsize=1024)
def read_write_syntax(definition: ir.FunctionDef | ir.Lambda) -> WriteSyntax:
    """Return what tells the nodes of a function that write from the others."""
    nodes = list(ir.walk_nodes(definition.body))
    return WriteSyntax(nodes, frozenset(_find_local_names(definition, nodes)))


class WriteSyntax:
    """Tell the nodes of a function that write or walk by their syntax alone, or may by a flag given by position."""

    def __init__(self, nodes: Sequence[object], local: frozenset[str]) -> None:
        self._local, self._kinds = local, _find_kinds_of_names(nodes)

    def may_write(self, node: object) -> bool:
        """Return whether `node` may write a tensor or walk a graph back."""
        if isinstance(node, ir.Attribute):
            return is_writing_name(node.name) and node.name not in HARMLESS_METHODS
        if isinstance(node, ir.Name):
            return node.id in WRITING_NAMES and node.id not in self._local
        if isinstance(node, ir.Const):
            return isinstance(node.value, str) and node.value.isidentifier() and is_writing_name(node.value)
        if isinstance(node, ir.AugAssign):
            return self._may_be_tensor(node.target) or self._may_become_tensor(node)
        if isinstance(node, ir.Assign):
            return any(map(self._writes_target, node.targets))
        if isinstance(node, ir.Call):
            return any(map(_is_flag, node.arguments)) or is_writing_call(node)
        if isinstance(node, ir.ExprStatement):
            return _calls_for_effect(node)
        return isinstance(node, ir.Argument) and is_write_syntax(node)

    def _may_become_tensor(self, node: ir.AugAssign) -> bool:
        """Return whether a variable holds a number that an augmented assignment may replace by a tensor."""
        if not isinstance(node.target, ir.Name) or self._kinds[node.target.id] != "number":
            return False
        return not _is_number(node.value)

    def _writes_target(self, target: ir.Expr) -> bool:
        """Return whether an assignment to `target` may write elements of a tensor, or replace its data."""
        if isinstance(target, ir.Sequence):
            return any(map(self._writes_target, target.items))
        if isinstance(target, ir.Starred):
            return self._writes_target(target.value)
        if isinstance(target, ir.Attribute):
            return target.name == "data"
        if not isinstance(target, ir.Subscript):
            return False
        is_key = isinstance(target.index, ir.Const) and isinstance(target.index.value, str)
        return not is_key and self._may_be_tensor(target.value)

    def _may_be_tensor(self, node: ir.Expr) -> bool:
        """Return whether an expression may be a tensor: a name may if it is not only bound to containers and texts."""
        return not (isinstance(node, ir.Name) and self._kinds.get(node.id))


def is_writing_call(node: ir.Call) -> bool:
    """Return whether a call walks back, or sets the data of a tensor, by the name of what is called."""
    function = node.function
    name = function.id if isinstance(function, ir.Name) else function.name if isinstance(function, ir.Attribute) else ""
    if name not in _WRITE_IF_CALLED:
        return False
    constants = [part.value.value for part in node.arguments if isinstance(part.value, ir.Const)]
    texts = [value for value in constants if isinstance(value, str)]
    return name == "grad" or not texts or ((name.endswith("setattr__") or name == "setattr") and "data" in texts)


def _is_flag(argument: ir.Argument) -> bool:
    """Return whether an argument by position may be the flag `inplace`, as in `nn.ReLU(True)`."""
    value = argument.value
    if argument.name is not None:
        return False
    if isinstance(value, ir.Const):
        return value.value is True
    name = value.id if isinstance(value, ir.Name) else value.name if isinstance(value, ir.Attribute) else ""
    return "inplace" in name


@lru_cache(maxsize=1024)
def _find_bindings(definition: ir.FunctionDef | ir.Lambda) -> dict[str, list[ir.Expr | None]]:
    """Return what is assigned to each name of a function; None where that is no plain assignment."""
    found: dict[str, list[ir.Expr | None]] = {}
    for node in ir.walk_nodes(definition.body):
        if isinstance(node, ir.Assign):
            for name in _strip_targets(node.targets):
                is_plain = any(target is name for target in node.targets)
                found.setdefault(name.id, []).append(node.value if is_plain else None)
        elif isinstance(node, (ir.For, ir.With, ir.NamedExpr, ir.Clause)):
            for name in _strip_targets(_find_targets(node)):
                found.setdefault(name.id, []).append(None)
    return found


def is_only_arithmetic(definition: ir.FunctionDef | ir.Lambda, name: str) -> bool:
    """Return whether a name in a constructor without tensor arguments only holds values computed from numbers, texts
    and parameters, and so no tensor from outside."""
    bindings = _find_bindings(definition)
    waiting, seen = [name], {name}
    while waiting:
        for value in bindings.get(waiting.pop(), ()):
            if value is None:
                return False
            for node in ir.walk_nodes(value):
                if isinstance(node, ir.Name) and node.id not in seen:
                    seen.add(node.id)
                    waiting.append(node.id)
                elif isinstance(node, (ir.Attribute, ir.Lambda)) or not _is_arithmetic_call(node):
                    return False
    return True


def _is_arithmetic_call(node: object) -> bool:
    """Return whether a node is no call, or one of a builtin that computes with numbers."""
    return not isinstance(node, ir.Call) or (isinstance(node.function, ir.Name) and node.function.id in _ARITHMETIC)


_ARITHMETIC = frozenset("len int float bool round abs min max sum list tuple range sorted zip enumerate".split())
_CONTAINERS = (ir.Sequence, ir.Dict, ir.Comprehension, ir.Joined)
_KINDS_OF_RESULTS = dict.fromkeys(
    "list dict set tuple str repr sorted defaultdict OrderedDict deque Counter".split(), "container"
) | dict.fromkeys("len int float bool round ord".split(), "number")


def _calls_for_effect(node: ir.ExprStatement) -> bool:
    called = node.value.function if isinstance(node.value, ir.Call) else None
    return isinstance(called, ir.Attribute) and called.name in _ONLY_FOR_EFFECT


def _find_kinds_of_names(nodes: Iterable[object]) -> dict[str, str]:
    """Return the kind of each name that is only ever bound to containers and texts, or only to numbers; "" for the
    others."""
    found: dict[str, str] = {}

    def note_name(name: str, kind: str) -> None:
        found[name] = kind if found.get(name, kind) == kind else ""

    for node in nodes:
        if isinstance(node, ir.Assign):
            for target in node.targets:
                if isinstance(target, ir.Name):
                    note_name(target.id, _find_kind(node.value))
                else:
                    for name in _strip_targets((target,)):
                        note_name(name.id, "")
        elif isinstance(node, (ir.For, ir.NamedExpr, ir.With, ir.Clause, ir.Annotate)):
            for name in _strip_targets(_find_targets(node)):
                note_name(name.id, _find_kind(node.value) if isinstance(node, ir.Annotate) and node.value else "")
    return found


def _find_kind(node: ir.Expr) -> str:
    """Return "container" for an expression that makes a container or a text, "number" for a number, "" if unknown."""
    if isinstance(node, _CONTAINERS):
        return "container"
    if isinstance(node, ir.Const):
        return "container" if isinstance(node.value, (str, bytes)) else "number" if _is_number(node) else ""
    if isinstance(node, ir.BinOp):
        kinds = {_find_kind(node.left), _find_kind(node.right)}
        return "container" if "container" in kinds else "number" if kinds == {"number"} else ""
    called = node.function.id if isinstance(node, ir.Call) and isinstance(node.function, ir.Name) else ""
    return _KINDS_OF_RESULTS.get(called, "")


def _is_number(node: ir.Expr) -> bool:
    """Return whether an expression is a number for certain: adding a tensor to a number makes a tensor of it."""
    if isinstance(node, ir.Const):
        return isinstance(node.value, (int, float))
    return _find_kind(node) == "number"


def _find_targets(node: object) -> object:
    """Return what a statement or clause binds."""
    if isinstance(node, ir.With):
        return tuple(target for _, target in node.items)
    return node.target  # type: ignore[attr-defined]


def _find_local_names(definition: ir.FunctionDef | ir.Lambda, nodes: Iterable[object]) -> Iterator[str]:
    """Yield the parameters of a function, and the names that it binds by assignments and loops."""
    yield from (parameter.name for parameter in definition.parameters)
    for node in nodes:
        targets: object = ()
        if isinstance(node, ir.Assign):
            targets = node.targets
        elif isinstance(node, (ir.For, ir.With, ir.NamedExpr, ir.Annotate, ir.AugAssign, ir.Clause)):
            targets = _find_targets(node)
        elif isinstance(node, (ir.FunctionDef, ir.Lambda)):
            yield from (parameter.name for parameter in node.parameters)
            if isinstance(node, ir.FunctionDef):
                yield node.name
            continue
        yield from (target.id for target in _strip_targets(targets))


def _strip_targets(targets: object) -> Iterator[ir.Name]:
    """Yield the names that targets bind themselves."""
    if isinstance(targets, tuple):
        for target in targets:
            yield from _strip_targets(target)
    elif isinstance(targets, ir.Sequence):
        yield from _strip_targets(targets.items)
    elif isinstance(targets, ir.Starred):
        yield from _strip_targets(targets.value)
    elif isinstance(targets, ir.Name):
        yield targets


def writes_by_itself(definition: ir.FunctionDef) -> bool:
    """Return whether the text of a function writes or walks by itself."""
    return read_definition(definition).writes


def leads_to_write(definition: ir.FunctionDef, binding: Binding) -> bool:
    """Return whether the text of a function, or of one of the module that it names, writes or walks by itself.
    `binding`: the units that bind the names of the module."""
    waiting, seen = [definition], {definition}
    while waiting:
        reading = read_definition(waiting.pop())
        if reading.writes:
            return True
        for first, *_ in reading.names:
            if first not in reading.local:
                for unit in binding.get(first, ()):
                    new = [node for node in unit.statements if type(node) is ir.FunctionDef and node not in seen]
                    waiting += new
                    seen.update(new)
    return False
