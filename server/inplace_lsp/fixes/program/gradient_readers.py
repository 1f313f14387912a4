"""Find what may look at gradients between two backwards: code about gradients in sight, and calls of code that is
not."""

from __future__ import annotations

import builtins
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

import libcst as cst

from inplace_lsp.fixes.program.candidate import is_torch
from inplace_lsp.fixes.program.escapes import functions_of_torch
from inplace_lsp.fixes.program.flow import assigned_pairs
from inplace_lsp.fixes.program.site import Tree, callee_name, last_name
from inplace_lsp.torch_ops.table import find_overloads

READS_GRADIENTS = frozenset({"step", "zero_grad", "grad", "backward", "clip_grad_norm_", "clip_grad_value_"})
"""Names by which a program uses, changes or adds to the gradients."""
RUNS_ANY_CODE = frozenset({"getattr", "setattr", "delattr", "vars", "eval", "exec", "map", "filter", "next", "iter"})
"""Functions of Python that read any attribute, or run code that is none of their own."""
SPACES = ("torch", "torch.nn.functional")


def reads_gradients(nodes: Iterable[cst.CSTNode]) -> bool:
    """Return whether one of the nodes is a name or an attribute that is about gradients."""
    return any(isinstance(node, (cst.Name, cst.Attribute)) and last_name(node) in READS_GRADIENTS for node in nodes)


def hands_control_back(nodes: Iterable[cst.CSTNode]) -> bool:
    """Return whether one of the nodes lets the caller go on, who may look at gradients."""
    return any(isinstance(node, (cst.Return, cst.Yield, cst.Await)) for node in nodes)


def find_unseen_calls(tree: Tree, nodes: Iterable[cst.CSTNode]) -> Iterator[cst.Call]:
    """Yield the calls among the nodes that may look at gradients: neither of torch's ops and modules, nor of functions
    of the file that call nothing else. `tree` is that of the whole file."""
    callees = _Callees(tree)
    return (node for node in nodes if isinstance(node, cst.Call) and not callees.is_blind(node))


class _Callees:
    """The functions and modules that a file calls, and what they call."""

    def __init__(self, tree: Tree) -> None:
        self._tree, self._of_torch = tree, functions_of_torch(tree)
        self._asked: set[cst.CSTNode | str] = set()

    def is_blind(self, call: cst.Call) -> bool:
        """Return whether what a call runs does not look at gradients, as far as it is in sight."""
        callee = call.func
        defined = self._functions.get(last_name(callee), [])
        if defined and not (isinstance(callee, cst.Attribute) and is_torch(self._tree, callee.value)):
            return self._are_blind(defined)
        if isinstance(callee, cst.Name) and self._is_function_of_library(callee.value):
            return True
        if isinstance(callee, cst.Attribute) and self._is_method_of_library(callee, call):
            return True
        return self._is_module(callee)

    def _is_function_of_library(self, name: str) -> bool:
        of_python = hasattr(builtins, name) and name not in RUNS_ANY_CODE
        return of_python or (name in self._of_torch and _is_op(name))

    def _is_method_of_library(self, callee: cst.Attribute, call: cst.Call) -> bool:
        name = callee.attr.value
        if is_torch(self._tree, callee.value):
            return _is_op(name) or name == "no_grad"
        if self._tree.code_of(callee.value) == "self":
            return False
        of_tensor = bool(find_overloads(f"torch.Tensor.{name}")) and not (call.args and self._is_unknown(callee.value))
        return of_tensor or hasattr(list, name) or hasattr(str, name)

    def _is_unknown(self, receiver: cst.BaseExpression) -> bool:
        """Return whether a variable may hold any object: `logger` in `logger.log(loss)`."""
        sources = self._sources.get(self._tree.code_of(receiver), [])
        made = any(callee_name(value)[:1].isupper() for value in sources)
        return isinstance(receiver, (cst.Name, cst.Attribute)) and (made or not sources)

    @cached_property
    def _functions(self) -> Mapping[str, list[cst.FunctionDef]]:
        """The functions and methods of the file by name."""
        found: defaultdict[str, list[cst.FunctionDef]] = defaultdict(list)
        for node in self._tree.all_nodes():
            if isinstance(node, cst.FunctionDef):
                found[node.name.value].append(node)
        return found

    @cached_property
    def _sources(self) -> Mapping[str, list[cst.BaseExpression]]:
        """What the file binds to its variables, and what loops take them from, by the text of the variable."""
        found: defaultdict[str, list[cst.BaseExpression]] = defaultdict(list)
        for node in self._tree.all_nodes():
            if isinstance(node, cst.Assign):
                pairs = [pair for target in node.targets for pair in assigned_pairs(target.target, node.value)]
            elif isinstance(node, (cst.For, cst.CompFor)):
                pairs = [(node.target, node.iter)]
            else:
                continue
            for target, value in pairs:
                for name in self._list_targets(target):
                    found[name].append(value)
        return found

    def _are_blind(self, functions: Iterable[cst.FunctionDef]) -> bool:
        """Return whether there are functions, and they look at no gradients, nor does what they call."""
        found = list(functions)
        for function in found:
            if function not in self._asked:
                self._asked.add(function)
                inside = self._tree.nodes_within(self._tree.span_of(function.body))
                calls = (node for node in inside if isinstance(node, cst.Call))
                if reads_gradients(inside) or not all(map(self.is_blind, calls)):
                    self._asked.discard(function)
                    return False
        return bool(found)

    def _is_module(self, callee: cst.BaseExpression) -> bool:
        """Return whether a callee is a module of torch or the file, or one of several that are kept under a name."""
        while isinstance(callee, cst.Subscript):
            callee = callee.value
        name = self._tree.code_of(callee)
        if name in self._asked:
            return False
        self._asked.add(name)
        sources = self._sources.get(name, [])
        found = bool(sources) and all(map(self._has_modules, sources))
        self._asked.discard(name)
        return found

    def _has_modules(self, value: cst.BaseExpression) -> bool:
        if any(map(self._makes_module, self._tree.calls_in(value))):
            return True
        inside = self._tree.nodes_within(self._tree.span_of(value))
        return any(self._is_module(node) for node in inside if isinstance(node, (cst.Name, cst.Attribute)))

    def _makes_module(self, call: cst.Call) -> bool:
        name = callee_name(call)
        if self._tree.code_of(call.func).startswith(("nn.", "torch.nn.")):
            return name[:1].isupper()
        classes = (
            node for node in self._tree.all_nodes() if isinstance(node, cst.ClassDef) and node.name.value == name
        )
        methods = (method for owner in classes for method in owner.body.body if isinstance(method, cst.FunctionDef))
        return self._are_blind(method for method in methods if method.name.value == "forward")

    def _list_targets(self, target: cst.BaseExpression) -> list[str]:
        if isinstance(target, (cst.Tuple, cst.List)):
            return [name for element in target.elements for name in self._list_targets(element.value)]
        return [self._tree.code_of(target)]


def _is_op(name: str) -> bool:
    return any(find_overloads(f"{space}.{name}") for space in SPACES)
