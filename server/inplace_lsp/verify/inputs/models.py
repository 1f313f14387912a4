"""Models that nobody gave: each argument gets one of its own, and each optimizer the parameters of the one it means."""

from __future__ import annotations

from collections.abc import Sequence

from inplace_lsp.verify.inputs.names import MODEL, MODELS, OPTIMIZER
from inplace_lsp.verify.inputs.recipes import Group, Path, Text, leaves_of, replace_at

_FILLING = ("optimizer", "optimiser", "optim", "opt", "model", "network", "net", "_")
"""What names of models and optimizers share without meaning the same."""


def tell_models_apart(root: Group) -> Group:
    """Return the plan with another model for each argument, attribute or key that is one."""
    leaves = [(path, leaf.text) for path, leaf in leaves_of(root) if isinstance(leaf, Text)]
    models: dict[str, str] = {}
    for path, text in leaves:
        if text.partition(".")[0] == MODEL:
            name = _name_at(path)
            own = models.setdefault(name, f"{MODEL}_{len(models) + 1}" if 0 < len(models) < MODELS else MODEL)
            root = replace_at(root, path, Text(text.replace(MODEL, own, 1)))
    steppers = [path for path, text in leaves if text == OPTIMIZER]
    for at, path in enumerate(steppers):
        named = _model_meant(_name_at(path), list(models), at if len(steppers) == len(models) else 0)
        root = replace_at(root, path, Text(OPTIMIZER.replace(MODEL, models.get(named, MODEL))))
    return root


def _name_at(path: Path) -> str:
    """Return the name of an argument, attribute or key: an element has that of its list."""
    return next((name for name in reversed(path) if not name.isdigit()), "")


def _model_meant(optimizer: str, models: Sequence[str], at: int) -> str:
    """Return the name of the model that an optimizer of that name steps: the one whose name is in it, or that begins
    as it goes on; else the one in that place."""
    word = _own_word(optimizer)
    for alike in (_is_part, str.startswith):
        for name in models if word else ():
            if alike(_own_word(name), word):
                return name
    return models[at] if models else ""


def _is_part(name: str, word: str) -> bool:
    return bool(name) and (name == word or (len(name) > 1 and name in word))


def _own_word(name: str) -> str:
    """Return what tells a name from those of other models: `d` of `net_D` and of `optimizer_D`."""
    low = name.lower()
    for part in _FILLING:
        low = low.replace(part, "")
    return low
