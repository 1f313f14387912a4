"""A plan: recipes for an instance and for the arguments, with shapes that the code and its texts agree on."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from inplace_lsp.verify.inputs import names
from inplace_lsp.verify.inputs.dims import Dim, Row, behind, closed, unify
from inplace_lsp.verify.inputs.docshapes import shapes_in
from inplace_lsp.verify.inputs.expressions import OutOfStepsError
from inplace_lsp.verify.inputs.guards import wanted_by
from inplace_lsp.verify.inputs.guess import Guesses
from inplace_lsp.verify.inputs.kept import uses_through_calls
from inplace_lsp.verify.inputs.model import Driver, Hints, Inputs, Source
from inplace_lsp.verify.inputs.program import Definition, Parameter, Program, decorators, last_name, parameters
from inplace_lsp.verify.inputs.recipes import Group, Number, Path, Recipe, Tensor, Text, leaves, replaced
from inplace_lsp.verify.inputs.sketch import Anything, Several, Shaped
from inplace_lsp.verify.inputs.uses import Use
from inplace_lsp.verify.inputs.walk import Walk

SETUP = "import torch\n"


@dataclass(frozen=True, slots=True)
class Plan:
    """What to run `target` with. `root` holds `receiver` (of methods) and `arguments`."""

    target: Definition
    root: Group
    source: Source

    def argument(self, name: str) -> Recipe | None:
        """The recipe of one argument."""
        given = self.root.get("arguments")
        return given.get(name) if isinstance(given, Group) else None

    def with_root(self, root: Group) -> Plan:
        """The same for the same target, made otherwise."""
        return Plan(self.target, root, self.source)


def first_plan(program: Program, target: Definition, hints: Hints) -> Plan:
    """What names, annotations, texts and the code itself suggest."""
    guesses = Guesses(program)
    wanted = wanted_by(program, target, hints.rows)
    root = Group("plan")
    if needs_instance(target):
        root = root.put("receiver", _receiver(guesses, target, wanted.constructor))
    found = uses_through_calls(program, target.node)
    given = own_parameters(target)
    docs = shapes_in(_texts(program, target), tuple(one.name for one in given))
    guesses.told = frozenset(docs)
    arguments = Group("{")
    for one in given:
        recipe = guesses.parameter(one, found.get(one.name, Use()), wanted=one.name in wanted.arguments)
        if recipe is not None:
            arguments = arguments.put({"vararg": "*", "kwarg": "**"}.get(one.kind, "") + one.name, recipe)
    guesses.sure = guesses.sure or all(n in docs or n in guesses.dims for n, r in arguments.items if _has_tensor(r))
    guesses.dims = {**docs, **guesses.dims}
    root = _shaped(program, target, root.put("arguments", arguments), guesses.dims)
    annotated = guesses.sure and all(n in guesses.dims for n, r in arguments.items if _has_tensor(r))
    return Plan(target, _with_grad(root, hints, found), "annotation" if annotated else "inferred")


def needs_instance(target: Definition) -> bool:
    """Whether it is called on something: a constructor makes it itself."""
    return target.bound and target.node.name not in ("__init__", "__new__")


def own_parameters(target: Definition) -> tuple[Parameter, ...]:
    """The parameters that a caller fills: not the instance, not the context of a custom function."""
    return parameters(target.node)[1 if target.bound or is_custom_function(target) else 0 :]


def render(plan: Plan, program: Program, module: str | None) -> Inputs:
    """The plan as source."""
    receiver, arguments = plan.root.get("receiver"), plan.root.get("arguments")
    assert isinstance(arguments, Group)
    named = {name: recipe.source() for name, recipe in arguments.items}
    made = receiver.source() if receiver is not None else None
    target = plan.target
    if is_custom_function(target):
        return Inputs(plan.source, SETUP, driver=_driver(program, module, _apply_call(target, named)))
    uses_model = any(names.MODEL in value for value in (made or "", *named.values()))
    return Inputs(plan.source, SETUP + names.MODEL_SETUP * uses_model, made, named)


def call_text(inputs: Inputs, target: Definition) -> str:
    """The call that `inputs` are for, as an expression."""
    parts = [name.rstrip("*") and f"{name}={value}" for name, value in inputs.arguments.items() if name[0] != "*"]
    parts += [f"{'*' * name.count('*')}{value}" for name, value in inputs.arguments.items() if name[0] == "*"]
    name = target.node.name
    head = f"{inputs.receiver}.{name}" if inputs.receiver else target.qualname
    if name == "__init__":
        head = target.qualname.removesuffix(".__init__")
    if inputs.receiver and name == "forward":
        head = inputs.receiver
    return f"{head}({', '.join(parts)})"


def _driver(program: Program, module: str | None, call: str) -> Driver:
    return Driver(program.text, program.filename, module, call)


def is_custom_function(target: Definition) -> bool:
    """Whether it is the forward or backward of an `autograd.Function`, which `apply` leads to."""
    bases = target.owner.bases if target.owner is not None else []
    return any(last_name(base) == "Function" for base in bases) and target.node.name in ("forward", "backward")


def _apply_call(target: Definition, arguments: dict[str, str]) -> str:
    assert target.owner is not None
    values = ", ".join(value for name, value in arguments.items() if name[0] != "*")
    return f"{target.owner.name}.apply({values})"


def _receiver(guesses: Guesses, target: Definition, wanted: frozenset[str]) -> Recipe:
    assert target.owner is not None
    path = target.qualname.rpartition(".")[0]
    if "classmethod" in decorators(target.node):
        return Text(path, sure=True)
    made = guesses.instance(target.owner, wanted=wanted)
    return Group(path, made.items)


def _has_tensor(recipe: Recipe) -> bool:
    return any(isinstance(leaf, Tensor) for _, leaf in leaves(recipe))


def _texts(program: Program, target: Definition) -> str:
    """Docstrings of the function, its class and its constructor, and the function's comments."""
    nodes: list[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef] = [target.node]
    if target.owner is not None:
        nodes.append(target.owner)
    lines = program.text.split("\n")[target.node.lineno - 1 : target.node.end_lineno]
    comments = [line.partition("#")[2] for line in lines if "#" in line]
    return "\n".join([*(ast.get_docstring(node) or "" for node in nodes), *comments])


