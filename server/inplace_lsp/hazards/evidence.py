"""Judge whether a value plausibly requires grad, from its name and its source in the program.

Data, labels, masks, indices and settings carry no gradient unless the program gives them one. A name is weak evidence:
it creates no hazard and turns a warning into a hint; where a gradient of labels, masks, counts, arrays or ends of
episodes is all that is missing, not even a hint is left.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import lru_cache

from inplace_lsp.tape.names import ELEMENT, SOURCES_OF_DATA, split_words

_GRADIENTLESS = {
    "labels or targets": "label target gt truth groundtruth annotation",
    "masks": "mask",
    "gradients": "grad",
    "indices": "index indice idx id perm permutation",
    "data": f"data batch batche minibatch minibatche replay {' '.join(SOURCES_OF_DATA)}",
    "rewards": "reward return advantage gae terminal",
    "ends of episodes": "done terminated",
    "settings": "config cfg hyp hyperparameter hparam setting option seed",
    "lengths or counts": "length len num count size shape epoch duration",
    "token ids": "text",
}
"""Kinds of values that usually carry no gradient, with the words that programs use in their names."""

_NEVER_COMPUTED = frozenset(
    (
        "labels or targets",
        "masks",
        "indices",
        "settings",
        "lengths or counts",
        "token ids",
        "arrays",
        "ends of episodes",
    )
)
"""The kinds of which a hint would be about a gradient that nobody asks for."""

_OF_LOSSES = frozenset(("labels or targets", "masks"))
"""Those of them that are another network's results in some losses."""

_ROTARY = frozenset("rotary rope".split())
"""Words for the sines and cosines of positions. They are called embeddings but are not trained."""
_BOXES = "anchor prior box boxe bbox bboxe rect roi"
"""Words for boxes that detectors compare with labels. A loss handles the predicted boxes, too."""
_COMPUTED = frozenset(
    "pred predicted prediction logit output out feat feature hidden embedding emb embed encoding encoded recon "
    "reconstructed reconstruction fake generated loss score prob probability param parameter weight bias activation "
    "latent".split()
)
"""Words for values that a network computes or learns. They outweigh the other words of a name (`mask_logits`)."""

_KIND_OF = {word: kind for kind, words in _GRADIENTLESS.items() for word in words.split()}
_KIND_OF_BOX = dict.fromkeys(_BOXES.split(), "anchors or boxes")
_OF_BOX_LOSSES = frozenset(("loss", "iou", "giou", "diou", "ciou", "criterion"))

_SETTINGS = frozenset("args opt opts cfg config conf hyp flags FLAGS hparams settings options".split())
"""Objects whose attributes and entries are settings."""
_STORES = SOURCES_OF_DATA | frozenset("memory buffer replay env environment storage task taskset iterator iter".split())
"""Objects from which methods take data."""
_FETCHING = frozenset("load read fetch open parse sample step reset next pop collate".split())
"""First words of functions that fetch data; `step`, `sample` and the like only as methods of a store."""
_ANYWHERE = frozenset(("load", "read", "fetch", "open", "parse", "collate"))
_PREPARING = frozenset("transforms tokenizer tokenize".split())
"""Names of functions that prepare data, as they are written: one `transform` may be a layer."""
_MAKING = frozenset("get make build create generate compute prepare load find select".split())
"""First words of functions that are named after what they make."""
_OUTSIDE = frozenset("np numpy os json yaml random math time cv2 pickle scipy pd pandas PIL Image".split())
"""Libraries that know no gradients."""
_SAME = frozenset(
    "to cuda cpu float double half type clone contiguous view reshape permute transpose squeeze unsqueeze flatten t "
    "repeat expand pin_memory requires_grad_ items values keys tolist size item chunk split".split()
)
"""Methods that return the object they are called on, or a part of it."""
_OF_ARRAYS = frozenset(("copy", "astype", "tobytes"))
"""Methods that arrays have and tensors have not."""
_PASSING = frozenset("iter next list tuple enumerate zip tqdm len reversed sorted Variable".split())
"""Functions that return what their first argument holds."""

_ITERATING = frozenset(("__iter__", "__next__"))
"""Methods of objects that give data in turn: a class of a loader calls those of its base class by name."""

_INFERRING = frozenset(
    "test predict infer inference generate nms suppression eval evaluation validate validation val "
    "postprocess visualize plot draw export demo beam greedy detect compress decompress".split()
)
"""Words of functions that use a trained model. `evaluate` is not among them: its object may be a model, but also a part
of a loss (`evaluate_actions`, `evaluate_energy`)."""
_INFERRING_ALONE = "evaluate"
"""A word that counts among them only where it is the whole name of a function."""
_AFTER_TRAINING = frozenset("nms suppression postprocess postprocessor postprocessing visualizer demo".split())
"""Words of classes that process the results of a trained model."""
_INFERRING_INSIDE = (_INFERRING | _AFTER_TRAINING) - frozenset("predict generate val draw beam greedy detect".split())
"""The words that count for a function called inside another one: training predicts and draws, too."""

