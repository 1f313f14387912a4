"""Collect what a body does with values: with names, and with attributes of `self` (as `self.name`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from inplace_lsp.source import ir
from inplace_lsp.uses.use import Use

Lookup = Callable[[object], Use | None]
"""Returns the uses noted for the value of an expression; None if uses of that value are not collected."""

_COUNTING = frozenset(
    "range int float arange linspace zeros ones empty rand randn eye view reshape Linear Conv2d".split()
)
"""Calls whose plain arguments are numbers."""
_COUNTS = frozenset("alpha value dim axis eps p groups stride padding dilation num_classes".split())
"""Keywords of calls whose arguments are numbers."""
_INDICES = frozenset(
    "gather index_select index_add index_add_ index_fill_ scatter scatter_ scatter_add scatter_add_".split()
)
"""Calls whose second plain argument is a tensor of indices."""
_PATHS = frozenset("open Path".split())
"""Functions whose first argument is a path."""
_PATHS_OF_OS = frozenset("join makedirs mkdir listdir exists isdir isfile".split())
"""The same of `os` and `os.path`; all arguments of `join` are paths."""
_LOOPING = frozenset("enumerate zip tqdm reversed".split())
"""Calls that loop over their arguments."""
WIDTHS = frozenset(
    """dim dims d c ch chs channel channels feature features hidden hidden_size embed_dim d_model n_embd emb size
    in_channels out_channels in_features out_features in_dim out_dim planes inplanes width mid_channels num_features
    hidden_dim head_dim emb_dim embedding_dim in_ch out_ch in_chs out_chs nc ic oc ngf ndf latent_dim z_dim""".split()
)


def is_width(name: str) -> bool:
    """Return whether the name means a number of channels or features."""
    return name.lower() in WIDTHS


def find_uses(definition: ir.FunctionDef | ir.Lambda) -> dict[str, Use]:
    """Return the uses of each parameter in a function's body."""
    found = {parameter.name: Use() for parameter in definition.parameters}
    note_uses(definition.body, make_lookup(found))
    return found


def find_uses_of_self(body: Sequence[ir.Statement]) -> dict[str, Use]:
    """Return the uses of each attribute of `self`, in the order in which a body mentions them."""
    found: dict[str, Use] = {}

    def look_up(node: object) -> Use | None:
        name = name_of(node)
        return found.setdefault(name[5:], Use()) if name.startswith("self.") else None

    for node in _walk_in_order(body):
        look_up(node)
        _note_node(node, look_up)
    return found


def make_lookup(found: dict[str, Use]) -> Lookup:
    """Return a look-up of these names only; attributes of `self` are called `self.name`."""
    return lambda node: found.get(name_of(node))


def make_deep_lookup(found: dict[str, Use]) -> Lookup:
    """Return a look-up of these names, and of what their values hold as attributes and under keys."""

    def look_up(node: object) -> Use | None:
        known = found.get(name_of(node))
        if known is not None:
            return known
        if type(node) is ir.Attribute:
            holder, name = look_up(node.value), node.name
        elif type(node) is ir.Subscript and isinstance(node.index, ir.Const) and isinstance(node.index.value, str):
            holder, name = look_up(node.value), node.index.value
        else:
            return None
        return None if holder is None else holder.held.setdefault(name, Use())

    return look_up


def make_adding_lookup(found: dict[str, Use]) -> Lookup:
    """Return a look-up that adds every name it is asked for."""
    return lambda node: found.setdefault(node.id, Use()) if type(node) is ir.Name else None


def name_of(node: object) -> str:
    """Return `x` of a name, `self.x` of an attribute of `self`, "" of anything else."""
    if type(node) is ir.Name:
        return node.id
    if type(node) is ir.Attribute and type(node.value) is ir.Name and node.value.id == "self":
        return f"self.{node.name}"
    return ""


def last_name(node: object) -> str:
    """Return `c` of `a.b.c` and of `a.b.c[d]`, `a` of `a`, "" of anything else."""
    while isinstance(node, ir.Subscript):
        node = node.value
    return node.id if isinstance(node, ir.Name) else node.name if isinstance(node, ir.Attribute) else ""


def note_uses(body: object, look_up: Lookup) -> None:
    """Note what a body does with the values that `look_up` knows."""
    note_uses_in(_walk_in_order(body), look_up)


def note_uses_in(nodes: Iterable[object], look_up: Lookup) -> None:
    """Note what the nodes of a body do with the values that `look_up` knows; pass them in the order of the text."""
    for node in nodes:
        _note_node(node, look_up)


def _walk_in_order(body: object) -> Iterator[object]:
    """Yield the nodes of a body in the order of the text, as far as it matters."""
    return reversed([*ir.walk_nodes(body)])