# Shapes


def _shaped(program: Program, target: Definition, root: Group, texts: dict[str, tuple[str, ...]]) -> Group:
    """`root` with the shapes that a walk over the code asks for."""
    sketches: dict[Path, Shaped] = {}
    values = {name: _sketch(recipe, (name,), sketches, program) for name, recipe in root.items}
    named: dict[str, Dim] = {}
    for path, shaped in sketches.items():
        if path[0] == "arguments" and path[1] in texts:
            unify(shaped.row, _told(texts[path[1]], named, root))
    _walk(program, target, values)
    image = _image(program, target)
    for path, shaped in sketches.items():
        old = _at(root, path)
        if isinstance(old, Tensor):
            front, dims = shaped.row.expand()
            is_plain = old.dtype == "float" and names.rank(path[-1]) is None
            is_unknown = is_plain and front is not None and not dims and front.least <= 4
            shape = image if image and is_unknown else _shape(shaped.row, path[-1], old, image)
            new = Tensor(shape, shaped.dtype or old.dtype, old.grad, old.leaf)
            root = replaced(root, path, new)
    return root


def _walk(program: Program, target: Definition, values: dict[str, object]) -> None:
    walk = Walk(program)
    arguments = values.get("arguments")
    scope: dict[str, object] = {}
    for one in parameters(target.node):
        default = Anything() if one.default is None else walk.value(one.default, {})
        scope[one.name] = default
    if isinstance(arguments, dict):
        scope.update({name.lstrip("*"): value for name, value in arguments.items()})
    if target.bound and target.owner is not None:
        given = values.get("receiver") or values.get("arguments")
        try:
            made = walk.instance(target.owner, given if isinstance(given, dict) else {})
            scope[parameters(target.node)[0].name] = made
        except Exception:
            return
    walk.function(target.node, scope)


def _sketch(recipe: Recipe, path: Path, found: dict[Path, Shaped], program: Program) -> object:
    if isinstance(recipe, Tensor):
        found[path] = Shaped(Row(), recipe.dtype if recipe.dtype != "float" else None)
        return found[path]
    if isinstance(recipe, Number):
        return recipe.value
    if isinstance(recipe, Text):
        try:
            value = ast.literal_eval(recipe.text)
        except (ValueError, SyntaxError):
            return Anything()
        return value if isinstance(value, (int, float, str, bool, type(None))) else Anything()
    inner = {name: _sketch(item, (*path, name), found, program) for name, item in recipe.items}
    if recipe.head in ("[", "("):
        return Several(list(inner.values()))
    owner = program.classes.get(recipe.head)
    if len(path) == 1 or owner is None:
        return inner if len(path) == 1 else Anything()
    return _sketched_object(owner, inner, program)


def _sketched_object(owner: ast.ClassDef, given: dict[str, object], program: Program) -> object:
    """An object among the arguments: a configuration with its fields, a module with its layers."""
    walk = Walk(program)
    try:
        made = walk.instance(owner, given)
        if program.method(owner, "__init__") is None:
            fields = {one.name: one.default for one in program.constructor(owner) or () if one.default is not None}
            made.attributes.update({name: walk.value(node, {}) for name, node in fields.items()} | given)
    except (OutOfStepsError, RecursionError):
        return Anything()
    return made