_TRAINING = frozenset(("train", "training"))
"""Words of flags that are off where a program does not train."""
_EVALUATING = frozenset("test testing infer inference eval evaluate evaluating evaluation export".split())
"""Words of flags that are on there."""
_OTHER_MODES = _EVALUATING | frozenset("predict prediction val valid validate validation".split())
"""Texts by which programs choose to do something else than to train."""
_MODES = frozenset("mode phase stage split subset".split())
"""Last words of what holds such a text."""
_OF_FLAGS = frozenset(("is", "do", "run"))
"""Words that flags have besides."""

_OBJECTIVES = frozenset(
    "loss criterion objective energy nll elbo penalty regularizer regularisation regularization divergence".split()
)
"""Words of functions that compute a loss, or an energy whose gradient is a force."""

_WITHOUT_GRADIENTS = frozenset(("no", "grad"))
_OF_SCOPES_WITHOUT = frozenset(("nograd", "inference", "gradless"))
"""Words of context managers and decorators that turn gradients off."""


def find_doubt(given: str, function: str) -> str:
    """Return why `given`, as messages name it, hardly requires grad in `function`; "" if it plausibly does."""
    kind = _find_kind(given, _computes_box_loss(function))
    return f"`{given}` looks like {kind}, which usually require no grad" if kind else ""


def _computes_box_loss(function: str) -> bool:
    return not _OF_BOX_LOSSES.isdisjoint(_list_singular_words(function))


def is_never_computed(given: str, function: str, *, data: bool = False) -> bool:
    """Return whether `given` is named after what no network computes: labels, masks, counts, arrays, ends of
    episodes; with `data` also data."""
    in_loss = _computes_box_loss(function)
    kind = _find_kind(given, in_loss)
    never = _NEVER_COMPUTED - _OF_LOSSES if in_loss else _NEVER_COMPUTED
    return kind in never or (data and kind == "data")


def is_argument(name: str, parameters: tuple[str, ...]) -> bool:
    """Return whether `name` is one of the parameters, or a part of one, that no word marks as computed by a network."""
    node = _parse_name(name)
    words: set[str] = set()
    while node is not None and not isinstance(node, ast.Name):
        if isinstance(node, ast.Call):
            called = node.func
            if not (isinstance(called, ast.Attribute) and called.attr in _SAME):
                return False
            node = called.value
        elif isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred)):
            words |= set(_list_singular_words(node.attr)) if isinstance(node, ast.Attribute) else set()
            node = node.value
        else:
            return False
    return (
        isinstance(node, ast.Name)
        and node.id in parameters
        and _COMPUTED.isdisjoint(words | set(_list_singular_words(node.id)))
    )


def is_objective(function: str) -> bool:
    """Return whether the name of a function, or of its class, says that the gradient of its result is wanted."""
    return not find_inference_function(function) and not _OBJECTIVES.isdisjoint(_list_singular_words(function))


def find_scope_doubt(context: str) -> str:
    """Return why an unseen context manager or decorator hardly leaves gradients on; "" if it plausibly does."""
    words = set(_list_singular_words(context))
    if words >= _WITHOUT_GRADIENTS or not _OF_SCOPES_WITHOUT.isdisjoint(words):
        return f"{context} sounds as if it turned gradients off"
    return ""


def is_settings_name(name: str) -> bool:
    """Return whether the name is a usual one for settings: `opt`, `self.args`."""
    return name.rpartition(".")[2] in _SETTINGS


def find_inference_function(function: str, through: tuple[str, ...] = ()) -> str:
    """Return the first of these functions whose name says that it uses a trained model; "" if none does.

    `through`: the functions that `function` called, in order, to reach the write.
    """
    name = function.rpartition(".")[2]
    if name == _INFERRING_ALONE or not _INFERRING.isdisjoint(_list_singular_words(name)):
        return function
    if is_after_training(function):
        return function
    return next((called for called in through if not _INFERRING_INSIDE.isdisjoint(_list_singular_words(called))), "")


def find_evaluation(conditions: Iterable[str]) -> str:
    """Return the first condition that says that a program evaluates (`not self.training`, `mode == "predict"`); "" if
    none does."""
    return next(filter(_says_evaluation, conditions), "")


@lru_cache(maxsize=4096)
def _says_evaluation(condition: str) -> bool:
    node = _parse_name(condition)
    return node is not None and _is_met_by_evaluation(node)


def _is_met_by_evaluation(node: ast.expr) -> bool:
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        return any(map(_is_met_by_evaluation, node.values))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return _is_flag_of(node.operand, _TRAINING)
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq):
        chosen = node.comparators[0].value if isinstance(node.comparators[0], ast.Constant) else None
        asked = _list_singular_words(next(_list_names_in_chain(node.left), ""))
        return bool(asked) and asked[-1] in _MODES and isinstance(chosen, str) and chosen.lower() in _OTHER_MODES
    return _is_flag_of(node, _EVALUATING)


def _is_flag_of(node: ast.expr, words: frozenset[str]) -> bool:
    """Return whether an expression is a flag that is named by these words alone: `self.training`, `args.is_test`."""
    name = next(_list_names_in_chain(node), "")
    found = set(_list_singular_words(name)) - _OF_FLAGS
    return bool(found) and found <= words


