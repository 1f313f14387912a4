"""Tell which names a function binds: a repair may rebind only the function's own names."""

from __future__ import annotations

import libcst as cst


def is_parameter(function: cst.FunctionDef | cst.Lambda, name: str) -> bool:
    """Return whether `name` is a parameter of `function`."""
    params = function.params
    stars = [star for star in (params.star_arg, params.star_kwarg) if isinstance(star, cst.Param)]
    every = [*params.posonly_params, *params.params, *params.kwonly_params, *stars]
    return any(param.name.value == name for param in every)


def is_bound_in(function: cst.FunctionDef | cst.Lambda, name: str) -> bool:
    """Return whether an assignment in `function` would bind the `name` it already uses: a parameter, a local, or one
    declared `global` or `nonlocal`."""
    return is_parameter(function, name) or binds(function.body, name)


def binds(node: cst.CSTNode, name: str) -> bool:
    """Return whether an assignment in `node`, outside of the functions and classes in it, binds the `name`."""
    finder = _BindingFinder(name)
    node.visit(finder)
    return finder.found


class _BindingFinder(cst.CSTVisitor):
    def __init__(self, name: str) -> None:
        self.name = name
        self.found = False

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, (cst.AssignTarget, cst.AnnAssign, cst.AugAssign, cst.For, cst.NamedExpr)):
            self._visit_target(node.target)
        elif isinstance(node, (cst.AsName, cst.NameItem)):
            self._visit_target(node.name)
        return not isinstance(node, (cst.FunctionDef, cst.Lambda, cst.ClassDef))

    def _visit_target(self, node: cst.CSTNode) -> None:
        if isinstance(node, cst.Name):
            self.found |= node.value == self.name
        elif isinstance(node, (cst.Tuple, cst.List)):
            for element in node.elements:
                self._visit_target(element.value)
