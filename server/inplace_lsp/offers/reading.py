"""What the syntax of a whole file tells: the parents of nodes, what dotted names mean, and what makes it unreadable."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cached_property

from inplace_lsp.source.ast_expressions import Places
from inplace_lsp.source.units import normalise_text
from inplace_lsp.tape.model import Span
from inplace_lsp.torch_ops.model import Param

_NAMING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler, ast.MatchAs, ast.MatchStar)
Function = ast.FunctionDef | ast.AsyncFunctionDef
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.ListComp, ast.SetComp, ast.DictComp,
          ast.GeneratorExp)  # fmt: skip
_REACHES_INSIDE = frozenset(
    "register_forward_hook register_forward_pre_hook register_full_backward_hook register_full_backward_pre_hook "
    "register_backward_hook register_module_forward_hook register_module_forward_pre_hook "
    "register_module_full_backward_hook register_module_full_backward_pre_hook register_module_backward_hook "
    "saved_tensors_hooks save_on_cpu allow_mutation_on_saved_tensors create_feature_extractor vmap".split()
)
"""Whoever uses these sees, keeps or replaces tensors that no name of the program holds; vmap gives a dimension to some
of them alone."""
_BLOCKS = ("body", "orelse", "finalbody")
_SETS_MODE = frozenset({"set_grad_enabled", "inference_mode", "no_grad", "enable_grad"})
"""As a statement of its own, each of these may switch gradients off between two statements."""


class Reading:
    """A file's syntax tree with what readers of it ask."""

    def __init__(self, tree: ast.Module, text: str, filename: str) -> None:
        self.tree, self.text, self.filename = tree, text, filename
        self._places = Places(text)
        self._lines = normalise_text(text).split("\n")
        self.nodes = tuple(ast.walk(tree))
        self.parents = {child: node for node in self.nodes for child in ast.iter_child_nodes(node)}

    def span_of(self, node: ast.stmt | ast.expr) -> Span:
        """Return where a node is."""
        return Span(self.filename, *self._places.place_of(node))

    def code_of(self, node: ast.expr) -> str:
        """Return the source of an expression."""
        return self.text_of(self.span_of(node))

    def text_of(self, span: Span) -> str:
        """Return the text at a place."""
        lines = self._lines[span.row - 1 : span.end_row]
        lines[-1] = lines[-1][: span.end_column]
        lines[0] = lines[0][span.column :]
        return "\n".join(lines)

    def find_dotted_name(self, node: ast.expr) -> str:
        """Return the name under which torch exports what an expression names (`torch.nn.functional.relu` for `F.relu`);
        "" for anything else."""
        if isinstance(node, ast.Name):
            return self._import_meanings.get(node.id, "")
        if isinstance(node, ast.Attribute):
            owner = self.find_dotted_name(node.value)
            return f"{owner}.{node.attr}" if owner else ""
        return ""

    def statement_of(self, node: ast.AST) -> ast.stmt:
        """Return the innermost statement around a node."""
        while not isinstance(node, ast.stmt):
            node = self.parents[node]
        return node

    def list_before(self, statement: ast.AST) -> list[ast.stmt]:
        """Return the statements before one in its block."""
        around = self.parents[statement]
        for block in (getattr(around, field, None) for field in _BLOCKS):
            if isinstance(block, list) and statement in block:
                return block[: block.index(statement)]
        return []

    def scope_of(self, node: ast.AST) -> ast.AST:
        """Return the innermost function, class, lambda or comprehension around a node, else the module."""
        around = self.parents[node]
        while not isinstance(around, (*SCOPES, ast.Module)):
            around = self.parents[around]
        return around

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """Yield what is around a node, the innermost first."""
        while node in self.parents:
            node = self.parents[node]
            yield node

    @cached_property
    def in_strings(self) -> frozenset[ast.AST]:
        """What stands in an f-string: before Python 3.12 the tree does not tell where."""
        strings = (node for node in self.nodes if isinstance(node, ast.JoinedStr))
        return frozenset(inner for string in strings for inner in ast.walk(string))

    @cached_property
    def hides_nothing(self) -> bool:
        """Whether all that may hold a tensor here has a name in the text: no hooks, no names made of texts, no switches
        of the grad mode that no `with` shows."""
        return not any(map(self._may_hide, self.nodes))

    def _may_hide(self, node: ast.AST) -> bool:
        if isinstance(node, ast.ImportFrom):
            return any(alias.name in ("*", *_REACHES_INSIDE) for alias in node.names)
        if isinstance(node, ast.Attribute):
            return node.attr in _REACHES_INSIDE
        if isinstance(node, ast.Name):
            return node.id in ("locals", "vars", "globals", "eval", "exec")
        return isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and name_of(node.value) in _SETS_MODE

    @cached_property
    def _import_meanings(self) -> dict[str, str]:
        """What names mean of torch that are bound by imports alone."""
        found: dict[str, str] = {}
        for node in self.nodes:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                for name, meaning in _imports_of(node):
                    found[name] = meaning if found.get(name, meaning) == meaning else ""
        other = self._bound_otherwise
        return {name: meaning for name, meaning in found.items() if meaning and name not in other}

    @cached_property
    def _bound_otherwise(self) -> frozenset[str]:
        """The names that anything but an import binds, in any scope."""
        names: set[str] = set()
        for node in self.nodes:
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                names.add(node.id)
            elif isinstance(node, ast.arg):
                names.add(node.arg)
            elif isinstance(node, _NAMING):
                names.add(node.name or "")
        return frozenset(names)


