"""A first value for every parameter: from its annotation, its default, its use, its name."""

from __future__ import annotations

import ast
import typing
from dataclasses import dataclass, field

from inplace_lsp.verify.inputs import names
from inplace_lsp.verify.inputs.kept import uses_by_class
from inplace_lsp.verify.inputs.program import Function, Parameter, Program, bound_by, dotted, last_name
from inplace_lsp.verify.inputs.recipes import Dtype, Group, Number, Recipe, Tensor, Text
from inplace_lsp.verify.inputs.uses import Use

_TENSORS: dict[str, Dtype] = {
    "Tensor": "float",
    "FloatTensor": "float",
    "Parameter": "float",
    "TensorType": "float",
    "LongTensor": "long",
    "IntTensor": "long",
    "BoolTensor": "bool",
}
_SHAPED: dict[str, Dtype] = {
    **dict.fromkeys(
        ("Float", "Float16", "Float32", "Float64", "Num", "Shaped", "Inexact", "Real", "BFloat16"), "float"
    ),
    **dict.fromkeys(("Int", "Int32", "Int64", "Integer", "UInt8", "UInt"), "long"),
    "Bool": "bool",
}
_MANY = {"list": "[", "List": "[", "Sequence": "[", "Iterable": "[", "Iterator": "[", "ModuleList": "["}
_OBJECTS = {
    "Module": "torch.nn.Identity()",
    "Callable": "torch.nn.Identity()",
    "Optimizer": f"torch.optim.SGD({names.MODEL}.parameters(), lr=0.1)",
    "dtype": "torch.float32",
    "device": "torch.device('cpu')",
    "Generator": "None",
    "Size": "torch.Size((2, 16))",
}
FACTORY = "torch.nn.Identity"
"""A class that takes any arguments, and whose instances hand on what they are given."""
_NAMED_TENSORS = f"{{name: one.detach().clone() for name, one in {names.MODEL}.named_parameters()}}"
_IDENTITY = Text(f"{FACTORY}()")
_NUMBERS = {"int", "float", "Number", "complex", "Scalar"}
_DEPTH = 3
_SOME = 3
"""So many sizes are in a list of which nothing tells the length: as many as an image has channels."""


