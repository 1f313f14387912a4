"""A first value for every parameter: from its annotation, its default, its use, its name."""

from __future__ import annotations

import ast
import typing
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from inplace_lsp.uses.types import CHOICES, SHAPED, TENSORS, WRAPPERS, Dtype
from inplace_lsp.uses.use import Use
from inplace_lsp.verify.inputs import names
from inplace_lsp.verify.inputs.constructor_uses import uses_by_class
from inplace_lsp.verify.inputs.program import Function, Parameter, Program, bound_by, dotted_name, last_name
from inplace_lsp.verify.inputs.recipes import NONE, Group, Number, Recipe, Tensor, Text

_MANY = {"list": "[", "List": "[", "Sequence": "[", "Iterable": "[", "Iterator": "[", "ModuleList": "["}
_OBJECTS = {
    "Module": f"{names.LAYER}()",
    "Callable": f"{names.LAYER}()",
    "Optimizer": names.OPTIMIZER,
    "dtype": "torch.float32",
    "device": "torch.device('cpu')",
    "Generator": "None",
    "Size": "torch.Size((2, 16))",
}
FACTORY = names.LAYER
"""A class that takes any arguments, and whose instances hand on what they are given."""
NAMESPACE = "__import__('types').SimpleNamespace"
SEVERAL = "(lambda **parts: lambda *given, **named: tuple(parts.values()))"
"""Makes a function that returns these values, whatever it is given."""
_ROUNDS = ("epoch", "iter")
"""Parts of names of how often something is done: a run that shows a hazard needs few rounds."""
_MOST = {"batch": 2, "step": 200}
"""Options, by parts of their names, of which so many are enough: a batch is soon full, and 200 steps fill the memory of
an agent, which begins to learn from it."""
_NAMED_TENSORS = f"{{name: one.detach().clone() for name, one in {names.MODEL}.named_parameters()}}"
_LAYER = Text(f"{FACTORY}()")
_OPEN_TYPES = frozenset(("tuple", "list", "dict", "Dict", "Tuple", "List", "Any", "object", ""))
"""Types that tell too little."""
_MAPPINGS = frozenset(("dict", "Dict", "Mapping", "OrderedDict"))
_ENUMS = frozenset(("Enum", "IntEnum", "StrEnum"))
_DEPTH = 3
_SOME = 3
"""Number of sizes in a list of unknown length: as many as an image has channels."""


