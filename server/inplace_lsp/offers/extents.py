"""Symbols for the extents that the text of a file spells: `C // self.heads`, a layer's `out_features`."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from inplace_lsp.offers.forms import Symbol
from inplace_lsp.offers.layers import Layers
from inplace_lsp.offers.reading import Function, Reading, find_given
from inplace_lsp.torch_ops.model import Param

_IN_EXTENT = (ast.Name, ast.Attribute, ast.Constant, ast.BinOp, ast.operator, ast.expr_context)


class Extents:
    """The extents that are spelled in one file."""

    def __init__(self, reading: Reading, layers: Layers) -> None:
        self._reading, self._layers = reading, layers

    def read(self, node: ast.expr) -> Symbol:
        """Return a symbol for an extent; one of its own if it is not certain what it is."""
        if isinstance(node, ast.Constant) and type(node.value) is int and node.value >= 0:
            return node.value
        function = self._reading.scope_of(node)
        if isinstance(function, Function) and self._is_constant(node, function):
            return id(function), ast.unparse(node)
        return "of", id(node)

    def _is_constant(self, node: ast.expr, function: Function) -> bool:
        """Return whether an expression is the same extent wherever the function spells it."""
        parts = list(ast.walk(node))
        if not all(isinstance(part, _IN_EXTENT) for part in parts):
            return False
        names = {part.id for part in parts if isinstance(part, ast.Name)}
        attributes = {part.attr for part in parts if isinstance(part, ast.Attribute)}
        return all(self._is_bound_once(name, function) for name in names) and all(
            self._is_set_before(attribute, node, function) for attribute in attributes
        )

    def _is_set_before(self, attribute: str, node: ast.expr, function: Function) -> bool:
        """Return whether a function has set an attribute before it reads it, or does not set it at all."""
        stores = [
            use
            for use in self._layers.find_uses(attribute)
            if not isinstance(use.ctx, ast.Load) and function in self._reading.ancestors(use)
        ]
        first = self._reading.statement_of(stores[0]) if stores else None
        return first is None or (len(stores) == 1 and first in function.body and first.lineno < node.lineno)

    def _is_bound_once(self, name: str, function: ast.AST) -> bool:
        bound = [
            node
            for node in ast.walk(function)
            if (isinstance(node, ast.arg) and node.arg == name)
            or (isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load))
        ]
        return len(bound) == 1

    def read_given(self, call: ast.Call, params: Sequence[Param], name: str) -> Symbol:
        """Return a symbol for what a call gives for a parameter."""
        given = find_given(call, params, name)
        return self.read(given[0]) if given else ("default", name)
