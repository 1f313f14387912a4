"""The forms of torch's messages, in the words of all its releases.

They are matched against a text without blanks, so the blanks in the patterns here are for reading only.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from inplace_lsp.hazards import ip101, ip303
from inplace_lsp.hazards.hazard import ErrorKind
from inplace_lsp.hazards.registry import HAZARDS
from inplace_lsp.why.message import CODES


@dataclass(frozen=True, slots=True)
class Form:
    """One way in which torch says that something of `kind` went wrong."""

    kind: ErrorKind
    pattern: re.Pattern[str]
    codes: tuple[str, ...]
    is_of_vmap: bool = False


def _build_form(kind: ErrorKind, *words: str, codes: tuple[str, ...] = ()) -> Form:
    return Form(kind, _compile_words(*words), codes or CODES[kind])


def _build_form_of_vmap(*words: str) -> Form:
    """Return the form of a refusal by `torch.vmap`, which is none of autograd's: no code stands for it."""
    return Form("other", _compile_words(*words), (), is_of_vmap=True)


def _compile_words(*words: str) -> re.Pattern[str]:
    return re.compile("".join(words).replace(" ", ""))


# Open repetitions are bounded: a log may be long, and full of near matches.
_NODE = r"(?P<op>[A-Za-z_][\w:.]{0,120}?)(?=,|is at|is a view|$)"
_SHAPE = r"\[(?P<shape>[\d,]{0,120})(?P<closed>\])?\]?"
_TYPE = rf"(?:\[(?P<type>[A-Za-z][\w.:]{{0,60}}))?(?:{_SHAPE})?"  # people who copy a message by hand leave the type out
_VERSIONS = r"(?:is at )?version(?P<found>\d+)(?:;?expected(?: version)?(?P<expected>\d+))?"
_DETAILS = rf"(?::?{_TYPE}(?:,?(?:which is)?output(?P<output>\d+)of{_NODE})?(?:,?{_VERSIONS})?)?"

_NTH = rf"Output(?P<output>\d+)of{_NODE}"
_WRITTEN = "(?:and )?(?:is being modified in-?place|its base or another view of its base has been modified in-?place)"
_MODE = "created in (?:no_grad|inference) mode"
_OF_CUSTOM = r"\.?This view (?:was created inside|is the output of) a custom Function"
_USED = "(?:is being|has been) used in an in-?place operation"

FORMS = (
    _build_form(
        "saved", "variables needed for gradient computation has been modified by an in-?place operation", _DETAILS
    ),
    _build_form("saved", "use a saved tensor that has been detached in-?place", codes=(ip101.CODE,)),
    _build_form("view-of-leaf", "a view of a leaf Variable that requires grad ", _USED),
    _build_form("leaf", "a leaf Variable that requires grad ", _USED),
    _build_form("view-of-leaf", "leaf variable has been moved into the graph interior"),
    _build_form("other", _NTH, " is a view ", _WRITTEN, _OF_CUSTOM, codes=(ip303.CODE,)),
    _build_form("no-grad-view", _NTH, rf" is a view (?:of a view )?which was {_MODE}", _WRITTEN),
    _build_form("no-grad-view", _NTH, " is a view ", _WRITTEN, rf"\.?This view was {_MODE}"),
    _build_form("no-grad-view", f"A view was {_MODE}", _WRITTEN),
    _build_form("multi-view", _NTH, " is a view ", _WRITTEN),
    _build_form("multi-view", f"is a view {_WRITTEN}"),
    _build_form("inference", "In-?place update to inference tensor outside InferenceMode"),
    _build_form("inference", "Inference tensors cannot be saved for backward"),
    _build_form("freed", "backward through the graph a second time"),
    _build_form("overlap", "more than one element of the written-to tensor refers to a single memory location"),
    _build_form("overlap", "the input tensor and the written-to tensor"),
    *(_build_form("other", hazard.error_pattern, codes=(hazard.code,)) for hazard in HAZARDS if hazard.error_pattern),
    _build_form_of_vmap(r"vmap:[\w:]{1,80}\(self,\*extra_args\)is not possible"),
    _build_form_of_vmap("the running_mean or running_var, which will be updated in place, were not batched"),
    _build_form("saved", "modified by an in-?place operation", _DETAILS),
)
"""The most specific forms first: where two match at one place, the first counts."""
