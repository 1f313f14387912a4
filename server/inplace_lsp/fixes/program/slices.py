"""Find the statements of a block that lead from what a graph has saved to its later uses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from inplace_lsp.fixes.program.flow import assigned_pairs, reads_and_bindings
from inplace_lsp.fixes.program.parameter_names import find_calls_of
from inplace_lsp.fixes.program.site import Tree
from inplace_lsp.hazards.finding import Finding


def statements_of(block: cst.CSTNode | None) -> list[cst.CSTNode]:
    """Return the statements of a block or module."""
    return list(block.body) if isinstance(block, (cst.IndentedBlock, cst.Module)) else []


def find_stale_statements(
    tree: Tree, finding: Finding, before: Sequence[cst.CSTNode], behind: Sequence[cst.CSTNode]
) -> list[cst.CSTNode]:
    """Return the statements of `before` that carry saved values to `behind`, from the finding's save on.

    Return none if one of them is more than an assignment or a call of a method that only computes.
    """
    needed = find_needed_statements(tree, before, behind)
    saved = set(save_rows(tree, finding))
    stale: list[cst.CSTNode] = []
    names: set[str] = set()
    for statement in before:
        span = tree.span_of(statement)
        reads, writes = names_read_and_bound(tree, statement)
        saves = any(span.row <= row <= span.end_row for row in saved) and not _is_under_no_grad(tree, statement)
        hit = saves or names & {*reads}
        if statement in needed and hit:
            if not _may_run_again(tree, statement):
                return []
            stale.append(statement)
            names |= writes
    return stale


def names_read_and_bound(tree: Tree, statement: cst.CSTNode) -> tuple[set[str], set[str]]:
    """Return the variables that a statement reads and binds, also through methods of the same object that it calls
    (`self.forward()`)."""
    read, bound = ({*found} for found in reads_and_bindings(tree, statement))
    methods = list(_own_methods_called_in(tree, statement))
    for method in methods:
        methods += [inner for inner in _own_methods_called_in(tree, method.body) if inner not in methods]
        inner, kept = reads_and_bindings(tree, method.body)
        read |= {name for name in inner if name.startswith("self.")}
        bound |= {name for name in kept if name.startswith("self.")}
    return read, bound


def _own_methods_called_in(tree: Tree, node: cst.CSTNode) -> Iterator[cst.FunctionDef]:
    """Yield the methods of the class around `node` that it calls on its own object."""
    owner = next((ancestor for ancestor in tree.parents_of(node) if isinstance(ancestor, cst.ClassDef)), None)
    if owner is None:
        return
    called = {tree.code_of(call.func) for call in tree.calls_in(node)}
    for method in owner.body.body:
        if isinstance(method, cst.FunctionDef) and f"self.{method.name.value}" in called:
            yield method


def _may_run_again(tree: Tree, statement: cst.CSTNode) -> bool:
    """Return whether a statement only computes: no optimizer step, no backward, no collecting."""
    if _is_one_assignment(statement) or _is_only_conditional(tree, statement):
        return True
    if isinstance(statement, cst.With) and _is_under_no_grad(tree, statement):
        return all(map(_is_one_assignment, statements_of(statement.body)))
    methods = list(_own_methods_called_in(tree, statement))
    return (
        _is_call(statement)
        and len(methods) == 1
        and statement not in tree.nodes_within(tree.span_of(methods[0]))
        and (_only_computes(tree, methods[0]))
    )


def _is_under_no_grad(tree: Tree, statement: cst.CSTNode) -> bool:
    """Return whether a statement is a `with torch.no_grad():`, in which no op saves anything."""
    items = statement.items if isinstance(statement, cst.With) else ()
    calls = (item.item.func for item in items if isinstance(item.item, cst.Call))
    return any(tree.code_of(function).rsplit(".", 1)[-1] in {"no_grad", "inference_mode"} for function in calls)


def _is_call(statement: cst.CSTNode) -> bool:
    """Return whether a statement consists of a call."""
    if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) != 1:
        return False
    only = statement.body[0]
    return isinstance(only, cst.Expr) and isinstance(only.value, cst.Call)


def _only_computes(tree: Tree, method: cst.FunctionDef) -> bool:
    body = statements_of(method.body)
    return bool(body) and all(
        _is_one_assignment(statement) or _is_only_conditional(tree, statement) or _is_doc(statement)
        for statement in body
    )


def _is_doc(statement: cst.CSTNode) -> bool:
    lines = statement.body if isinstance(statement, cst.SimpleStatementLine) else ()
    return bool(lines) and all(isinstance(line, cst.Expr) and isinstance(line.value, cst.BaseString) for line in lines)


def save_rows(tree: Tree, finding: Finding) -> Iterator[int]:
    """Yield the rows of the finding's saves, and of the calls that lead to the functions and modules that save."""
    waiting = finding.places_of("saved", tree.file)
    seen: set[cst.CSTNode] = set()
    while waiting:
        place = waiting.pop()
        yield place.row
        functions = [node for node in tree.nodes_around(place) if isinstance(node, cst.FunctionDef)]
        if functions and functions[-1] not in seen:
            seen.add(functions[-1])
            calls = [*find_calls_of(tree, functions[-1].name.value), *_calls_of_instances(tree, functions[-1])]
            waiting += [tree.span_of(call) for call in calls]


