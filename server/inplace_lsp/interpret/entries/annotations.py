"""What the annotation of a parameter says of the values it may be given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from inplace_lsp.interpret.state.values import Items, Number, Unknown, Value
from inplace_lsp.source import ir
from inplace_lsp.source.parse import NotParsedError, parse_now

_MANY = frozenset(["List", "list", "Tuple", "tuple", "Sequence", "Iterable", "Iterator"])
_PLAIN = {"int": Number, "float": Number, "bool": None, "str": None, "dict": None, "Dict": None}
_GRAPHLESS = frozenset(
    ["int", "float", "complex", "bool", "str", "bytes", "None", "Optional", "Union", "dtype", "device", "Size"]
)
"""Types no value of which carries a graph, and the words that put types together; so do those of `_MANY`."""
_TENSORS = frozenset(["Tensor", "FloatTensor", "DoubleTensor", "HalfTensor", "BFloat16Tensor", "Parameter"])
_INTEGERS = frozenset(["LongTensor", "IntTensor", "ShortTensor", "CharTensor", "ByteTensor", "BoolTensor"])
"""Types of tensors of integers and booleans, which never require grad."""
_SHAPED = frozenset(["Float", "Float32", "Float64", "Num", "Inexact", "Real"])
"""Annotations with a shape (`Float[Tensor, "batch"]`)."""
_SHAPED_INTEGERS = frozenset(["Int", "Int32", "Int64", "Integer", "Bool", "UInt8"])
"""The same of integers."""
_CHOICES = frozenset(["Optional", "Union"])
_WRAPPERS = frozenset(["Annotated", "Final"])
"""What says more of a type: the type comes first."""


def value_of(annotation: ir.Expr, name: str) -> Value | None:
    """The value of a parameter `name`, as far as its annotation tells; None if it tells nothing."""
    words = _names(annotation)
    if not words:
        return None
    allowed = list(_alternatives(annotation))
    heads = [_head(one) for one in allowed]
    may_be_none = "Optional" in words or "None" in words
    graphless = heads[0] in _SHAPED_INTEGERS or (not _INTEGERS.isdisjoint(words) and _TENSORS.isdisjoint(words))
    if heads[0] in _MANY and _speaks_of_tensors(_names(allowed[0])):
        element = f"an element of {name}"
        more = lambda: Unknown(element, tensorlike=True, graphless=graphless)  # noqa: E731
        return Items("list", [], open=True, more=more, may_be_none=may_be_none)
    if any(map(_is_tensor, allowed)):
        return Unknown(name, tensorlike=True, may_be_none=may_be_none, graphless=graphless)
    if heads[0] in _PLAIN and len(words) == 1:
        return Number() if _PLAIN[heads[0]] is not None else Unknown(name)
    if all(word in _GRAPHLESS or word in _MANY for word in words) and not _GRAPHLESS.isdisjoint(words):
        return Unknown(name, may_be_none=may_be_none, graphless=True)
    if may_be_none:
        return Unknown(name, may_be_none=True)
    return Unknown(name) if words[0] != "Any" else None


def find_class_name(annotation: ir.Expr) -> tuple[str, ...]:
    """Return the dotted name of the only class that an annotation allows (besides None), () if it is not that plain."""
    allowed = list(_alternatives(annotation))
    names: list[str] = []
    node = _read(allowed[0]) if len(allowed) == 1 else None
    while isinstance(node, ir.Attribute):
        names.append(node.name)
        node = node.value
    return (node.id, *reversed(names)) if isinstance(node, ir.Name) else ()


def _alternatives(annotation: ir.Expr) -> Iterator[ir.Expr]:
    """The types of which a value has one; None is left out where there is another."""
    found = [one for one in _flattened(annotation) if not (isinstance(one, ir.Const) and one.value is None)]
    return iter(found or [annotation])


def _flattened(annotation: ir.Expr) -> Iterator[ir.Expr]:
    """`A | B`, `Union[A, B]` and `Optional[A]`, those in a text too, one by one."""
    annotation = _read(annotation)
    if isinstance(annotation, ir.BinOp):
        yield from _flattened(annotation.left)
        yield from _flattened(annotation.right)
        return
    head = _head(annotation)
    if isinstance(annotation, ir.Subscript) and head in _CHOICES | _WRAPPERS:
        inside = annotation.index.items if isinstance(annotation.index, ir.Sequence) else (annotation.index,)
        for one in inside if head in _CHOICES else inside[:1]:
            yield from _flattened(one)
        return
    yield annotation


def _is_tensor(annotation: ir.Expr) -> bool:
    """Whether a value of the type is a tensor itself."""
    words = _names(annotation)
    head = _head(annotation)
    if head in _SHAPED:
        return isinstance(annotation, ir.Subscript)
    return _speaks_of_tensors(words if head in _SHAPED_INTEGERS else words[:1])


def _speaks_of_tensors(words: Sequence[str]) -> bool:
    return any(word in _TENSORS or word in _INTEGERS for word in words)


@lru_cache(maxsize=4096)
def _names(annotation: ir.Expr) -> tuple[str, ...]:
    """The names in an annotation, outermost first; those in a text too."""
    return tuple(_words(annotation))


def _head(annotation: ir.Expr) -> str:
    """The outermost name in an annotation, "" if there is none."""
    names = _names(annotation)
    return names[0] if names else ""


def _words(annotation: ir.Expr) -> Iterator[str]:
    annotation = _read(annotation)
    if isinstance(annotation, ir.Name):
        yield annotation.id
    elif isinstance(annotation, ir.Attribute):
        yield annotation.name
    elif isinstance(annotation, ir.Const):
        yield from ["None"] if annotation.value is None else []
    elif isinstance(annotation, ir.Subscript):
        yield from _words(annotation.value)
        yield from _words(annotation.index)
    elif isinstance(annotation, ir.Sequence):
        for item in annotation.items:
            yield from _words(item)
    elif isinstance(annotation, ir.BinOp):
        yield from _words(annotation.left)
        yield from _words(annotation.right)


def _read(annotation: ir.Expr) -> ir.Expr:
    """The annotation that a text holds."""
    if not isinstance(annotation, ir.Const) or not isinstance(annotation.value, str):
        return annotation
    return _parsed(annotation.value) or ir.Const(annotation.place, ...)


@lru_cache(maxsize=1024)
def _parsed(text: str) -> ir.Expr | None:
    try:
        statements = parse_now(f"({text})")
    except NotParsedError:
        return None
    return statements[0].value if len(statements) == 1 and isinstance(statements[0], ir.ExprStatement) else None
