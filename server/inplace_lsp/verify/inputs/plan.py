"""A plan: recipes for an instance and for the arguments, with shapes that the code and its texts agree on."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, replace

from inplace_lsp.messages.inputs import Driver, Inputs, Source
from inplace_lsp.uses.use import Use
from inplace_lsp.verify.inputs import names
from inplace_lsp.verify.inputs.constructor_uses import uses_through_calls
from inplace_lsp.verify.inputs.docshapes import find_shapes
from inplace_lsp.verify.inputs.guards import Wanted, find_wanted
from inplace_lsp.verify.inputs.guess import Guesses
from inplace_lsp.verify.inputs.model import Hints
from inplace_lsp.verify.inputs.models import tell_models_apart
from inplace_lsp.verify.inputs.program import Definition, Program, decorator_names, is_custom_function, own_parameters
from inplace_lsp.verify.inputs.recipes import Group, Recipe, Tensor, Text, leaves_of, replace_at
from inplace_lsp.verify.inputs.shapes import give_shapes

SETUP = "import torch\n"


@dataclass(frozen=True, slots=True)
class Plan:
    """What to run `target` with. `root` holds `receiver` (of methods) and `arguments`. `mended`: how many errors of
    earlier runs named what they lacked, and got it."""

    target: Definition
    root: Group
    source: Source
    mended: int = 0

    def argument(self, name: str) -> Recipe | None:
        """Return the recipe of one argument."""
        given = self.root.get("arguments")
        return given.get(name) if isinstance(given, Group) else None

    def with_root(self, root: Group) -> Plan:
        """Return the plan for the same target with other recipes."""
        return replace(self, root=root)

    def mend(self, root: Group) -> Plan:
        """Return the plan with recipes that have what an error named."""
        return replace(self, root=root, mended=self.mended + 1)


def first_plan(program: Program, target: Definition, hints: Hints) -> Plan:
    """Return the plan that names, annotations, texts and the code itself suggest."""
    wanted = find_wanted(program, target, hints.rows)
    guesses = Guesses(replace(program, options={**program.options, **wanted.options}))
    root = Group("plan")
    if needs_instance(target):
        root = root.put("receiver", _make_receiver(guesses, target, wanted))
    found = uses_through_calls(program, target.node, target.owner)
    docs = find_shapes(_texts_about(program, target), tuple(parameter.name for parameter in own_parameters(target)))
    guesses.told = frozenset(docs)
    arguments = _make_arguments(guesses, target, wanted, found)
    tensors = {name for name, recipe in arguments.items if _has_tensor(recipe)}
    guesses.dims = {**docs, **guesses.dims}
    told = tensors <= guesses.dims.keys()
    root = give_shapes(program, target, root.put("arguments", arguments), guesses.dims)
    return Plan(target, _require_grad(root, hints, found), "annotation" if told else "inferred")


def join_elements(plan: Plan, names: Iterable[str]) -> Plan | None:
    """Return the plan with one tensor in place of each list of equal ones that is an argument of these `names`; None if
    there is none. A parameter with an annotation stays what that says."""
    arguments = plan.root.get("arguments")
    if not isinstance(arguments, Group):
        return None
    joined = arguments
    for parameter in own_parameters(plan.target):
        given = arguments.get(parameter.name)
        if parameter.name in names and not parameter.annotation and isinstance(given, Group):
            joined = joined.put(parameter.name, _join_list(given))
    return plan.with_root(plan.root.put("arguments", joined)) if joined != arguments else None


def _join_list(given: Group) -> Recipe:
    """Return one tensor with the elements of a list of equal tensors as its parts; what is none as it is."""
    parts = [recipe for _, recipe in given.items]
    first = parts[0] if parts and given.head == "[" else None
    alike = isinstance(first, Tensor) and all(part == first for part in parts)
    return replace(first, shape=(len(parts), *first.shape)) if alike and isinstance(first, Tensor) else given


def _make_arguments(guesses: Guesses, target: Definition, wanted: Wanted, found: dict[str, Use]) -> Group:
    """Return what a first call is given."""
    arguments = Group("{")
    for parameter in own_parameters(target):
        recipe = guesses.built_parameter(
            target.qualname,
            parameter,
            found.get(parameter.name, Use()),
            wanted=parameter.name in wanted.arguments,
        )
        if parameter.name in wanted.values and not isinstance(recipe, Tensor):
            recipe = Text(wanted.values[parameter.name], sure=True)
        if recipe is not None:
            arguments = arguments.put({"vararg": "*", "kwarg": "**"}.get(parameter.kind, "") + parameter.name, recipe)
    return arguments


def needs_instance(target: Definition) -> bool:
    """Return whether the target is called on an instance: a constructor makes its own."""
    return target.bound and target.node.name not in ("__init__", "__new__")


def render_plan(plan: Plan, program: Program, module: str | None) -> Inputs:
    """Return the plan as source."""
    root = tell_models_apart(plan.root)
    receiver, named = root.get("receiver"), _arguments_in(root)
    made = receiver.source() if receiver is not None else None
    target = plan.target
    if is_custom_function(target):
        return applied(target, named, plan.source, program, module)
    return Inputs(plan.source, setup_for((made or "", *named.values())), made, named)


def applied(
    target: Definition, arguments: dict[str, str], source: Source, program: Program, module: str | None
) -> Inputs:
    """Return a program that applies the custom function whose forward is `target`."""
    return Inputs(
        source, setup_for(arguments.values()), driver=_driver_of_call(program, module, _apply_call(target, arguments))
    )


def arguments_of(plan: Plan) -> dict[str, str]:
    """Return the arguments of a plan as expressions by name, those of a custom function's forward included."""
    return _arguments_in(tell_models_apart(plan.root))