def _imports_of(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    """Yield the names that an import binds, each with the dotted name that it means; "" for what is not torch's."""
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            of_torch = not node.level and (node.module or "").split(".")[0] == "torch"
            yield alias.asname or alias.name, f"{node.module}.{alias.name}" if of_torch else ""
        else:
            root = alias.name.split(".")[0]
            yield alias.asname or root, (alias.name if alias.asname else root) if root == "torch" else ""


def name_of(call: ast.Call) -> str:
    """Return the last part of the name of what is called."""
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def find_given(call: ast.Call, params: Sequence[Param], name: str) -> list[ast.expr]:
    """Return what a call gives for a parameter; nothing where it gives none."""
    names = [param.name for param in params]
    if name not in names:
        return []
    at = names.index(name)
    return [word.value for word in call.keywords if word.arg == name] or call.args[at : at + 1]


def is_number(node: ast.expr) -> bool:
    """Return whether an expression is spelled as a real number: a literal, `-1e9`, `float("-inf")`, `math.sqrt(n)`,
    `torch.finfo(x.dtype).min`, an extent (`x.size(1)`), the root of one."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        return is_number(node.operand)
    if isinstance(node, ast.BinOp):
        return _is_extent(node.left) and isinstance(node.op, (ast.Pow, ast.Mult, ast.Div)) and is_number(node.right)
    if isinstance(node, ast.Call):
        return _is_float(node) or _is_of(node.func, "math") or _is_extent(node)
    if isinstance(node, ast.Attribute):
        return _is_limit(node) or _is_of(node, "math")
    return (isinstance(node, ast.Constant) and type(node.value) in (int, float)) or _is_extent(node)


def _is_float(call: ast.Call) -> bool:
    """Return whether a call is `float("-inf")`, or of another constant."""
    is_conversion = isinstance(call.func, ast.Name) and call.func.id == "float"
    return is_conversion and len(call.args) == 1 and isinstance(call.args[0], ast.Constant)


def _is_limit(node: ast.Attribute) -> bool:
    """Return whether an attribute is a limit of an element type: `torch.finfo(x.dtype).min`."""
    return isinstance(node.value, ast.Call) and name_of(node.value) == "finfo" and node.attr in ("min", "max", "eps")


def is_whole_number(node: ast.expr) -> bool:
    """Return whether an expression is spelled as an integer."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return is_whole_number(node.operand)
    return isinstance(node, ast.Constant) and type(node.value) is int


def _is_of(node: ast.expr, module: str) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == module


def _is_extent(node: ast.expr) -> bool:
    """Return whether an expression asks for one dimension's extent: `x.size(1)`, `x.shape[1]`."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Attribute) and node.func.attr == "size" and len(node.args) == 1
    if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Attribute):
        return False
    return node.value.attr == "shape" and is_whole_number(node.slice)