@dataclass
class Guesses:
    """Guesses for one file. `dims`: what annotations and texts say of shapes, by parameter; `sure`: they sufficed;
    `told`: what texts give a shape to, and so call a tensor."""

    program: Program
    dims: dict[str, tuple[str, ...]] = field(default_factory=dict)
    sure: bool = True
    told: frozenset[str] = frozenset()
    _in_settings: bool = False

    def built_parameter(
        self, built: str, given: Parameter, use: Use, *, wanted: bool, depth: int = 0, in_constructor: bool = False
    ) -> Recipe | None:
        """Return what the project gives a parameter of a class or function, if it is known; else a guess. Where
        the search needs another value than the default, a text that the project gives is left out."""
        known = self.program.built.get(built, {})
        found = known.get(given.name)
        if found is not None and not (wanted and isinstance(found, Text)):
            return found
        is_open = isinstance(given.default, ast.Constant) and given.default.value is None
        asked = wanted or (found is None and given.name in known and is_open)
        return self.guess_parameter(given, use, wanted=asked, depth=depth, in_constructor=in_constructor)

    def guess_parameter(
        self, given: Parameter, use: Use, *, wanted: bool = False, depth: int = 0, in_constructor: bool = False
    ) -> Recipe | None:
        """Return a value, None if the default will do. `wanted`: the default is not what the search needs."""
        if given.kind == "kwarg":
            return self._guess_named_arguments(use)
        config = self._guess_config(given.default) if use.is_mapping else None
        if config is not None:
            return config
        if _is_left_out(given, wanted=wanted):
            return None
        found = _invert_flag(given.default) if wanted else None
        annotation = _parse_annotation(given.annotation)
        annotation = _leave_out_none(annotation) if wanted else annotation
        found = found or self._guess_from_annotation(annotation, given, use, depth, in_constructor=in_constructor)
        if found is None:
            self.sure = False
            found = self._guess_without_annotation(given.name, use, in_constructor=in_constructor)
        return self._repeat_for_vararg(given, found)

    def _guess_named_arguments(self, use: Use) -> Recipe | None:
        return Group("{", tuple((key, self.named(key)) for key in dict.fromkeys(use.keys))) if use.keys else None

    def _guess_from_annotation(
        self, annotation: ast.expr | None, given: Parameter, use: Use, depth: int, *, in_constructor: bool
    ) -> Recipe | None:
        if annotation is None:
            return None
        found = self._guess_class(annotation, use) if in_constructor else None
        found = found or self._guess_annotated(annotation, given.name, depth)
        if isinstance(found, Group) and not found.items and self._is_unseen_setting(found, given.name, use):
            return self._guess_dict(given.name, use) if use.keys else self._guess_namespace(given.name, use)
        return Text(names.MODEL) if found == _LAYER and use.is_module else found

    def _is_unseen_setting(self, made: Group, name: str, use: Use) -> bool:
        """Return whether an annotation names a class of settings that is not in sight."""
        word = made.head.rpartition(".")[2]
        unseen = word not in self.program.classes and not made.head.startswith("torch")
        return unseen and made.head not in "[({" and names.is_settings(name) and bool(use.asked_for or use.keys)

    def _guess_without_annotation(self, name: str, use: Use, *, in_constructor: bool) -> Recipe:
        if name in self.told:
            tensor = guess_tensor(name)
            return _repeat_tensor(tensor, use.unpacked) if use.unpacked > 2 else tensor
        found = self._guess_factory(name, use) if in_constructor else None
        if found is None and in_constructor and _is_list_of_sizes(name, use):
            return self._guess_setting(name, use)
        found = found or self._guess_from_use(name, use)
        if found is None and in_constructor and not names.is_tensor_like(name):
            return self._guess_setting(name, use)
        return found or self.named(name, use)

    def _guess_setting(self, name: str, use: Use) -> Recipe:
        """Return a usual argument of a constructor: sizes, a part, a number."""
        return self._guess_sizes(name, use) or names.object_for(name) or self._guess_plain(name)

    def _guess_config(self, default: ast.expr | None) -> Recipe | None:
        """Return the contents of the file that a default names, if the project has it."""
        named = default.value if isinstance(default, ast.Constant) and isinstance(default.value, str) else ""
        found = self.program.configs.get(named)
        return Text(found, sure=True) if found is not None else None

    def _guess_factory(self, name: str, use: Use) -> Recipe | None:
        """Return a class for a parameter that a constructor calls to make its parts."""
        if not use.makes:
            return None
        known = names.object_for(name)
        is_class = isinstance(known, Text) and known.text.startswith("torch.nn.") and not known.text.endswith(")")
        return known if is_class else Text(FACTORY)

    def _guess_sizes(self, name: str, use: Use) -> Recipe | None:
        """Return several numbers if the class reads their elements."""
        if not any((use.longest, use.listed, use.looped, use.unpacked)):
            return Number(0.5) if use.is_share else None
        count = use.unpacked or max(use.longest, _SOME)
        return Group("[", tuple((str(at), self._guess_plain(name)) for at in range(count)))

    def _guess_plain(self, name: str) -> Recipe:
        """Return the usual argument of a constructor: a number, or a boolean."""
        return names.bool_for(name) if names.is_bool(name) else names.number_for(name)

    def _repeat_for_vararg(self, given: Parameter, found: Recipe) -> Recipe:
        return Group("(", (("0", found), ("1", found))) if given.kind == "vararg" else found

    def named(self, name: str, use: Use | None = None) -> Recipe:
        """Return a value guessed from the name alone."""
        thing = names.object_for(name)
        if thing is not None:
            return thing
        if names.is_bool(name):
            return names.bool_for(name)
        if names.is_number(name) and not (use is not None and (use.is_tensor or use.indexed)):
            return names.number_for(name)
        if name in ("n", "k", "i", "j") and use is not None and use == Use():
            return names.number_for(name)
        return guess_tensor(name)

    # Annotations

    def _guess_annotated(self, node: ast.expr, name: str, depth: int) -> Recipe | None:
        word = last_name(node) or ""
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return self._guess_union([node.left, node.right], name, depth)
        if isinstance(node, ast.Subscript):
            return self._guess_generic(word, node.slice, name, depth)
        if word in TENSORS:
            return guess_tensor(name, TENSORS[word])
        if word in _PLAIN_TYPES:
            return _PLAIN_TYPES[word](name)
        return None if word in _OPEN_TYPES else self._guess_object(word, node, depth)

    def _guess_class(self, node: ast.expr, use: Use) -> Recipe | None:
        """Return the class itself where a constructor calls it or reads its constants."""
        named = (self.program.classes.get(child.id) for child in ast.walk(node) if isinstance(child, ast.Name))
        owner = next((name for name in named if name is not None), None)
        if owner is None:
            return None
        asked = bool(use.attributes) and self._constants_of(owner).issuperset(use.attributes)
        return Text(owner.name) if use.called or asked else None

    def _constants_of(self, owner: ast.ClassDef) -> set[str]:
        """Return the names that a class binds itself, fields of its instances not among them."""
        fields = {field.name for field in self.program.constructor_parameters(owner) or ()}
        return {name for part in owner.body if not isinstance(part, Function) for name in bound_by(part)} - fields

    def _guess_union(self, parts: list[ast.expr], name: str, depth: int) -> Recipe | None:
        real = [part for part in parts if not _is_none(part)]
        if [last_name(part) for part in real] == ["str"] and len(real) < len(parts):
            return NONE  # which texts do, nobody tells
        tensors = [part for part in real if last_name(part) in TENSORS]
        for part in tensors + real:
            found = self._guess_annotated(part, name, depth)
            if found is not None:
                return found
        return None

    def _guess_generic(self, word: str, inner: ast.expr, name: str, depth: int) -> Recipe | None:
        parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
        if word in SHAPED and len(parts) == 2 and isinstance(parts[1], ast.Constant):
            return self._guess_shaped(SHAPED[word], str(parts[1].value), name)
        if word == "Optional":
            parts = [*parts, ast.Constant(None)]
        if word in CHOICES | WRAPPERS:
            return self._guess_union(parts if word in CHOICES else parts[:1], name, depth)
        if word in _MANY or word in ("tuple", "Tuple"):
            return self._guess_several(word, parts, name, depth)
        if word in _MAPPINGS:
            held = self._guess_annotated(parts[-1], name, depth) if len(parts) == 2 else None
            return Text(_NAMED_TENSORS) if isinstance(held, Tensor) else None
        return _guess_special(word, parts)

    def _guess_shaped(self, dtype: Dtype, dims: str, name: str) -> Tensor:
        self.dims[name] = tuple(dims.split())
        return guess_tensor(name, dtype)

    def _guess_several(self, word: str, parts: list[ast.expr], name: str, depth: int) -> Recipe:
        if word in _MANY:
            item = self._guess_annotated(parts[0], name, depth) or self.named(name)
            return Group(_MANY[word], (("0", item), ("1", item)))
        same = len(parts) == 2 and isinstance(parts[1], ast.Constant) and parts[1].value is ...
        kinds = [parts[0], parts[0]] if same else parts
        items = [self._guess_annotated(part, name, depth) or self.named(name) for part in kinds]
        return Group("(", tuple((str(i), item) for i, item in enumerate(items)))

    def _guess_object(self, word: str, node: ast.expr, depth: int) -> Recipe | None:
        owner = self.program.classes.get(word)
        if owner is not None and not _ENUMS.isdisjoint(map(last_name, owner.bases)):
            return Text(f"list({word})[0]")
        if owner is not None and depth < _DEPTH:
            return self.make_instance(owner, depth + 1)
        if word in _OBJECTS and (owner is None or word not in ("Module", "Size")):
            return Text(_OBJECTS[word])
        return self._guess_imported(word, node)

    def _guess_imported(self, word: str, node: ast.expr) -> Recipe | None:
        """Return an object of a class that the file imports, made without arguments."""
        is_known = dotted_name(node).split(".")[0] in self.program.names and not hasattr(typing, word)
        return Group(dotted_name(node)) if is_known and word[:1].isupper() and word != "TypeVar" else None

    # Use

    def _guess_from_use(self, name: str, use: Use) -> Recipe | None:
        for guess in (self._guess_part, self._guess_data, _guess_unpacked, self._guess_called, _guess_plain_value):
            found = guess(name, use)
            if found is not None:
                return found
        return None

    def _guess_part(self, name: str, use: Use) -> Recipe | None:
        """Return the options of a program, an environment, a loader, an optimizer, a module."""
        if self._holds_options(name, use):
            return self._guess_namespace(name, use)
        if {"reset", "step"} <= set(use.attributes):
            return _guess_environment(use)
        if names.is_loader(name) and (use.item is not None or use.attributes):
            return self._guess_loader(use)
        if use.is_optimizer:
            return _guess_stepper(name, use)
        return _guess_model(use) if use.is_module else None

    def _guess_data(self, name: str, use: Use) -> Recipe | None:
        """Return a tensor, a dictionary, a text."""
        indices = (use.holds_indices or use.subscripts) and not names.is_number(name)
        if "append" in use.attributes:
            return Text("[]")
        if use.measured and use.hands_on and not use.attributes and not use.is_surely_tensor:
            return Group("[", tuple((str(at), guess_tensor(name)) for at in range(max(use.longest, 2))))
        if use.is_tensor or indices:
            tensor = guess_tensor(name, "long" if indices else None)
            return replace(tensor, shape=tensor.shape[:1]) if use.subscripts and names.rank(name) is None else tensor
        if use.keys or use.is_dict:
            return self._guess_dict(name, use)
        if use.is_path:
            return Text("'file'")
        if use.is_text:
            return names.text_for(name)
        return Text(repr(use.texts[0])) if use.texts else None

    def _guess_called(self, name: str, use: Use) -> Recipe | None:
        """Return a function, or an object with methods."""
        if use.called:
            known = names.object_for(name, called=True)
            if known == Text(names.MODEL):
                return _guess_model(use)
            return known if known is not None and known != _LAYER else self._guess_function(use)
        return self._guess_namespace(name, use) if use.asked_for and not use.computed else None

    def _guess_dict(self, name: str, use: Use) -> Recipe:
        known = names.object_for(name)
        if known is not None and not use.keys:
            return known
        if not use.keys:
            return Group("{", tuple((key, guess_tensor(name)) for key in ("first", "second")))
        return Group("{", tuple((key, self._guess_held(name, key, use)) for key in dict.fromkeys(use.keys)))

    def guess_held(self, holder: str, name: str) -> Recipe:
        """Return what something holds under a name or key of which nothing else is known."""
        return self._guess_held(holder, name, Use())

    def _guess_held(self, holder: str, name: str, use: Use) -> Recipe:
        """Return what something holds under a name or key: a setting of a configuration, else what is named so."""
        held = use.held.get(name, Use())
        is_setting = names.is_settings(holder) or self._in_settings
        before, self._in_settings = self._in_settings, is_setting
        try:
            return self._guess_without_annotation(name, held, in_constructor=is_setting)
        finally:
            self._in_settings = before

    def _guess_loader(self, use: Use) -> Recipe:
        """Return a loader whose batches are what the code takes them for."""
        return Group(names.LOADER, (("0", self._guess_batch(use.item or Use())),))

    def _guess_batch(self, item: Use) -> Recipe:
        if len(item.item_parts) > 1:
            parts = [
                (
                    str(at),
                    guess_tensor(word or "batch")
                    if not item.held[str(at)].keys
                    else self._guess_dict(word, item.held[str(at)]),
                )
                for at, word in enumerate(item.item_parts)
            ]
            return Group("(", tuple(parts))
        if item.keys or item.asked_for:
            return self._guess_dict("batch", item) if item.keys else self._guess_namespace("batch", item)
        if item.longest or not item.is_tensor:
            count = max(item.longest, 2)
            return Group("[", tuple((str(at), guess_tensor("batch")) for at in range(count)))
        return guess_tensor("batch")

    def _guess_function(self, use: Use) -> Recipe:
        """Return a function that keeps its argument and its result, as a network does, whatever the shape."""
        if not use.given:
            return Text(f"lambda **named: torch.randn({names.BATCH}, {names.WIDTH}, requires_grad=True).sigmoid()")
        more = ", *rest, **named" if use.given > 1 or use.named else ""
        return Text(f"lambda x{more}: (x * x).sigmoid()")

    def _guess_namespace(self, name: str, use: Use) -> Recipe:
        if names.is_settings(name):
            known = [class_ for class_ in self.program.classes if class_.endswith(("Config", "Args", "Options"))]
            if known:
                return self.make_instance(self.program.classes[known[0]], 1)
        asked = use.asked_for
        if self._holds_options(name, use):  # with those that other functions ask for, to which it is passed on
            asked = [*dict.fromkeys((*use.attributes, *self.program.options))]
        values = ((field, self._guess_held_value(name, field, use)) for field in asked)
        return Group(NAMESPACE, tuple(values))

    def _holds_options(self, name: str, use: Use) -> bool:
        """Return whether it is what the project's command line was parsed to."""
        asked = use.attributes or use.keys or use.texts
        known = any(attribute in self.program.options for attribute in use.attributes) or not asked
        return names.is_settings(name) and bool(self.program.options) and known

    def _guess_held_value(self, holder: str, name: str, use: Use) -> Recipe:
        """Return what an object holds under a name: a method, an option of the command line, a value by its name."""
        parts = next((parts for method, parts in use.parts if method == name), ())
        if parts:
            return Group(SEVERAL, tuple((f"{part}_{at}", self.named(part)) for at, part in enumerate(parts)))
        if name in use.methods:
            return self._guess_function(Use(given=2))
        option = self.program.options.get(name) if names.is_settings(holder) else None
        if option is None or any(word in name.lower() for word in _ROUNDS):
            return self._guess_held(holder, name, use)
        most = next((most for word, most in _MOST.items() if word in name.lower()), None)
        return Text(str(most) if most is not None and option.isdigit() and int(option) > most else option)

    # Objects

    def make_instance(self, owner: ast.ClassDef, depth: int = 0, wanted: frozenset[str] = frozenset()) -> Group:
        """Return the recipe for an object of a class of the file."""
        used = uses_by_class(self.program, owner)
        made = Group(owner.name)
        for given in self.program.constructor_parameters(owner) or ():
            found = self.built_parameter(
                owner.name,
                given,
                used.get(given.name, Use()),
                wanted=given.name in wanted,
                depth=depth,
                in_constructor=True,
            )
            if found is not None:
                made = made.put("*" + given.name if given.kind == "vararg" else given.name, found)
        return made