def _note_node(node: object, use: Lookup) -> None:
    note = _NOTES.get(type(node))
    if note is not None:
        note(node, use)


def _note_attribute(node: ir.Attribute, use: Lookup) -> None:
    if (noted := use(node.value)) is not None:
        noted.attributes.append(node.name)


def _note_subscript(node: ir.Subscript, use: Lookup) -> None:
    noted, index = use(node.value), node.index
    by_name = use(index) if isinstance(index, ir.Name) and _may_be_tensor(node.value) else None
    if by_name is not None:
        by_name.subscripts = True
        by_name.indexes = by_name.indexes or isinstance(node.value, ir.Name)
    if noted is not None:
        noted.sliced = noted.sliced or _is_for_tensors(index)
        _note_index(noted, index)


def _may_be_tensor(node: ir.Expr) -> bool:
    """Return whether an expression is a name, or a call of one of torch's functions."""
    if isinstance(node, ir.Call) and isinstance(node.function, ir.Attribute):
        return last_name(node.function.value) == "torch"
    return isinstance(node, ir.Name)


def _note_index(noted: Use, index: ir.Expr) -> None:
    key = index.value if isinstance(index, ir.Const) else None
    if isinstance(key, str):
        noted.keys.append(key)
    elif isinstance(index, ir.Sequence) and index.kind == "tuple":
        noted.computed = True
    else:
        noted.indexed = True
        noted.longest = max(noted.longest, key + 1 if isinstance(key, int) else 0)


def _is_for_tensors(index: ir.Expr) -> bool:
    """Return whether only tensors take such an index: `...`, a comparison, or slices of several dimensions."""
    if isinstance(index, ir.Sequence) and index.kind == "tuple":
        return any(isinstance(item, ir.Slice) or _is_for_tensors(item) for item in index.items)
    return (isinstance(index, ir.Const) and index.value is ...) or isinstance(index, ir.Compare)


def _note_assignment(node: ir.Assign, use: Lookup) -> None:
    """Note that a value, or what a call of it or of its method returns, is unpacked: `a, b = value`, `a, b = value()`
    and `self.a, _ = value.sample()`."""
    target = node.targets[0] if len(node.targets) == 1 else None
    if not isinstance(target, ir.Sequence) or target.kind != "tuple":
        return
    if (noted := use(node.value)) is not None:
        noted.unpacked = len(target.items)
    elif isinstance(node.value, ir.Call):
        function = node.value.function
        noted, name = (use(function.value), function.name) if isinstance(function, ir.Attribute) else (None, "")
        noted, name = (noted, name) if noted is not None else (use(function), "")
        parts = tuple(last_name(item) for item in target.items)
        if noted is not None and all(parts):
            noted.parts.append((name, parts))


def _note_loop(node: ir.For | ir.Clause, use: Lookup) -> None:
    _note_iterable(node.iterable, use)


def _note_iterable(source: ir.Expr, use: Lookup) -> None:
    if isinstance(source, ir.Call) and last_name(source.function) in _LOOPING:
        for argument in _list_plain_arguments(source):
            _note_iterable(argument, use)
    elif (noted := use(source)) is not None:
        noted.looped = True


def _note_test(node: ir.If | ir.IfExp, use: Lookup) -> None:
    test = node.test
    if isinstance(test, ir.UnaryOp) and test.op == "not":
        test = test.operand
    if (noted := use(test)) is not None:
        noted.tested = True


def _note_comparison(node: ir.Compare, use: Lookup) -> None:
    noted, (_, other) = use(node.left), node.rest[0]
    if noted is None or len(node.rest) > 1 or not isinstance(other, ir.Const):
        return
    if isinstance(other.value, str):
        noted.texts.append(other.value)
    noted.compared = noted.compared or isinstance(other.value, int)


def _note_match(node: ir.Match, use: Lookup) -> None:
    if (noted := use(node.subject)) is not None:
        patterns = (inner for case in node.cases for inner in ir.walk_nodes(case.pattern))
        values = (inner.value for inner in patterns if isinstance(inner, ir.Pattern) and inner.kind == "value")
        noted.texts += [
            constant.value for constant in values if isinstance(constant, ir.Const) and isinstance(constant.value, str)
        ]


def _note_operator(node: ir.BinOp, use: Lookup) -> None:
    if isinstance(node.left, ir.Joined) or (isinstance(node.left, ir.Const) and isinstance(node.left.value, str)):
        return  # `"%s" % value`: any value
    for noted in (use(node.left), use(node.right)):
        if noted is not None:
            whole = node.op in ("//", "%")
            noted.counted, noted.computed = noted.counted or whole, noted.computed or not whole


