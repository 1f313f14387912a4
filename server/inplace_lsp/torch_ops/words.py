"""What the table knows about a name, in words: for `inplace-lsp ops` and for hovers."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches

from inplace_lsp.torch_ops import table
from inplace_lsp.torch_ops.model import ModuleOp, Overload
from inplace_lsp.torch_ops.sentences import sentences

_SPACES = (
    *("", "torch.nn.functional.", "torch.", "torch.Tensor.", "torch.nn.", "torch.linalg.", "torch.special."),
    *("torch.fft.", "torch.nn.init.", "torch.nn.utils.rnn."),
)
_SHORT = {"F.": "torch.nn.functional.", "nn.": "torch.nn.", "Tensor.": "torch.Tensor.", "init.": "torch.nn.init."}


@dataclass(frozen=True, slots=True)
class Way:
    """One way to call it: how it is written, and what it then does. `overload` are the facts behind the sentences."""

    call: str
    sentences: tuple[str, ...]
    overload: Overload


@dataclass(frozen=True, slots=True)
class Description:
    """A callable or a module class of torch. `notes` tell what a module registers and what its `forward` calls."""

    name: str
    ways: tuple[Way, ...]
    notes: tuple[str, ...] = ()

    @property
    def summary(self) -> str:
        """The first sentence: what it saves."""
        return next((way.sentences[0] for way in self.ways), "")


def describe(name: str) -> Description | None:
    """What is known about `exp`, `F.relu`, `torch.Tensor.add_`, `nn.Linear`, ...; None if the name is unknown."""
    full = resolve(name)
    if full is None:
        return None
    overloads = table.find(full)
    if overloads:
        return Description(full, _ways(full.rpartition(".")[2], overloads))
    module = table.find_module(full)
    return _describe_module(module) if module else None


def resolve(name: str) -> str | None:
    """The full name that a short one means, functions before methods before classes; None if there is none."""
    for short, space in _SHORT.items():
        if name.startswith(short):
            name = space + name.removeprefix(short)
    known = {*table.op_names(), *table.module_names()}
    return next((space + name for space in _SPACES if space + name in known), None)


def suggestions(name: str) -> list[str]:
    """Names that may have been meant."""
    last = name.rpartition(".")[2]
    known = {full.rpartition(".")[2]: full for full in (*table.op_names(), *table.module_names())}
    return [known[close] for close in get_close_matches(last, known, n=3, cutoff=0.7)]


def _ways(name: str, overloads: tuple[Overload, ...]) -> tuple[Way, ...]:
    """The overloads that differ in what a reader is told; `out=` forms last."""
    ways: dict[tuple[str, ...], Way] = {}
    for overload in sorted(overloads, key=lambda each: "out" in each.writes):
        told = tuple(sentences(name, overload))
        ways.setdefault(told, Way(_call(name, overload), told, overload))
    return tuple(ways.values())


def _call(name: str, overload: Overload) -> str:
    """`clamp(input, min, max, *, out)`, or with the constants that single the overload out."""
    constants = {key: f"{key}={value!r}" for key, value in overload.given}
    words = []
    for param in overload.params:
        if param.keyword_only and "*" not in words:
            words.append("*")
        if param.name in constants or param.default is None or param.type.startswith("Tensor"):
            number = ": number" if param.type == "Scalar" else ""
            words.append(constants.get(param.name, f"{'*' if param.variadic else ''}{param.name}{number}"))
    return f"{name}({', '.join(words).removesuffix(', *')})"


def _describe_module(module: ModuleOp) -> Description:
    notes = []
    for kind, names in (("parameters", module.parameters), ("buffers", module.buffers)):
        if names:
            listed = ", ".join(f"{name} (if {flag})" if flag else name for name, flag in names)
            notes.append(f"It registers the {kind} {listed}.")
    short = module.name.rpartition(".")[2]
    if not module.call:
        return Description(module.name, _ways(short, module.forward_op), tuple(notes))
    inside = ", ".join(f"{parameter}={_source(source)}" for parameter, source in module.arguments)
    notes.append(f"Its forward is {module.call}({inside}).")
    return Description(module.name, _ways(module.call.rpartition(".")[2], table.find(module.call)), tuple(notes))


def _source(source: str) -> str:
    return "self.training" if source == "training" else source
