"""How a function uses its parameters: what kind of value each can only be."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field, fields

from inplace_lsp.torch_ops.table import find_overloads
from inplace_lsp.verify.inputs import names
from inplace_lsp.verify.inputs.program import Function, last_name

_SHARED = frozenset("index copy items keys values pop append sort count format split join replace type get".split())
_ONLY_TENSORS = frozenset("shape dtype device grad requires_grad data T ndim is_cuda grad_fn".split())
_ONLY_TEXTS = frozenset("startswith endswith lower upper strip lstrip rstrip encode isdigit removeprefix".split())
_ONLY_DICTS = frozenset("keys items values get update setdefault".split())
_MODULE = frozenset("parameters named_parameters train eval state_dict zero_grad load_state_dict children".split())


_COUNTING = frozenset(
    "range int float arange linspace zeros ones empty rand randn eye view reshape Linear Conv2d".split()
)
"""Calls whose plain arguments are numbers."""
_COUNTS = frozenset("alpha value dim axis eps p groups stride padding dilation num_classes".split())
"""Keywords of calls whose arguments are numbers."""
_INDICES = frozenset(
    "gather index_select index_add index_add_ index_fill_ scatter scatter_ scatter_add scatter_add_".split()
)
"""Calls whose second plain argument is a tensor of indices."""


@dataclass(slots=True)
class Use:
    """What was seen of one parameter. Of a function: with how many arguments it is called at most, and whether with
    `named` ones. `indexes`: something is subscripted by it. `listed`: it is asked to be a list or a tuple; `longest`:
    so many elements are asked for by their numbers. `makes`: it is called in the constructor; `is_mapping`: it may be a
    dictionary; `is_share`: a whole number is made of its product with a width; `parts`: its methods whose result is
    unpacked, with the names of the parts."""

    attributes: list[str] = field(default_factory=list)
    parts: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    methods: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    unpacked: int = 0
    called: bool = False
    given: int = 0
    named: bool = False
    indexes: bool = False
    counted: bool = False
    looped: bool = False
    tested: bool = False
    computed: bool = False
    indexed: bool = False
    compared: bool = False
    listed: bool = False
    longest: int = 0
    makes: bool = False
    is_share: bool = False
    is_mapping: bool = False

    def add(self, other: Use) -> None:
        """Add what was seen of the same value elsewhere."""
        for use in fields(self):
            mine, more = getattr(self, use.name), getattr(other, use.name)
            setattr(self, use.name, mine + more if isinstance(mine, list) else max(mine, more))

    @property
    def is_module(self) -> bool:
        """Return whether only a module has what the code asks of the parameter."""
        return any(name in _MODULE for name in self.attributes)

    @property
    def is_optimizer(self) -> bool:
        """Return whether the code steps the parameter."""
        return "step" in self.attributes

    @property
    def is_dict(self) -> bool:
        """Return whether only a dictionary has what the code asks of the parameter."""
        shared = all(name in _SHARED or name in _ONLY_DICTS for name in self.attributes)
        return shared and any(name in _ONLY_DICTS for name in self.attributes)

    @property
    def is_text(self) -> bool:
        """Return whether only a text has what the code asks of the parameter."""
        return any(name in _ONLY_TEXTS for name in self.attributes)

    @property
    def holds_indices(self) -> bool:
        """Return whether it can only be a tensor of whole numbers."""
        return self.indexes or "long" in self.methods

    @property
    def is_tensor(self) -> bool:
        """Return whether only a tensor has what the code asks of the parameter."""
        return any(
            name in _ONLY_TENSORS or (name not in _SHARED and bool(find_overloads(f"torch.Tensor.{name}")))
            for name in self.attributes
        ) and not (self.is_module or self.keys)

    @property
    def asked_for(self) -> list[str]:
        """The attributes that the code reads, if neither a tensor nor a module has them."""
        plain = not (self.is_tensor or self.is_module or self.is_optimizer or self.is_text)
        only_shared = all(name in _SHARED for name in self.attributes)
        return list(dict.fromkeys(self.attributes)) if plain and not only_shared else []


Lookup = Callable[[ast.expr | None], Use | None]


def find_uses(node: Function) -> dict[str, Use]:
    """Return the uses of each name that a function's body is given."""
    given = node.args
    stars = [arg for arg in (given.vararg, given.kwarg) if arg is not None]
    found = {arg.arg: Use() for arg in [*given.posonlyargs, *given.args, *given.kwonlyargs, *stars]}
    note_uses(node, found)
    return found


def note_uses(node: Function, found: dict[str, Use]) -> None:
    """Note in `found` what the body does with these names, attributes of `self` (`self.x`) included."""
    for statement in node.body:
        for inner in ast.walk(statement):
            _note_node(inner, found)


