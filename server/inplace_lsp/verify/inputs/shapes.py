"""The shapes of a plan's tensors: what a walk over the code, its texts and the names ask for."""

from __future__ import annotations

import ast

from inplace_lsp.verify.inputs import names
from inplace_lsp.verify.inputs.dims import Dim, Row, closed_row, is_size, row_after, unify_rows
from inplace_lsp.verify.inputs.expressions import PLAIN, OutOfStepsError, Scope
from inplace_lsp.verify.inputs.program import Definition, Program, parameters_of
from inplace_lsp.verify.inputs.recipes import (
    Group,
    Number,
    Path,
    Recipe,
    Tensor,
    Text,
    leaves_of,
    recipe_at,
    replace_at,
)
from inplace_lsp.verify.inputs.sketch import Anything, Several, Shaped
from inplace_lsp.verify.inputs.walk import Walk


def give_shapes(program: Program, target: Definition, root: Group, texts: dict[str, tuple[str, ...]]) -> Group:
    """Return `root` with the shapes that a walk over the code asks for."""
    sketches: dict[Path, Shaped] = {}
    values = {name: _sketch_recipe(recipe, (name,), sketches, program) for name, recipe in root.items}
    named: dict[str, Dim] = {}
    for path, shaped in sketches.items():
        if path[0] == "arguments" and path[1] in texts:
            unify_rows(shaped.row, _row_from_text(texts[path[1]], named, root))
    _walk_target(program, target, values)
    image = _image_shape(program, target)
    for path, shaped in sketches.items():
        old = recipe_at(root, path)
        if isinstance(old, Tensor):
            root = replace_at(root, path, _with_shape(old, path[-1], shaped, image))
    return root


def _with_shape(old: Tensor, name: str, shaped: Shaped, image: tuple[int, ...] | None) -> Tensor:
    """Return a tensor in the shape that was found for it."""
    front, dims = shaped.row.expand()
    is_unknown = front is not None and not dims and front.least <= 4
    is_image = image is not None and is_unknown and old.dtype == "float" and names.rank(name) is None
    shape = image if image is not None and is_image else _shape_of_row(shaped.row, name, old, image)
    return Tensor(shape, shaped.dtype or old.dtype, old.grad, old.leaf)


def _walk_target(program: Program, target: Definition, values: dict[str, object]) -> None:
    walk = Walk(program)
    arguments = values.get("arguments")
    scope: dict[str, object] = {}
    for parameter in parameters_of(target.node):
        default = Anything() if parameter.default is None else walk.value(parameter.default, {})
        scope[parameter.name] = default
    if isinstance(arguments, dict):
        scope.update({name.lstrip("*"): value for name, value in arguments.items()})
    if target.bound and target.owner is not None:
        given = values.get("receiver") or values.get("arguments")
        try:
            made = walk.make_instance(target.owner, given if isinstance(given, dict) else {})
            made.attributes = {**_as_scope(values.get("attributes")), **made.attributes}
            scope[parameters_of(target.node)[0].name] = made
        except Exception:
            return
    walk.function(target.node, scope)


def _as_scope(value: object) -> Scope:
    return value if isinstance(value, dict) else {}


def _sketch_recipe(recipe: Recipe, path: Path, found: dict[Path, Shaped], program: Program) -> object:
    if isinstance(recipe, Tensor):
        found[path] = Shaped(Row(), recipe.dtype if recipe.dtype != "float" else None)
        return found[path]
    if isinstance(recipe, Number):
        return recipe.value
    if isinstance(recipe, Text):
        return _sketch_text(recipe.text)
    inner = {name: _sketch_recipe(item, (*path, name), found, program) for name, item in recipe.items}
    if recipe.head in ("[", "("):
        return Several(list(inner.values()))
    owner = program.classes.get(recipe.head)
    if len(path) == 1:
        return inner
    return _sketched_object(owner, inner, program) if owner is not None else Anything()


def _sketch_text(text: str) -> object:
    """Return the plain value that a text is the literal of."""
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return Anything()
    return value if isinstance(value, PLAIN) else Anything()


def _sketched_object(owner: ast.ClassDef, given: dict[str, object], program: Program) -> object:
    """Return an object among the arguments: a configuration with its fields, a module with its layers."""
    walk = Walk(program)
    try:
        made = walk.make_instance(owner, given)
        if program.find_method(owner, "__init__") is None:
            fields = {
                field.name: field.default
                for field in program.constructor_parameters(owner) or ()
                if field.default is not None
            }
            made.attributes.update({name: walk.value(node, {}) for name, node in fields.items()} | given)
    except (OutOfStepsError, RecursionError):
        return Anything()
    return made


def _row_from_text(words: tuple[str, ...], named: dict[str, Dim], root: Group) -> Row:
    numbers = {path[-1].lower(): leaf.value for path, leaf in leaves_of(root) if isinstance(leaf, Number)}
    front = words[:1] == ("...",) or (bool(words) and words[0].startswith("*"))
    told = (word for word in (words[1:] if front else words) if word != "...")
    dims = tuple(_dim_of_word(word, named, numbers) for word in told)
    return row_after(Row(), dims) if front else closed_row(dims)


def _dim_of_word(word: str, named: dict[str, Dim], numbers: dict[str, int | float]) -> Dim:
    """Return the size that a word of a text means: itself, or the number that is given under its name."""
    if is_size(word):
        return Dim(value=int(word))
    clean = word.lstrip("#*+")
    known = numbers.get(clean.lower())
    value = known if isinstance(known, int) and known > 0 and len(clean) > 1 else None
    return named.setdefault(clean, Dim(clean.lower(), value)) if clean.isidentifier() else Dim()


def _shape_of_row(row: Row, name: str, old: Tensor, image: tuple[int, ...] | None) -> tuple[int, ...]:
    front, dims = row.expand()
    rank = len(dims)
    if front is not None:
        rank = max(len(old.shape), rank + max(front.least, 1 if dims and names.rank(name) is None else 0))
    if image and rank == len(image):
        return tuple(dim.root().value or size for dim, size in zip(_pad_dims(dims, rank), image, strict=True))
    usual = names.default_shape(rank)
    sizes = usual[: rank - len(dims)]
    return (*sizes, *(_size_of_dim(dim, usual[rank - len(dims) + i]) for i, dim in enumerate(dims)))


def _pad_dims(dims: tuple[Dim, ...], rank: int) -> tuple[Dim, ...]:
    return (*(Dim() for _ in range(rank - len(dims))), *dims)


def _size_of_dim(dim: Dim, usual: int) -> int:
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


def _image_shape(program: Program, target: Definition) -> tuple[int, ...] | None:
    """Return the shape of a batch of images if a class mentions convolutions or its constructor images."""
    if target.owner is None:
        return None
    made = {field.name: field.default for field in program.constructor_parameters(target.owner) or ()}
    channels, space = _first_number(made, _CHANNELS), _first_number(made, _SPACE)
    text = ast.get_source_segment(program.text, target.owner) or ""
    if channels is None and space is None and "onv2d" not in text:
        return None
    side = space or 2 * names.SPACE
    return (names.BATCH, channels or 3, side, side)


def _first_number(defaults: dict[str, ast.expr | None], wanted: tuple[str, ...]) -> int | None:
    """Return the default of the first of some parameters that there is."""
    return next((_default_number(defaults[name]) for name in wanted if name in defaults), None)


def _default_number(node: ast.expr | None) -> int | None:
    """Return the number in a default, the first of several."""
    if isinstance(node, ast.Tuple) and node.elts:
        node = node.elts[-1]
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None
