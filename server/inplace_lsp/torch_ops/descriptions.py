"""Describe a name of torch in words: for `inplace-lsp ops` and for hovers."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches

from inplace_lsp.torch_ops import table
from inplace_lsp.torch_ops.model import ModuleOp, Overload
from inplace_lsp.torch_ops.sentences import describe_overload

_SPACES = (
    *("", "torch.nn.functional.", "torch.", "torch.Tensor.", "torch.nn.", "torch.linalg.", "torch.special."),
    *("torch.fft.", "torch.nn.init.", "torch.nn.utils.rnn."),
)
_SHORT = {"F.": "torch.nn.functional.", "nn.": "torch.nn.", "Tensor.": "torch.Tensor.", "init.": "torch.nn.init."}


@dataclass(frozen=True, slots=True)
class CallForm:
    """One form of a call: its signature and its effects. `overload` are the facts behind the sentences."""

    call: str
    sentences: tuple[str, ...]
    overload: Overload


@dataclass(frozen=True, slots=True)
class Description:
    """A callable or a module class of torch. `notes` say what a module registers and what its `forward` calls."""

    name: str
    ways: tuple[CallForm, ...]
    notes: tuple[str, ...] = ()

    @property
    def summary(self) -> str:
        """The first sentence, about what it saves."""
        return next((way.sentences[0] for way in self.ways), "")


def describe_name(name: str) -> Description | None:
    """Describe `exp`, `F.relu`, `torch.Tensor.add_`, `nn.Linear`, ...; None if the name is unknown."""
    full = resolve_name(name)
    if full is None:
        return None
    overloads = table.find_overloads(full)
    if overloads:
        return Description(full, _call_forms(full.rpartition(".")[2], overloads))
    module = table.find_module(full)
    return _describe_module(module) if module else None


def list_differences(name: str) -> list[str]:
    """Say in a sentence each which recorded releases of torch do otherwise under `name`, and what they do."""
    releases_by_sentence: dict[str, list[str]] = {}
    releases = list_releases_apart(name)
    for release in releases:
        releases_by_sentence.setdefault(_describe_release(name, release), []).append(release)
    return [f"In torch {', '.join(found)}: {sentence}" for sentence, found in releases_by_sentence.items()]


def list_releases_apart(name: str) -> list[str]:
    """Return the recorded releases that do otherwise under `name` than the one that look-ups speak of."""
    facts = {}
    for release in table.recorded_releases():
        with table.use_release(release):
            facts[release] = None if table.is_missing(name) else table.find_overloads(name)
    return [release for release, found in facts.items() if found != facts[table.torch_version()]]


def _describe_release(name: str, release: str) -> str:
    with table.use_release(release):
        if table.is_missing(name):
            return "there is no such name."
        overloads = tuple(overload for overload in table.find_overloads(name) if "out" not in overload.writes)
        forms = _call_forms(name.rpartition(".")[2], overloads)
    return " ".join(dict.fromkeys(sentence for form in forms for sentence in form.sentences))


def resolve_name(name: str) -> str | None:
    """Return the full name of a short one, functions before methods before classes; None if there is none."""
    for short, space in _SHORT.items():
        if name.startswith(short):
            name = space + name.removeprefix(short)
    known = {*table.op_names(), *table.module_names()}
    return next((space + name for space in _SPACES if space + name in known), None)


def suggest_names(name: str) -> list[str]:
    """Return similar names that may have been meant."""
    last = name.rpartition(".")[2]
    known = {full.rpartition(".")[2]: full for full in (*table.op_names(), *table.module_names())}
    return [known[close] for close in get_close_matches(last, known, n=3, cutoff=0.7)]


def _call_forms(name: str, overloads: tuple[Overload, ...]) -> tuple[CallForm, ...]:
    """Return the overloads whose descriptions differ, with `out=` forms last."""
    ways: dict[tuple[str, ...], CallForm] = {}
    for overload in sorted(overloads, key=lambda each: "out" in each.writes):
        sentences = tuple(describe_overload(name, overload))
        ways.setdefault(sentences, CallForm(_call_text(name, overload), sentences, overload))
    return tuple(ways.values())


def _call_text(name: str, overload: Overload) -> str:
    """Return `clamp(input, min, max, *, out)`, or the form with the constants that select the overload."""
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
        return Description(module.name, _call_forms(short, module.forward_op), tuple(notes))
    inside = ", ".join(f"{parameter}={_source_text(source)}" for parameter, source in module.arguments)
    notes.append(f"Its forward is {module.call}({inside}).")
    return Description(
        module.name, _call_forms(module.call.rpartition(".")[2], table.find_overloads(module.call)), tuple(notes)
    )


def _source_text(source: str) -> str:
    return "self.training" if source == "training" else source