def _told(words: tuple[str, ...], named: dict[str, Dim], root: Group) -> Row:
    numbers = {path[-1].lower(): leaf.value for path, leaf in leaves(root) if isinstance(leaf, Number)}

    def dim(word: str) -> Dim:
        if word.isdigit():
            return Dim(value=int(word))
        clean = word.lstrip("#*+")
        known = numbers.get(clean.lower())
        value = known if isinstance(known, int) and known > 0 and len(clean) > 1 else None
        return named.setdefault(clean, Dim(clean.lower(), value)) if clean.isidentifier() else Dim()

    front = any(word == "..." or word.startswith("*") for word in words[:1])
    dims = tuple(dim(word) for word in (words[1:] if front else words) if word != "...")
    return behind(Row(), dims) if front else closed(dims)


def _shape(row: Row, name: str, old: Tensor, image: tuple[int, ...] | None) -> tuple[int, ...]:
    front, dims = row.expand()
    rank = len(dims)
    if front is not None:
        rank = max(len(old.shape), rank + max(front.least, 1 if dims and names.rank(name) is None else 0))
    if image and rank == len(image):
        return tuple(dim.root().value or size for dim, size in zip(_padded(dims, rank), image, strict=True))
    usual = names.default_shape(rank)
    sizes = usual[: rank - len(dims)]
    return (*sizes, *(_size(dim, usual[rank - len(dims) + i]) for i, dim in enumerate(dims)))


def _padded(dims: tuple[Dim, ...], rank: int) -> tuple[Dim, ...]:
    return (*(Dim() for _ in range(rank - len(dims))), *dims)


def _size(dim: Dim, usual: int) -> int:
    root = dim.root()
    if root.value is None:
        known = names.SIZES.get(root.name, 0)
        root.value = known if known > 1 else usual
    return max(1, root.value)


_CHANNELS = (
    "in_chans",
    "in_channels",
    "in_ch",
    "in_chs",
    "input_channels",
    "n_channels",
    "channels",
    "inp",
    "inplanes",
)
_SPACE = ("img_size", "image_size", "input_size", "input_resolution", "resolution")


def _image(program: Program, target: Definition) -> tuple[int, ...] | None:
    """The shape of a batch of images, where a class speaks of convolutions or its constructor of images."""
    if target.owner is None:
        return None
    made = {one.name: one.default for one in program.constructor(target.owner) or ()}
    channels = next((_whole(made[name]) for name in _CHANNELS if name in made), None)
    space = next((_whole(made[name]) for name in _SPACE if name in made), None)
    text = ast.get_source_segment(program.text, target.owner) or ""
    if channels is None and space is None and "onv2d" not in text:
        return None
    return (names.BATCH, channels or 3, space or 2 * names.SPACE, space or 2 * names.SPACE)


def _whole(node: ast.expr | None) -> int | None:
    """The number that a default is; the first of several."""
    if isinstance(node, ast.Tuple) and node.elts:
        node = node.elts[-1]
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None


# Gradients


def _with_grad(root: Group, hints: Hints, found: dict[str, Use]) -> Group:
    """Leaves where the function looks for a leaf's own fields; grad where the reason for the run assumes it."""
    for path, leaf in list(leaves(root)):
        if not isinstance(leaf, Tensor) or path[0] != "arguments":
            continue
        use = found.get(path[1], Use())
        is_leaf = any(name in ("grad", "is_leaf") for name in use.attributes)
        grad = leaf.grad or path[1] in hints.requires_grad
        root = replaced(root, path, Tensor(leaf.shape, leaf.dtype, grad, leaf.leaf or is_leaf))
    return root


def _at(root: Group, path: Path) -> Recipe | None:
    here: Recipe | None = root
    for name in path:
        here = here.get(name) if isinstance(here, Group) else None
    return here


def with_inner(plan: Plan, inner: Plan) -> Plan:
    """With arguments for a function that the target may return instead of calling it. A name both have is one value."""
    arguments = plan.root.get("arguments")
    assert isinstance(arguments, Group)
    more = inner.root.get("arguments")
    for name, recipe in more.items if isinstance(more, Group) else ():
        if arguments.get(name) is None:
            arguments = arguments.put(name, recipe)
    return plan.with_root(plan.root.put("arguments", arguments))


def led_to(target: Definition, inputs: Inputs, entry: Definition, program: Program, module: str | None) -> Inputs:
    """The inputs of `entry` as a program that reaches `target` through it."""
    call = inputs.driver.call if inputs.driver is not None else call_text(inputs, entry)
    if target.outer is None and target.node.name == "backward":
        call = f"{call}.sum().backward()"
    return Inputs(inputs.source, inputs.setup, driver=_driver(program, module, str(call)))