def is_after_training(function: str) -> bool:
    """Return whether the name of a function, or of its class, says that it processes what a trained model returns."""
    owner, _, name = function.rpartition(".")
    return _ends_after_training(owner.rpartition(".")[2]) or _ends_after_training(name)


def _ends_after_training(name: str) -> bool:
    words = _list_singular_words(name)
    return not _AFTER_TRAINING.isdisjoint((*words, "".join(words[-2:])))


@lru_cache(maxsize=4096)
def _find_kind(given: str, with_boxes: bool) -> str:
    """Return the kind of things without gradient that `given` is named after, "" for none."""
    node = _parse_name(given)
    return _classify_expression(node, with_boxes) if node is not None else ""


_ARTICLE = "a "
"""First part of the name of what a library's model gives (`a batch`)."""


def _parse_name(name: str) -> ast.expr | None:
    while name.startswith(ELEMENT):
        name = name.removeprefix(ELEMENT)
    try:
        return ast.parse(name.removeprefix(_ARTICLE).lstrip("*"), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _classify_expression(node: ast.expr, with_boxes: bool) -> str:
    """Return the kind of things without gradient that an expression is named after, "" for none."""
    if isinstance(node, ast.Call):
        return _classify_call(node, with_boxes)
    if isinstance(node, ast.Attribute) and node.attr == "grad":
        return "gradients"
    names = list(_list_names_in_chain(node))
    words = [word for name in names for word in _list_singular_words(name)]
    if not _ROTARY.isdisjoint(words):
        return "rotary embeddings"
    if not _COMPUTED.isdisjoint(words):
        return ""
    if len(names) > 1 and not _SETTINGS.isdisjoint(names):
        return "settings"
    return _classify_words(words, with_boxes) or _classify_innermost_call(node, with_boxes)


def _classify_innermost_call(node: ast.expr, with_boxes: bool) -> str:
    """Return the kind of a call that an expression takes a part of: `batch()["x"]`."""
    below = _find_innermost_node(node)
    return _classify_call(below, with_boxes) if isinstance(below, ast.Call) else ""


def _classify_call(node: ast.Call, with_boxes: bool) -> str:
    called = node.func
    if isinstance(called, ast.Attribute):
        if called.attr in _SAME:
            return _classify_expression(called.value, with_boxes)
        if called.attr in _OF_ARRAYS:
            return "arrays"
    names = list(_list_names_in_chain(called))
    if not names:
        return ""
    if any(map(_iterates_over_base, (node, *node.args))):
        return "data"
    if names[0] in _ITERATING and isinstance(called, ast.Attribute):
        return _classify_expression(node.args[0] if node.args else called.value, with_boxes)
    if len(names) > 1 and names[-1] in _OUTSIDE:
        return f"what `{names[-1]}` computes"
    if len(names) > 1 or names[0] not in _PASSING:
        return _classify_function(names, with_boxes)
    return _classify_expression(node.args[0], with_boxes) if node.args else ""


def _iterates_over_base(node: ast.expr) -> bool:
    """Return whether an expression calls `__iter__` of the own base class: `super().__iter__()`, `Base.__iter__(self)`.
    What wraps the result gives what it gives."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _ITERATING):
        return False
    owner, given = node.func.value, node.args
    of_super = isinstance(owner, ast.Call) and isinstance(owner.func, ast.Name) and owner.func.id == "super"
    return of_super or (len(given) == 1 and isinstance(given[0], ast.Name) and given[0].id == "self")


def _classify_function(names: list[str], with_boxes: bool) -> str:
    """Return the kind of things without gradient that a function returns by its name, "" for none."""
    words = _list_singular_words(names[0])
    verb = words[0] if words else ""
    owners = {word for name in names[1:] for word in _list_singular_words(name)}
    if names[0] in _PREPARING or verb in _ANYWHERE or (verb in _FETCHING and not _STORES.isdisjoint(owners)):
        return "data"
    return _classify_words(words[1:], with_boxes) if verb in _MAKING else ""


def _classify_words(words: list[str], with_boxes: bool) -> str:
    if not _COMPUTED.isdisjoint(words):
        return ""
    kinds = (_KIND_OF.get(word) or ("" if with_boxes else _KIND_OF_BOX.get(word, "")) for word in words)
    return next(filter(None, kinds), "")


def _list_names_in_chain(node: ast.expr) -> Iterator[str]:
    """Yield the names in a chain of attributes and subscripts, the last one first, without `self`."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        if isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
            yield node.slice.value
        node = node.value
    if isinstance(node, ast.Name) and node.id not in ("self", "cls"):
        yield node.id


def _find_innermost_node(node: ast.expr) -> ast.expr:
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node


@lru_cache(maxsize=4096)
def _list_singular_words(name: str) -> list[str]:
    """Return the words of a name, in lower case and in the singular, without numbers."""
    return [_to_singular(word) for word in split_words(name) if not word.isdigit()]


def _to_singular(word: str) -> str:
    is_plural = len(word) > 2 and word.endswith("s") and not word.endswith(("ss", "as", "us", "is", "nms"))
    return word[:-1] if is_plural else word