def _guess_stepper(name: str, use: Use) -> Text:
    """Return an optimizer of a model, if more than a step is seen of it; else one that changes none: a scheduler and a
    profiler have steps too."""
    is_optimizer = "opt" in name.lower() or "zero_grad" in use.attributes
    return Text(names.OPTIMIZER if is_optimizer else names.OPTIMIZER.replace(names.MODEL, names.SPARE_MODEL))


def _guess_model(use: Use) -> Text:
    """Return a model, with several results if the code unpacks them."""
    count = next((len(parts) for method, parts in use.parts if not method), 1)
    return Text(names.MODEL if count == 1 else f"{names.MODEL}.returning({count})")


def _is_left_out(given: Parameter, *, wanted: bool) -> bool:
    """Return whether a call need not give a parameter."""
    return (given.default is not None and not wanted) or (given.kind == "vararg" and given.name == "args")


def _is_list_of_sizes(name: str, use: Use) -> bool:
    """Return whether a constructor loops over what can be plain numbers."""
    item = use.item or Use()
    plain = not (item.attributes or item.called or item.keys or item.item_parts or use.attributes or use.keys)
    return use.looped and plain and not (names.is_loader(name) or names.is_tensor_like(name))


def _guess_environment(use: Use) -> Recipe:
    """Return an environment of the library whose results the code unpacks."""
    parts = dict(use.parts)
    is_newer = len(parts.get("step", ())) == 5 or len(parts.get("reset", ())) == 2
    return Text(f"{names.ENVIRONMENT}('{'gymnasium' if is_newer else 'gym'}.make', ())")


