"""Models that nobody gave: each argument gets one of its own, and each optimizer the parameters of the one it means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from inplace_lsp.verify.inputs.names import MODEL, MODELS, OPTIMIZER, SPARE_MODEL
from inplace_lsp.verify.inputs.recipes import Group, Path, Text, leaves_of, replace_at

_FILLING = ("optimizer", "optimiser", "optim", "opt", "model", "network", "net", "_")
"""What names of models and optimizers share without meaning the same."""


def tell_models_apart(root: Group) -> Group:
    """Return the plan with another model for each argument, attribute or key that is one."""
    leaves = [(path, leaf.text if isinstance(leaf, Text) else "") for path, leaf in leaves_of(root)]
    models: dict[str, str] = {}
    for path, text in leaves:
        if text.partition(".")[0] == MODEL:
            own = models.setdefault(_name_at(path), _name_of_model(len(models) + 1))
            root = replace_at(root, path, Text(text.replace(MODEL, own, 1)))
    steppers = {path: _name_at(path) for path, text in leaves if text == OPTIMIZER}
    others = [name for name in map(_name_at, (path for path, _ in leaves)) if name not in steppers.values()]
    for path, model in _models_meant(steppers, list(models), others).items() if models else ():
        root = replace_at(root, path, Text(OPTIMIZER.replace(MODEL, models.get(model, SPARE_MODEL))))
    return root


def _name_of_model(number: int) -> str:
    """Return the expression for one of the models of a plan, counted from 1."""
    return MODEL if number == 1 else f"{MODEL}_{number}" if number <= MODELS else SPARE_MODEL


def _name_at(path: Path) -> str:
    """Return the name of an argument, attribute or key: an element has that of its list."""
    return next((name for name in reversed(path) if not name.isdigit()), "")


def _models_meant(steppers: Mapping[Path, str], models: Sequence[str], others: Sequence[str]) -> dict[Path, str]:
    """Return the names of the models that optimizers step. One that means none of them gets "": the step of a model
    that is not its own would spoil what that model keeps. Among `others` are arguments that are no models."""
    meant = {path: _name_meant(name, models) for path, name in steppers.items()}
    free = [name for name in models if name not in meant.values()]
    for path, name in steppers.items():
        is_alone = len(models) == len(steppers) == 1 and not _name_meant(name, others)
        if not meant[path] and free and (is_alone or not _own_word(name)):
            meant[path] = free.pop(0)
    return meant


def _name_meant(optimizer: str, names: Iterable[str]) -> str:
    """Return the name that the optimizer's name contains, else one that begins with the rest of it."""
    word = _own_word(optimizer)
    for alike in (_is_part, str.startswith):
        for name in names if word else ():
            if alike(_own_word(name), word):
                return name
    return ""


def _is_part(name: str, word: str) -> bool:
    return bool(name) and (name == word or (len(name) > 1 and name in word))


def _own_word(name: str) -> str:
    """Return what tells a name from those of other models: `d` of `net_D` and of `optimizer_D`."""
    low = name.lower()
    for part in _FILLING:
        low = low.replace(part, "")
    return low
