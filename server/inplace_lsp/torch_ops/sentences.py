"""Describe the facts of one overload in plain sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from inplace_lsp.torch_ops.model import Alias, Overload, SavedRole

_ORDINALS = ("", "second ", "third ", "fourth ", "fifth ")


def describe_overload(name: str, overload: Overload) -> Iterator[str]:
    """Yield what the callable `name` saves, writes and views, and why; the sentence about saves comes first."""
    yield _describe_saves(name, overload)
    if overload.derivative:
        yield f"Why: {overload.derivative}."
    if overload.writes:
        yield _describe_writes(overload)
    yield from (_describe_alias(alias, overload) for alias in overload.aliases)
    if overload.differentiable and overload.no_grad_outputs:
        lost = ", ".join(f"the {output_name(index, overload)}" for index in sorted(overload.no_grad_outputs))
        yield f"No gradient flows through {lost}."


def _describe_saves(name: str, overload: Overload) -> str:
    if "out" in overload.writes:
        return "With `out` it takes no part in autograd: torch refuses arguments that require grad."
    if not overload.differentiable:
        return f"{name} is not differentiable: it saves nothing."
    if not overload.saves:
        own = " (only something of its own, such as a mask or a copy)" if overload.saves_something else ""
        return f"{name} saves none of its inputs and outputs{own}: writing to them afterwards does not break backward."
    always_first = sorted(overload.saves, key=lambda save: save.when != overload.differentiable)
    conditional = any(save.when != overload.differentiable for save in overload.saves)
    kept = _join_words((_describe_save(save, overload) for save in always_first), ", and" if conditional else "and")
    breaks = _join_words((_written_target(save.role, overload) for save in overload.saves), "or")
    free = _join_words((_written_target(role, overload) for role in _free_tensors(overload)), "or")
    harmless = f"; writing to {free} does not" if free else ""
    return f"{name} saves {kept}: writing to {breaks} breaks backward{harmless}."


def _describe_save(save: SavedRole, overload: Overload) -> str:
    """Return `its input`, or `other` when `self` requires grad."""
    if save.when == overload.differentiable:
        return _part_of_op(save.role, overload)
    needed = _join_words((f"`{name}`" for name in sorted(save.when)), "or")
    return f"{_part_of_op(save.role, overload)} when {needed} requires grad"


def _part_of_op(role: str, overload: Overload) -> str:
    if role.startswith("result"):
        return f"its {output_name(_result_index(role), overload)}"
    return "its input" if _input_names(overload) == [role] else f"`{role}`"


def _written_target(role: str, overload: Overload) -> str:
    if role.startswith("result"):
        return f"the {output_name(_result_index(role), overload).replace('output', 'result')}"
    return "the input" if _input_names(overload) == [role] else f"`{role}`"


def output_name(index: int, overload: Overload) -> str:
    """Return `output` or `second output`, the reader's name of the output of that index."""
    if overload.returns == 1:
        return "output"
    if overload.returns < 0:
        return "outputs"
    return f"{_ORDINALS[index] if 0 < index < len(_ORDINALS) else 'first '}output"


def _free_tensors(overload: Overload) -> Iterator[str]:
    """Return the tensors that may be written afterwards, without a result that is the input itself."""
    kept = {save.role for save in overload.saves}
    shared = {alias.of for alias in overload.aliases}
    for name in _input_names(overload):
        if name not in kept and name not in shared:
            yield name
    if "result" not in kept and not shared and overload.returns in (1, -1):
        yield "result"


def _input_names(overload: Overload) -> list[str]:
    return [p.name for p in overload.params if p.type.startswith("Tensor") and p.name != "out"]


def _describe_writes(overload: Overload) -> str:
    written = _join_words(f"`{name}`" for name in overload.writes)
    if not overload.bumps:
        return f"It writes {written} in place without raising the version counter: autograd does not notice."
    if overload.writes_no_grad:
        return f"It writes {written} in place, under no_grad: a leaf may be written so."
    return f"It writes {written} in place and raises the version counter."


def _describe_alias(alias: Alias, overload: Overload) -> str:
    what = "The outputs are" if overload.returns < 0 else f"The {output_name(alias.output, overload)} is"
    kinds = {
        "view": f"{what} {'views' if overload.returns < 0 else 'a view'} of `{alias.of}`.",
        "multi": f"{what} views of `{alias.of}` made at once: torch refuses in-place writes to them.",
        "apart": f"{what} parts of `{alias.of}`, each with a version counter of its own: no write to one is noticed.",
        "maybe": f"{what} a view of `{alias.of}` where the layout allows it, else a copy.",
        "same": f"{what} `{alias.of}` itself.",
        "maybe_same": f"{what} `{alias.of}` itself if nothing has to change, else a copy.",
    }
    return kinds[alias.kind]


def _join_words(words: Iterable[str], conjunction: str = "and") -> str:
    found = list(dict.fromkeys(words))
    if len(found) < 2:
        return "".join(found)
    return f"{', '.join(found[:-1])} {conjunction} {found[-1]}".replace(" , ", ", ")


def _result_index(role: str) -> int:
    return int(role.removeprefix("result") or 0)