def _repeat_tensor(item: Recipe, count: int) -> Group:
    return Group("(", tuple((str(at), item) for at in range(count)))


def _guess_unpacked(name: str, use: Use) -> Recipe | None:
    """Return several values, or a tensor of several rows."""
    if not use.unpacked:
        return None
    if names.is_batch(name):
        return _repeat_tensor(guess_tensor(name), use.unpacked)
    return Tensor((use.unpacked, names.WIDTH), names.dtype_for(name), leaf=False)


def _guess_plain_value(name: str, use: Use) -> Recipe | None:
    """Return a number, a list, a truth."""
    is_ranked = names.rank(name) is not None
    if use.counted or (use.compared and not (use.indexed or is_ranked)):
        return names.number_for(name)
    if use.looped and not use.computed and names.is_batch(name):
        return names.object_for(name) or _repeat_in_list(guess_tensor(name))
    return None if is_ranked else _guess_flag(name, use)


def _repeat_in_list(item: Recipe) -> Group:
    return Group("[", (("0", item), ("1", item)))


def _guess_flag(name: str, use: Use) -> Recipe | None:
    if not use.tested or any((use.computed, use.indexed, use.attributes)):
        return None
    return names.object_for(name) or Text("True")


def _guess_whole_number(name: str) -> Number:
    found = names.number_for(name)
    return Number(int(found.value) if found.value >= 1 else names.size_for(name))