def _calls_of_instances(tree: Tree, forward: cst.FunctionDef) -> Iterator[cst.Call]:
    """Yield the calls of objects of `forward`'s class by the names they were assigned to: `net(x)`,
    `self.nets[0](x)`."""
    owner = next((ancestor for ancestor in tree.parents_of(forward) if isinstance(ancestor, cst.ClassDef)), None)
    if owner is None or forward.name.value != "forward":
        return
    names = _names_of_instances(tree, owner.name.value)
    for node in tree.all_nodes():
        if isinstance(node, cst.Call):
            whole = node.func.value if isinstance(node.func, cst.Subscript) else node.func
            if tree.code_of(whole) in names:
                yield node


def _names_of_instances(tree: Tree, owner: str) -> set[str]:
    assigned = [
        node for node in tree.all_nodes() if isinstance(node, cst.Assign) and _calls_class(tree, node.value, owner)
    ]
    pairs = [pair for node in assigned for target in node.targets for pair in assigned_pairs(target.target, node.value)]
    return {tree.code_of(target) for target, value in pairs if _calls_class(tree, value, owner)}


def _calls_class(tree: Tree, value: cst.BaseExpression, name: str) -> bool:
    """Return whether an expression calls a class of that name."""
    return any(tree.code_of(call.func).rsplit(".", 1)[-1] == name for call in tree.calls_in(value))


def indented_source(tree: Tree, statement: cst.CSTNode, indent: str) -> str:
    """Return the text of a statement for a line at `indent`, without the blank space around it."""
    if isinstance(statement, cst.SimpleStatementLine):
        text = tree.code_of(statement.body[0]).strip()
        return _shift_rows(text, tree.indentation_of(tree.span_of(statement).row), indent)
    return tree.statement_text(statement).replace("\n", f"\n{indent}")


def _shift_rows(text: str, old: str, new: str) -> str:
    """Move the rows after the first from the indentation `old` to `new`; leave them where a string may span some."""
    if any(mark in text for mark in ('"""', "'''")):
        return text
    first, *rest = text.split("\n")
    return "\n".join([first, *(f"{new}{row.removeprefix(old)}" if row.startswith(old) else row for row in rest)])


def find_needed_statements(
    tree: Tree, before: Sequence[cst.CSTNode], behind: Sequence[cst.CSTNode]
) -> list[cst.CSTNode]:
    """Return the statements of `before` that bind what the statements `behind` read, directly or not."""
    wanted = {name for user in behind for name in names_read_and_bound(tree, user)[0]}
    found = []
    for statement in reversed(before):
        reads, writes = names_read_and_bound(tree, statement)
        if wanted & writes:
            found.append(statement)
            wanted = (wanted - writes) | reads
    return found


def _is_one_assignment(statement: cst.CSTNode) -> bool:
    """Return whether the statement can run twice: a single assignment."""
    if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) != 1:
        return False
    return isinstance(statement.body[0], (cst.Assign, cst.AnnAssign))


def _is_only_conditional(tree: Tree, statement: cst.CSTNode) -> bool:
    """Return whether a statement is an `if` over assignments with a condition that calls nothing."""
    if not isinstance(statement, cst.If) or statement.orelse is not None:
        return False
    block = isinstance(statement.body, cst.IndentedBlock)
    return block and not tree.calls_in(statement.test) and all(map(_is_one_assignment, statement.body.body))
