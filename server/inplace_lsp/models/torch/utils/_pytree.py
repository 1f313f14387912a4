"""torch.utils._pytree: functions over all leaves of nested tuples, lists and dictionaries."""

from inplace_lsp.modelling import ignores, is_true

DESCRIBES = "torch 2.13"

_STOP = "what is taken for a leaf though it is a container is still known by the tensors in it"


@ignores("is_leaf", because=_STOP)
def tree_map(func, tree, *rests, is_leaf=None):
    """Call the function with every leaf, and with those at its place in the other trees."""
    if is_true(isinstance(tree, dict)):
        return {key: tree_map(func, part, *[rest[key] for rest in rests]) for key, part in tree.items()}
    if is_true(isinstance(tree, (tuple, list))):
        return _rebuild(tree, [tree_map(func, *parts) for parts in zip(tree, *rests, strict=False)])
    return func(tree, *rests) if is_true(tree is not None) else None


@ignores("is_leaf", because=_STOP)
def tree_map_(func, tree, *rests, is_leaf=None):
    """Call the function with every leaf, and return the tree itself."""
    tree_map(func, tree, *rests)
    return tree


@ignores("is_leaf", because=_STOP)
def tree_map_only(type_or_types_or_pred, /, func, tree, is_leaf=None):
    """Call the function with every leaf of a type."""
    return tree_map(_choose_leaves(type_or_types_or_pred, func), tree)


@ignores("is_leaf", because=_STOP)
def tree_map_only_(type_or_types_or_pred, /, func, tree, is_leaf=None):
    """Call the function with every leaf of a type, and return the tree itself."""
    tree_map(_choose_leaves(type_or_types_or_pred, func), tree)
    return tree


def _choose_leaves(wanted, func):
    """Return the function that leaves alone what is not wanted."""
    return lambda leaf: func(leaf) if isinstance(leaf, wanted) else leaf


@ignores("is_leaf", because=_STOP)
def tree_leaves(tree, is_leaf=None):
    """Return all leaves in order."""
    if is_true(isinstance(tree, dict)):
        return [leaf for part in tree.values() for leaf in tree_leaves(part)]
    if is_true(isinstance(tree, (tuple, list))):
        return [leaf for part in tree for leaf in tree_leaves(part)]
    return [tree] if is_true(tree is not None) else []


@ignores("is_leaf", because=_STOP)
def tree_iter(tree, is_leaf=None):
    """Go through all leaves in order."""
    yield from tree_leaves(tree)


@ignores("is_leaf", because=_STOP)
def tree_flatten(tree, is_leaf=None):
    """Return all leaves in order, and what puts them back into their places."""
    return tree_leaves(tree), _Places(tree)


class _Places:
    """The places of the leaves of a tree."""

    def __init__(self, tree):
        self.tree = tree


def tree_unflatten(leaves, treespec):
    """Put the leaves into their places."""
    left = iter(leaves)
    return tree_map(lambda leaf: next(left), treespec.tree)


def _rebuild(tree, parts):
    """Return a container like the tree with other parts."""
    return type(tree)(*parts) if is_true(hasattr(tree, "_fields")) else type(tree)(parts)