def _note_node(node: ast.AST, found: dict[str, Use]) -> None:
    def use(expression: ast.expr | None) -> Use | None:
        match expression:
            case ast.Name(id=name):
                return found.get(name)
            case ast.Attribute(value=ast.Name(id="self"), attr=name):
                return found.get(f"self.{name}")
        return None

    match node:
        case ast.Attribute(value=value, attr=name) if (noted := use(value)) is not None:
            noted.attributes.append(name)
        case ast.Subscript():
            _note_subscript(node, use)
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=value):
            _note_unpacking(targets, value, use)
        case ast.For(iter=source) | ast.comprehension(iter=source):
            _note_loop(source, use)
        case ast.If() | ast.IfExp() | ast.Compare() | ast.Match():
            _note_test(node, use)
        case ast.BinOp(left=left, op=operator, right=right):
            for noted in (use(left), use(right)):
                if noted is not None and isinstance(operator, (ast.FloorDiv, ast.Mod)):
                    noted.counted = True
                elif noted is not None:
                    noted.computed = True
        case ast.Call():
            _note_call(node, use)


def _note_subscript(node: ast.Subscript, use: Lookup) -> None:
    noted = use(node.value)
    match node.slice:
        case ast.Constant(value=str(key)) if noted is not None:
            noted.keys.append(key)
        case ast.Name() as index if isinstance(node.value, ast.Name) and (index_use := use(index)) is not None:
            index_use.indexes = True
            if noted is not None:
                noted.indexed = True
        case ast.Constant(value=int(at)) if noted is not None:
            noted.indexed = True
            noted.longest = max(noted.longest, at + 1)
        case ast.Tuple() if noted is not None:
            noted.computed = True
        case _ if noted is not None:
            noted.indexed = True


def _note_unpacking(targets: list[ast.expr], value: ast.expr, use: Lookup) -> None:
    """Note that `value`, or what a method of it returns, is unpacked: `a, b = value` and `a, b = value.sample()`."""
    if (noted := use(value)) is not None:
        noted.unpacked = len(targets)
    elif isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        noted = use(value.func.value)
        parts = tuple(dict.fromkeys(target.id for target in targets if isinstance(target, ast.Name)))
        if noted is not None and len(parts) == len(targets):
            noted.parts.append((value.func.attr, parts))


def _note_test(node: ast.If | ast.IfExp | ast.Compare | ast.Match, use: Lookup) -> None:
    match node:
        case ast.If(test=test) | ast.IfExp(test=test) if (noted := use(_strip_not(test))) is not None:
            noted.tested = True
        case ast.Compare(left=left, comparators=[ast.Constant(value=str(text))]) if (noted := use(left)) is not None:
            noted.texts.append(text)
        case ast.Compare(left=left, comparators=[ast.Constant(value=int())]) if (noted := use(left)) is not None:
            noted.compared = True
        case ast.Match(subject=subject, cases=cases) if (noted := use(subject)) is not None:
            noted.texts += [text for case in cases for text in _texts_in_pattern(case.pattern)]


def _note_call(node: ast.Call, use: Lookup) -> None:
    if (noted := use(node.func)) is not None:
        noted.called = True
        noted.given = max(noted.given, len(node.args))
        noted.named = noted.named or bool(node.keywords)
    if isinstance(node.func, ast.Attribute) and (noted := use(node.func.value)) is not None:
        noted.methods.append(node.func.attr)
    name = last_name(node.func)
    match node:
        case ast.Call(func=ast.Name(id="int"), args=[ast.BinOp(left=left, op=ast.Mult(), right=ast.Name(id=factor))]):
            if names.is_width(factor) and (noted := use(left)) is not None:
                noted.is_share = True
    if name == "isinstance" and len(node.args) == 2 and (noted := use(node.args[0])) is not None:
        noted.is_mapping = noted.is_mapping or last_name(node.args[1]) in ("dict", "Mapping", "OrderedDict")
        noted.listed = noted.listed or last_name(node.args[1]) in ("list", "tuple", "Sequence")
    numbers = [word.value for word in node.keywords if word.arg in _COUNTS]
    for noted in map(use, [*numbers, *(node.args if name in _COUNTING else ())]):
        if noted is not None:
            noted.counted = True
    is_method = isinstance(node.func, ast.Attribute) and last_name(node.func.value) != "torch"
    indices = node.args[1 if is_method else 2 :][:1] if name in _INDICES else []
    for noted in map(use, map(_viewed_tensor, indices)):
        if noted is not None:
            noted.indexes = True


def _viewed_tensor(node: ast.expr) -> ast.expr:
    """Return the receiver of view methods: `x` in `x.view(-1)`."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        node = node.func.value
    return node


def _texts_in_pattern(pattern: ast.pattern) -> list[str]:
    """Return the texts that a `case` matches."""
    values = (node.value for node in ast.walk(pattern) if isinstance(node, ast.MatchValue))
    return [value.value for value in values if isinstance(value, ast.Constant) and isinstance(value.value, str)]


def _note_loop(source: ast.expr, use: Lookup) -> None:
    while isinstance(source, ast.Call) and last_name(source.func) in ("enumerate", "zip", "tqdm", "reversed"):
        for inner in source.args:
            _note_loop(inner, use)
        return
    noted = use(source)
    if noted is not None:
        noted.looped = True


def _strip_not(test: ast.expr) -> ast.expr:
    return test.operand if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) else test