def _arguments_in(root: Group) -> dict[str, str]:
    arguments = root.get("arguments")
    return {name: recipe.source() for name, recipe in arguments.items} if isinstance(arguments, Group) else {}


def entry_of(program: Program, target: Definition) -> Definition:
    """Return what has to be called for the target to run: what it is nested in, the forward of a backward."""
    while target.outer is not None:
        target = target.outer
    if is_custom_function(target) and target.node.name == "backward":
        return program.definitions.get(target.qualname.removesuffix("backward") + "forward", target)
    return target


def setup_for(values: Iterable[str]) -> str:
    """Return the setup code that the expressions need: definitions of our own names."""
    text = " ".join(values)
    return SETUP + "".join(dict.fromkeys(setup for name, setup in names.SETUPS.items() if name in text))


def call_text(inputs: Inputs, target: Definition) -> str:
    """Return the call that `inputs` are for, as an expression."""
    parts = [name.rstrip("*") and f"{name}={value}" for name, value in inputs.arguments.items() if name[0] != "*"]
    parts += [f"{'*' * name.count('*')}{value}" for name, value in inputs.arguments.items() if name[0] == "*"]
    name = target.node.name
    head = f"{inputs.receiver}.{name}" if inputs.receiver else target.qualname
    if name == "__init__":
        head = target.qualname.removesuffix(".__init__")
    if inputs.receiver and name == "forward":
        head = inputs.receiver
    return f"{head}({', '.join(parts)})"


def _driver_of_call(program: Program, module: str | None, call: str) -> Driver:
    return Driver(program.text, program.filename, module, call)


def _apply_call(target: Definition, arguments: dict[str, str]) -> str:
    assert target.owner is not None
    values = ", ".join(value for name, value in arguments.items() if name[0] != "*")
    return f"{target.owner.name}.apply({values})"


def _make_receiver(guesses: Guesses, target: Definition, wanted: Wanted) -> Recipe:
    assert target.owner is not None
    path = target.qualname.rpartition(".")[0]
    if "classmethod" in decorator_names(target.node):
        return Text(path, sure=True)
    made = guesses.make_instance(target.owner, wanted=wanted.constructor)
    for name, value in wanted.made_with.items():
        made = made.put(name, Text(value, sure=True))
    return Group(path, made.items)


def _has_tensor(recipe: Recipe) -> bool:
    return any(isinstance(leaf, Tensor) for _, leaf in leaves_of(recipe))


def _texts_about(program: Program, target: Definition) -> str:
    """Docstrings of the function, its class and its constructor, and the function's comments."""
    nodes: list[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef] = [target.node]
    if target.owner is not None:
        nodes.append(target.owner)
    lines = program.text.split("\n")[target.node.lineno - 1 : target.node.end_lineno]
    comments = [line.partition("#")[2] for line in lines if "#" in line]
    return "\n".join([*(ast.get_docstring(node) or "" for node in nodes), *comments])


# Gradients


def _require_grad(root: Group, hints: Hints, found: dict[str, Use]) -> Group:
    """Return leaves where the function reads a leaf's own fields, and require grad where the finding assumes it."""
    for path, leaf in list(leaves_of(root)):
        if not isinstance(leaf, Tensor) or path[0] != "arguments":
            continue
        use = found.get(path[1], Use())
        is_leaf = any(name in ("grad", "is_leaf") for name in use.attributes)
        grad = leaf.grad or path[1] in hints.requires_grad
        root = replace_at(root, path, Tensor(leaf.shape, leaf.dtype, grad, leaf.leaf or is_leaf))
    return root


def with_inner(plan: Plan, inner: Plan) -> Plan:
    """Return the plan with arguments for a function that the target may return instead of calling. A shared name is one
    value."""
    arguments = plan.root.get("arguments")
    assert isinstance(arguments, Group)
    more = inner.root.get("arguments")
    for name, recipe in more.items if isinstance(more, Group) else ():
        if arguments.get(name) is None:
            arguments = arguments.put(name, recipe)
    return plan.with_root(plan.root.put("arguments", arguments))


def lead_to(target: Definition, inputs: Inputs, entry: Definition, program: Program, module: str | None) -> Inputs:
    """Return the inputs of `entry` as a program that reaches `target` through it."""
    call = inputs.driver.call if inputs.driver is not None else call_text(inputs, entry)
    if target.outer is None and target.node.name == "backward":
        call = f"{call}.sum().backward()"
    return Inputs(inputs.source, inputs.setup, driver=_driver_of_call(program, module, str(call)))