def _note_call(node: ir.Call, use: Lookup) -> None:
    given, name = _list_plain_arguments(node), last_name(node.function)
    _note_callee(node, use)
    _note_counts(given if name in _COUNTING else (), use)
    _note_counts([argument.value for argument in node.arguments if argument.name in _COUNTS], use)
    if _takes_path(node.function):
        _note_paths(given if name == "join" else given[:1], use)
    _note_elements(node, given, use)
    if name == "int" and given:
        _note_share(given[0], use)
    elif name == "isinstance" and len(given) == 2:
        _note_type_test(given[0], last_name(given[1]), use)
    elif name in _INDICES:
        _note_indices(node, given, use)


def _note_callee(node: ir.Call, use: Lookup) -> None:
    """Note how a value is called, and the methods of a value."""
    named = sum(1 for argument in node.arguments if argument.name or argument.star == 2)
    if (noted := use(node.function)) is not None:
        noted.called, noted.given = True, max(noted.given, len(node.arguments) - named)
        noted.named = noted.named or named > 0
    if isinstance(node.function, ir.Attribute) and (noted := use(node.function.value)) is not None:
        noted.methods.append(node.function.name)


def _note_elements(node: ir.Call, given: Sequence[ir.Expr], use: Lookup) -> None:
    """Note what a call is for whose elements it gets: `len(levels)`, and `self.layers[0](levels[0])`."""
    if isinstance(node.function, ir.Name) and node.function.id == "len" and len(given) == 1:
        if (noted := use(given[0])) is not None:
            noted.measured = True
    elif name_of(_find_holder(node.function)).startswith("self."):
        for argument in given:
            noted = use(argument.value) if isinstance(argument, ir.Subscript) else None
            if noted is not None and isinstance(argument, ir.Subscript) and _is_one_index(argument.index):
                noted.hands_on = True


def _find_holder(node: ir.Expr) -> ir.Expr:
    """Return the list of `self.layers[i]`, and what is no element itself."""
    while isinstance(node, ir.Subscript):
        node = node.value
    return node


def _is_one_index(index: ir.Expr) -> bool:
    return isinstance(index, ir.Name) or (isinstance(index, ir.Const) and isinstance(index.value, int))


def _note_counts(numbers: Sequence[ir.Expr], use: Lookup) -> None:
    for number in numbers:
        if (noted := use(number)) is not None:
            noted.counted = True


def _takes_path(function: ir.Expr) -> bool:
    if isinstance(function, ir.Attribute):
        return function.name in _PATHS_OF_OS and last_name(function.value) in ("os", "path")
    return isinstance(function, ir.Name) and function.id in _PATHS


def _note_paths(paths: Sequence[ir.Expr], use: Lookup) -> None:
    for path in paths:
        if (noted := use(path)) is not None:
            noted.is_path = True


def _note_share(given: ir.Expr, use: Lookup) -> None:
    """Note `ratio` of `int(ratio * dim)`."""
    if isinstance(given, ir.BinOp) and given.op == "*" and isinstance(given.right, ir.Name):
        noted = use(given.left)
        if noted is not None and is_width(given.right.id):
            noted.is_share = True


def _note_type_test(tested: ir.Expr, kind: str, use: Lookup) -> None:
    if (noted := use(tested)) is not None:
        noted.is_mapping = noted.is_mapping or kind in ("dict", "Mapping", "OrderedDict")
        noted.listed = noted.listed or kind in ("list", "tuple", "Sequence")


def _note_indices(node: ir.Call, given: Sequence[ir.Expr], use: Lookup) -> None:
    is_method = isinstance(node.function, ir.Attribute) and last_name(node.function.value) != "torch"
    for argument in given[1 if is_method else 2 :][:1]:
        if (noted := use(_find_view_receiver(argument))) is not None:
            noted.indexes = True


def _find_view_receiver(node: ir.Expr) -> ir.Expr:
    """Return the receiver of view methods: `x` in `x.view(-1)`."""
    while isinstance(node, ir.Call) and isinstance(node.function, ir.Attribute):
        node = node.function.value
    return node


def _list_plain_arguments(node: ir.Call) -> list[ir.Expr]:
    return [argument.value for argument in node.arguments if not argument.name and not argument.star]


_NOTES: dict[type, Callable[..., None]] = {
    ir.Attribute: _note_attribute,
    ir.Subscript: _note_subscript,
    ir.Assign: _note_assignment,
    ir.For: _note_loop,
    ir.Clause: _note_loop,
    ir.If: _note_test,
    ir.IfExp: _note_test,
    ir.Compare: _note_comparison,
    ir.Match: _note_match,
    ir.BinOp: _note_operator,
    ir.Call: _note_call,
}