@dataclass
class Guesses:
    """Guesses for one file. `dims`: what annotations and texts say of shapes, by parameter; `sure`: they sufficed;
    `told`: what texts give a shape to, and so call a tensor."""

    program: Program
    dims: dict[str, tuple[str, ...]] = field(default_factory=dict)
    sure: bool = True
    told: frozenset[str] = frozenset()

    def parameter(
        self, given: Parameter, use: Use, *, wanted: bool = False, depth: int = 0, in_constructor: bool = False
    ) -> Recipe | None:
        """A value, None where the default will do. `wanted`: the default is not what is looked for."""
        if given.kind == "kwarg":
            return Group("{", tuple((key, self.named(key)) for key in dict.fromkeys(use.keys))) if use.keys else None
        if given.kind == "vararg" and given.name == "args":
            return None
        config = self._config(given.default) if use.is_mapping else None
        if config is not None:
            return config
        if given.default is not None and not wanted:
            return None
        if wanted and isinstance(given.default, ast.Constant) and isinstance(given.default.value, bool):
            return Text(str(not given.default.value), sure=True)
        annotation = _parsed(given.annotation)
        if annotation is not None:
            found = self._class(annotation, use) if in_constructor else None
            found = found or self._annotated(annotation, given.name, depth)
            found = Text(names.MODEL) if found == _IDENTITY and use.is_module else found
            if found is not None:
                return self._many(given, found)
        self.sure = False
        if given.name in self.told:
            one = tensor(given.name)
            several = tuple((str(at), one) for at in range(use.unpacked if use.unpacked > 2 else 0))
            return self._many(given, Group("(", several) if several else one)
        found = self._factory(given.name, use) if in_constructor else None
        found = found or self._used(given.name, use)
        if found is None and in_constructor and not names.is_tensor_like(given.name):
            found = self._sizes(given.name, use) or names.thing(given.name) or self._plain(given.name)
        return self._many(given, found or self.named(given.name, use))

    def _config(self, default: ast.expr | None) -> Recipe | None:
        """What is in the file that a default names, if it lies in the project."""
        named = default.value if isinstance(default, ast.Constant) and isinstance(default.value, str) else ""
        found = self.program.configs.get(named)
        return Text(found, sure=True) if found is not None else None

    def _factory(self, name: str, use: Use) -> Recipe | None:
        """What a constructor calls makes its parts: a class."""
        if not use.makes:
            return None
        known = names.thing(name)
        is_class = isinstance(known, Text) and known.text.startswith("torch.nn.") and not known.text.endswith(")")
        return known if is_class else Text(FACTORY)

    def _sizes(self, name: str, use: Use) -> Recipe | None:
        """Several numbers, where the class asks for their elements."""
        if not (use.longest or use.listed or use.looped or use.unpacked):
            return Number(0.5) if use.is_share else None
        count = use.longest or use.unpacked or _SOME
        return Group("[", tuple((str(at), self._plain(name)) for at in range(count)))

    def _plain(self, name: str) -> Recipe:
        """What a constructor is mostly given: a number, or a truth."""
        return names.bool_of(name) if names.is_bool(name) else names.number(name)

    def _many(self, given: Parameter, found: Recipe) -> Recipe:
        return Group("(", (("0", found), ("1", found))) if given.kind == "vararg" else found

    def named(self, name: str, use: Use | None = None) -> Recipe:
        """A value by the name alone."""
        thing = names.thing(name)
        if thing is not None:
            return thing
        if names.is_bool(name):
            return names.bool_of(name)
        if names.is_number(name) and not (use is not None and use.is_tensor):
            return names.number(name)
        if name in ("n", "k", "i", "j") and use is not None and use == Use():
            return names.number(name)
        return tensor(name)

    # Annotations

    def _annotated(self, node: ast.expr, name: str, depth: int) -> Recipe | None:
        word = last_name(node) or ""
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return self._union([node.left, node.right], name, depth)
        if isinstance(node, ast.Subscript):
            return self._generic(word, node.slice, name, depth)
        if word in _TENSORS:
            return tensor(name, _TENSORS[word])
        if word in _NUMBERS:
            found = names.number(name)
            return Number(int(found.value)) if word == "int" and found.value >= 1 else self._number(word, found, name)
        if word == "bool":
            return names.bool_of(name)
        if word == "str":
            return names.string(name)
        if word in ("tuple", "list", "dict", "Dict", "Tuple", "List", "Any", "object", ""):
            return None
        return self._object(word, node, depth)

    def _class(self, node: ast.expr, use: Use) -> Recipe | None:
        """The class itself, where what a constructor annotates as an instance is called, or asked for its constants."""
        named = (self.program.classes.get(one.id) for one in ast.walk(node) if isinstance(one, ast.Name))
        owner = next((one for one in named if one is not None), None)
        if owner is None:
            return None
        fields = {one.name for one in self.program.constructor(owner) or ()}
        constants = {name for one in owner.body if not isinstance(one, Function) for name in bound_by(one)} - fields
        asked = bool(use.attributes) and constants.issuperset(use.attributes)
        return Text(owner.name) if use.called or asked else None

    def _number(self, word: str, found: Number, name: str) -> Number:
        if word == "int":
            return Number(names.size(name))
        return found if names.tail(name) in names.FLOATS or name in names.FLOATS else Number(0.5)

    def _union(self, parts: list[ast.expr], name: str, depth: int) -> Recipe | None:
        real = [part for part in parts if not (isinstance(part, ast.Constant) and part.value is None)]
        tensors = [part for part in real if last_name(part) in _TENSORS]
        for part in tensors + real:
            found = self._annotated(part, name, depth)
            if found is not None:
                return found
        return None

    def _generic(self, word: str, inner: ast.expr, name: str, depth: int) -> Recipe | None:
        parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
        if word in _SHAPED and len(parts) == 2 and isinstance(parts[1], ast.Constant):
            self.dims[name] = tuple(str(parts[1].value).split())
            return tensor(name, _SHAPED[word])
        if word in ("Optional", "Union", "Annotated", "Final"):
            return self._union(parts if word == "Union" else parts[:1], name, depth)
        if word == "Literal" and isinstance(parts[0], ast.Constant):
            return Text(repr(parts[0].value))
        if word in ("Type", "type"):
            return Text(FACTORY if last_name(parts[0]) == "Module" else ast.unparse(parts[0]))
        if word in _MANY:
            item = self._annotated(parts[0], name, depth) or self.named(name)
            return Group(_MANY[word], (("0", item), ("1", item)))
        if word in ("tuple", "Tuple"):
            same = len(parts) == 2 and isinstance(parts[1], ast.Constant) and parts[1].value is ...
            kinds = [parts[0], parts[0]] if same else parts
            items = [self._annotated(part, name, depth) or self.named(name) for part in kinds]
            return Group("(", tuple((str(i), item) for i, item in enumerate(items)))
        if word in ("dict", "Dict", "Mapping", "OrderedDict") and len(parts) == 2:
            held = self._annotated(parts[1], name, depth)
            return Text(_NAMED_TENSORS) if isinstance(held, Tensor) else None
        if word == "Callable":
            return Text(FACTORY) if len(parts) == 2 and last_name(parts[1]) == "Module" else _IDENTITY
        return None

    def _object(self, word: str, node: ast.expr, depth: int) -> Recipe | None:
        owner = self.program.classes.get(word)
        if owner is not None and any(last_name(base) in ("Enum", "IntEnum", "StrEnum") for base in owner.bases):
            return Text(f"list({word})[0]")
        if owner is not None and depth < _DEPTH:
            return self.instance(owner, depth + 1)
        if word in _OBJECTS and not (word in ("Module", "Size") and word in self.program.classes):
            return Text(_OBJECTS[word])
        head = dotted(node)
        known = head.split(".")[0] in self.program.names and not hasattr(typing, word)
        return Group(head) if known and word[:1].isupper() and word != "TypeVar" else None

    # Use

    def _used(self, name: str, use: Use) -> Recipe | None:
        if use.is_optimizer:
            return Text(_OBJECTS["Optimizer"])
        if use.is_module:
            return Text(names.MODEL)
        indices = use.holds_indices and not names.is_number(name)
        if use.is_tensor or indices:
            return tensor(name, "long" if indices else None)
        if use.keys or use.is_dict:
            return self._dict(name, use)
        if use.is_text:
            return names.string(name)
        if use.texts:
            return Text(repr(use.texts[0]))
        if use.unpacked:
            if names.is_batch(name):
                return Group("(", tuple((str(i), tensor(name)) for i in range(use.unpacked)))
            return Tensor((use.unpacked, names.WIDTH), names.dtype(name), leaf=False)
        return self._used_loosely(name, use)

    def _used_loosely(self, name: str, use: Use) -> Recipe | None:
        if use.called:
            known = names.thing(name)
            return known if known is not None and known != _IDENTITY else self._function(use)
        if use.asked_for and not use.computed:
            return self._namespace(name, use)
        if use.counted or (use.compared and not use.indexed and names.rank(name) is None):
            return names.number(name)
        if use.looped and not use.computed and names.is_batch(name):
            return names.thing(name) or Group("[", (("0", tensor(name)), ("1", tensor(name))))
        if use.tested and not (use.computed or use.indexed or use.attributes) and names.rank(name) is None:
            return names.thing(name) or Text("True")
        return None

    def _dict(self, name: str, use: Use) -> Recipe:
        known = names.thing(name)
        if known is not None and not use.keys:
            return known
        keys = dict.fromkeys(use.keys or ("first", "second"))
        return Group("{", tuple((key, self.named(key) if use.keys else tensor(name)) for key in keys))

    def _function(self, use: Use) -> Recipe:
        """Something that keeps what it is given and what it makes, as a network does, whatever the shape."""
        if not use.given:
            return Text(f"lambda **named: torch.randn({names.BATCH}, {names.WIDTH}, requires_grad=True).sigmoid()")
        more = ", *rest, **named" if use.given > 1 or use.named else ""
        return Text(f"lambda x{more}: (x * x).sigmoid()")

    def _namespace(self, name: str, use: Use) -> Recipe:
        if name.lower() in ("config", "cfg", "args", "opt", "conf", "hparams", "opts"):
            known = [one for one in self.program.classes if one.endswith(("Config", "Args", "Options"))]
            if known:
                return self.instance(self.program.classes[known[0]], 1)
        made = self._function(Use(given=2)).source()
        values = ((field, Text(made) if field in use.methods else self.named(field)) for field in use.asked_for)
        return Group("__import__('types').SimpleNamespace", tuple(values))

    # Objects

    def instance(self, owner: ast.ClassDef, depth: int = 0, wanted: frozenset[str] = frozenset()) -> Group:
        """How an object of a class of the file is made."""
        used = uses_by_class(self.program, owner)
        made = Group(owner.name)
        for given in self.program.constructor(owner) or ():
            found = self.parameter(
                given, used.get(given.name, Use()), wanted=given.name in wanted, depth=depth, in_constructor=True
            )
            if found is not None:
                made = made.put("*" + given.name if given.kind == "vararg" else given.name, found)
        return made


def tensor(name: str, dtype: Dtype | None = None) -> Tensor:
    """A tensor by its name."""
    kind = dtype if dtype in ("long", "bool") else names.dtype(name)
    rank = names.rank(name)
    shape = names.default_shape(rank if rank is not None else 2)
    return Tensor(shape, kind, grad=names.wants_grad(name), leaf=False)


def _parsed(node: ast.expr | None) -> ast.expr | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            return ast.parse(node.value, mode="eval").body
        except (SyntaxError, ValueError):
            return None
    return node