def _guess_fraction(name: str) -> Number:
    known = names.last_word(name) in names.FLOATS or name in names.FLOATS
    return names.number_for(name) if known else Number(0.5)


_PLAIN_TYPES: dict[str, Callable[[str], Recipe]] = {
    "int": _guess_whole_number,
    **dict.fromkeys(("float", "Number", "complex", "Scalar"), _guess_fraction),
    "bool": names.bool_for,
    "str": names.text_for,
}


def _guess_special(word: str, parts: list[ast.expr]) -> Recipe | None:
    """Return what literals, classes and functions are asked for by their types."""
    if word == "Literal" and isinstance(parts[0], ast.Constant):
        return Text(repr(parts[0].value))
    if word in ("Type", "type"):
        return Text(FACTORY if last_name(parts[0]) == "Module" else ast.unparse(parts[0]))
    if word == "Callable":
        return Text(FACTORY) if len(parts) == 2 and last_name(parts[1]) == "Module" else _LAYER
    return None


def _invert_flag(default: ast.expr | None) -> Recipe | None:
    """Return the other truth than a default's."""
    if not isinstance(default, ast.Constant) or not isinstance(default.value, bool):
        return None
    return Text(str(not default.value), sure=True)


def guess_tensor(name: str, dtype: Dtype | None = None) -> Tensor:
    """Return a tensor guessed from its name."""
    kind = dtype if dtype in ("long", "bool") else names.dtype_for(name)
    rank = names.rank(name)
    rank = 2 if rank is None or (kind == "long" and rank > 2) else rank
    shape = names.default_shape(rank)
    return Tensor(shape, kind, grad=names.wants_grad(name), leaf=False)


def _parse_annotation(node: ast.expr | None) -> ast.expr | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            return ast.parse(node.value, mode="eval").body
        except (SyntaxError, ValueError):
            return None
    return node


def _leave_out_none(node: ast.expr | None) -> ast.expr | None:
    """Return a type without None among its choices, where one other is left."""
    choices: list[ast.expr] = []
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        choices = [node.left, node.right]
    elif isinstance(node, ast.Subscript) and last_name(node) in ("Optional", "Union"):
        choices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    real = [one for one in choices if not _is_none(one)]
    return real[0] if len(real) == 1 else node


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
