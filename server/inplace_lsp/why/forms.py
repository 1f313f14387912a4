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


def _build_form(kind: ErrorKind, *words: str, codes: tuple[str, ...] = ()) -> Form:
    return Form(kind, re.compile("".join(words).replace(" ", "")), codes or CODES[kind])


# What has no end of its own is bounded: a log may be long, and full of what nearly matches.
_NODE = r"(?P<op>[A-Za-z_][\w:.]{0,120}?)(?=,|is at|is a view|$)"
_TYPE = r"\[(?P<type>[A-Za-z][\w.:]{0,60})(?:\[(?P<shape>[\d,]{0,120})(?P<closed>\])?\]?)?"
_VERSIONS = r"is at version(?P<found>\d+)(?:;expected version(?P<expected>\d+))?"
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
    _build_form("saved", "modified by an in-?place operation", _DETAILS),
)
"""The most telling ones first: where two match at one place the first counts."""
