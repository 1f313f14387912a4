"""Derive the value of a parameter from its annotation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial

from inplace_lsp.interpret.state.values import Items, Number, Unknown, Value
from inplace_lsp.source import ir
from inplace_lsp.source.parse import NotParsedError, parse_now
from inplace_lsp.tape.names import ELEMENT
from inplace_lsp.uses.types import CHOICES, SEVERAL, SHAPED, TENSORS, WRAPPERS, is_floating_tensor, is_whole_tensor

_PLAIN = {"int": Number, "float": Number, "bool": None, "str": None, "dict": None, "Dict": None}
_GRAPHLESS = frozenset(
    ["int", "float", "complex", "bool", "str", "bytes", "None", "Optional", "Union", "dtype", "device", "Size"]
)
"""Types whose values have no autograd history, and the words that combine types; those of `SEVERAL` do so, too."""


def read_annotation(annotation: ir.Expr, name: str) -> Value | None:
    """Return the value of a parameter `name` by its annotation; None if that does not say."""
    words = _find_names(annotation)
    if not words:
        return None
    allowed = list(_list_alternatives(annotation))
    head = _find_head(allowed[0])
    may_be_none = "Optional" in words or "None" in words
    graphless = _are_whole_tensors(words) or SHAPED.get(head, "float") != "float"
    if head in SEVERAL and _speaks_of_tensors(_find_names(allowed[0])):
        more = partial(Unknown, ELEMENT + name, tensorlike=True, graphless=graphless)
        return Items("list", [], open=True, more=more, may_be_none=may_be_none)
    if any(map(_is_tensor, allowed)):
        return Unknown(name, tensorlike=True, may_be_none=may_be_none, graphless=graphless)
    if head in _PLAIN and len(words) == 1:
        return Number() if _PLAIN[head] is not None else Unknown(name)
    if may_be_none or _is_graphless(words):
        return Unknown(name, may_be_none=may_be_none, graphless=_is_graphless(words))
    return Unknown(name) if words[0] != "Any" else None


def _are_whole_tensors(words: Sequence[str]) -> bool:
    """Return whether the tensors of an annotation hold integers, and none floats."""
    return any(map(is_whole_tensor, words)) and not any(map(is_floating_tensor, words))


def _is_graphless(words: Sequence[str]) -> bool:
    """Return whether no value of a type that these words make up has autograd history."""
    return all(word in _GRAPHLESS or word in SEVERAL for word in words) and not _GRAPHLESS.isdisjoint(words)


def find_class_name(annotation: ir.Expr) -> tuple[str, ...]:
    """Return the dotted name of the only class that an annotation allows (besides None), () for any other."""
    allowed = list(_list_alternatives(annotation))
    names: list[str] = []
    node = _unquote_annotation(allowed[0]) if len(allowed) == 1 else None
    while isinstance(node, ir.Attribute):
        names.append(node.name)
        node = node.value
    return (node.id, *reversed(names)) if isinstance(node, ir.Name) else ()


def _list_alternatives(annotation: ir.Expr) -> Iterator[ir.Expr]:
    """Return the types in a union, without None if there is another."""
    found = [
        member for member in _flatten_union(annotation) if not (isinstance(member, ir.Const) and member.value is None)
    ]
    return iter(found or [annotation])


def _flatten_union(annotation: ir.Expr) -> Iterator[ir.Expr]:
    """Yield the members of `A | B`, `Union[A, B]` and `Optional[A]`, in quotes too."""
    annotation = _unquote_annotation(annotation)
    if isinstance(annotation, ir.BinOp):
        yield from _flatten_union(annotation.left)
        yield from _flatten_union(annotation.right)
        return
    head = _find_head(annotation)
    if isinstance(annotation, ir.Subscript) and head in CHOICES | WRAPPERS:
        inside = annotation.index.items if isinstance(annotation.index, ir.Sequence) else (annotation.index,)
        for member in inside if head in CHOICES else inside[:1]:
            yield from _flatten_union(member)
        return
    yield annotation


def _is_tensor(annotation: ir.Expr) -> bool:
    """Return whether a value of the type is a tensor itself."""
    words = _find_names(annotation)
    head = _find_head(annotation)
    if SHAPED.get(head) == "float":
        return isinstance(annotation, ir.Subscript)
    return _speaks_of_tensors(words if head in SHAPED else words[:1])


def _speaks_of_tensors(words: Sequence[str]) -> bool:
    return any(word in TENSORS for word in words)


@lru_cache(maxsize=4096)
def _find_names(annotation: ir.Expr) -> tuple[str, ...]:
    """Return the names in an annotation, outermost first, in quotes too."""
    return tuple(_iterate_names(annotation))


def _find_head(annotation: ir.Expr) -> str:
    """Return the outermost name in an annotation, "" if there is none."""
    names = _find_names(annotation)
    return names[0] if names else ""


def _iterate_names(annotation: ir.Expr) -> Iterator[str]:
    annotation = _unquote_annotation(annotation)
    if isinstance(annotation, ir.Name):
        yield annotation.id
    elif isinstance(annotation, ir.Attribute):
        yield annotation.name
    elif isinstance(annotation, ir.Const):
        yield from ["None"] if annotation.value is None else []
    elif isinstance(annotation, ir.Subscript):
        yield from _iterate_names(annotation.value)
        yield from _iterate_names(annotation.index)
    elif isinstance(annotation, ir.Sequence):
        for item in annotation.items:
            yield from _iterate_names(item)
    elif isinstance(annotation, ir.BinOp):
        yield from _iterate_names(annotation.left)
        yield from _iterate_names(annotation.right)


def _unquote_annotation(annotation: ir.Expr) -> ir.Expr:
    """Return the annotation inside quotes, any other as it is."""
    if not isinstance(annotation, ir.Const) or not isinstance(annotation.value, str):
        return annotation
    return _parse_text(annotation.value) or ir.Const(annotation.place, ...)


@lru_cache(maxsize=1024)
def _parse_text(text: str) -> ir.Expr | None:
    try:
        statements = parse_now(f"({text})")
    except NotParsedError:
        return None
    return statements[0].value if len(statements) == 1 and isinstance(statements[0], ir.ExprStatement) else None
