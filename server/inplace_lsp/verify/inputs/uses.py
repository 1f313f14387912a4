"""How a function uses its parameters: what kind of value each can only be."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field, fields

from inplace_lsp.torch_ops.table import find
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
    dictionary; `is_share`: a whole number is made of its product with a width."""

    attributes: list[str] = field(default_factory=list)
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
        """Take over what was seen of the same value elsewhere."""
        for one in fields(self):
            mine, more = getattr(self, one.name), getattr(other, one.name)
            setattr(self, one.name, mine + more if isinstance(mine, list) else max(mine, more))

    @property
    def is_module(self) -> bool:
        """Whether it is asked what only modules are asked."""
        return any(name in _MODULE for name in self.attributes)

    @property
    def is_optimizer(self) -> bool:
        """Whether it is stepped."""
        return "step" in self.attributes

    @property
    def is_dict(self) -> bool:
        """Whether it is asked what only dictionaries are asked."""
        shared = all(name in _SHARED or name in _ONLY_DICTS for name in self.attributes)
        return shared and any(name in _ONLY_DICTS for name in self.attributes)

    @property
    def is_text(self) -> bool:
        """Whether it is asked what only texts are asked."""
        return any(name in _ONLY_TEXTS for name in self.attributes)

    @property
    def holds_indices(self) -> bool:
        """Whether it can only be a tensor of whole numbers."""
        return self.indexes or "long" in self.methods

    @property
    def is_tensor(self) -> bool:
        """Whether it is asked what only tensors are asked."""
        return any(
            name in _ONLY_TENSORS or (name not in _SHARED and bool(find(f"torch.Tensor.{name}")))
            for name in self.attributes
        ) and not (self.is_module or self.keys)

    @property
    def asked_for(self) -> list[str]:
        """The attributes, where they are none of a tensor or a module."""
        plain = not (self.is_tensor or self.is_module or self.is_optimizer or self.is_text)
        only_shared = all(name in _SHARED for name in self.attributes)
        return list(dict.fromkeys(self.attributes)) if plain and not only_shared else []


Lookup = Callable[[ast.expr | None], Use | None]


def uses(node: Function) -> dict[str, Use]:
    """What a function's body does with each name it is given."""
    given = node.args
    stars = [arg for arg in (given.vararg, given.kwarg) if arg is not None]
    found = {arg.arg: Use() for arg in [*given.posonlyargs, *given.args, *given.kwonlyargs, *stars]}
    note_uses(node, found)
    return found


def note_uses(node: Function, found: dict[str, Use]) -> None:
    """Note in `found` what the body does with these names, attributes of `self` (`self.x`) included."""
    for statement in node.body:
        for inner in ast.walk(statement):
            _note(inner, found)


def _note(node: ast.AST, found: dict[str, Use]) -> None:
    def use(expression: ast.expr | None) -> Use | None:
        match expression:
            case ast.Name(id=name):
                return found.get(name)
            case ast.Attribute(value=ast.Name(id="self"), attr=name):
                return found.get(f"self.{name}")
        return None

    match node:
        case ast.Attribute(value=value, attr=name) if (one := use(value)) is not None:
            one.attributes.append(name)
        case ast.Subscript(value=value, slice=ast.Constant(value=str(key))) if (one := use(value)) is not None:
            one.keys.append(key)
        case ast.Subscript(value=ast.Name(), slice=ast.Name() as index) if (one := use(index)) is not None:
            one.indexes = True
            if (held := use(node.value)) is not None:
                held.indexed = True
        case ast.Subscript(value=value, slice=ast.Constant(value=int(at))) if (one := use(value)) is not None:
            one.indexed = True
            one.longest = max(one.longest, at + 1)
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
        case ast.Call():
            _note_call(node, use)
            match node:
                case ast.Call(
                    func=ast.Name(id="int"), args=[ast.BinOp(left=left, op=ast.Mult(), right=ast.Name(id=name))]
                ):
                    if names.is_width(name) and (one := use(left)) is not None:
                        one.is_share = True


def _note_call(node: ast.Call, use: Lookup) -> None:
    if (one := use(node.func)) is not None:
        one.called = True
        one.given = max(one.given, len(node.args))
        one.named = one.named or bool(node.keywords)
    if isinstance(node.func, ast.Attribute) and (one := use(node.func.value)) is not None:
        one.methods.append(node.func.attr)
    name = last_name(node.func)
    match node:
        case ast.Call(func=ast.Name(id="int"), args=[ast.BinOp(left=left, op=ast.Mult(), right=ast.Name(id=factor))]):
            if names.is_width(factor) and (one := use(left)) is not None:
                one.is_share = True
    if name == "isinstance" and len(node.args) == 2 and (one := use(node.args[0])) is not None:
        one.is_mapping = one.is_mapping or last_name(node.args[1]) in ("dict", "Mapping", "OrderedDict")
        one.listed = one.listed or last_name(node.args[1]) in ("list", "tuple", "Sequence")
    numbers = [word.value for word in node.keywords if word.arg in _COUNTS]
    for one in map(use, [*numbers, *(node.args if name in _COUNTING else ())]):
        if one is not None:
            one.counted = True
    is_method = isinstance(node.func, ast.Attribute) and last_name(node.func.value) != "torch"
    indices = node.args[1 if is_method else 2 :][:1] if name in _INDICES else []
    for one in map(use, map(_viewed, indices)):
        if one is not None:
            one.indexes = True


def _viewed(node: ast.expr) -> ast.expr:
    """What methods are called on: `x` of `x.view(-1)`."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        node = node.func.value
    return node


def _texts(pattern: ast.pattern) -> list[str]:
    """The texts that a `case` matches."""
    values = (one.value for one in ast.walk(pattern) if isinstance(one, ast.MatchValue))
    return [one.value for one in values if isinstance(one, ast.Constant) and isinstance(one.value, str)]


def _note_loop(source: ast.expr, use: Lookup) -> None:
    while isinstance(source, ast.Call) and last_name(source.func) in ("enumerate", "zip", "tqdm", "reversed"):
        for inner in source.args:
            _note_loop(inner, use)
        return
    one = use(source)
    if one is not None:
        one.looped = True


def _bare(test: ast.expr) -> ast.expr:
    return test.operand if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) else test
