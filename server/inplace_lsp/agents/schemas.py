"""JSON schemas of what the command line answers, as far as an agent reads it."""

from __future__ import annotations

from collections.abc import Mapping

from inplace_lsp.hazards.finding import SEVERITIES

Schema = Mapping[str, object]

TEXT = {"type": "string"}
COUNT = {"type": "integer", "minimum": 0}
_TEXTS = {"type": "array", "items": TEXT}
PROBLEMS = {**_TEXTS, "description": "What could not be done, a sentence each."}


def describe(schema: Schema, words: str) -> Schema:
    """Return a schema with a description."""
    return {**schema, "description": words}


def or_null(schema: Schema) -> Schema:
    """Return the schema of a value that may be missing."""
    return {"anyOf": [schema, {"type": "null"}]}


def record(required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None) -> Schema:
    """Return the schema of an object with these properties."""
    return {"type": "object", "properties": {**required, **(optional or {})}, "required": list(required)}


_POSITION = record({"row": {"type": "integer", "minimum": 1}, "column": {"type": "integer", "minimum": 1}})
_PLACE = {"filename": TEXT, "location": _POSITION, "end_location": _POSITION}
_CELL = {"cell": describe(COUNT, "In a notebook: the number of the cell, in which rows are counted.")}
_RELATED = {"type": "array", "items": record({"role": TEXT, "message": TEXT, **_PLACE}, _CELL)}
_SOURCE = describe(TEXT, "The source lines of all places involved, with what happens there.")
_EDIT = record({"content": TEXT, "location": _POSITION, "end_location": _POSITION}, _CELL)
_FIX = record({"applicability": TEXT, "message": TEXT, "edits": {"type": "array", "items": _EDIT}})

FINDING = record(
    {
        "code": TEXT,
        "name": TEXT,
        "severity": {"enum": list(SEVERITIES)},
        "message": TEXT,
        "assumptions": describe(_TEXTS, "What must hold for it to happen; empty: it certainly happens."),
        **_PLACE,
        "related": _RELATED,
        "after": describe(
            or_null(record({"filename": TEXT, "row": COUNT}, _CELL)),
            "A write that torch refuses before it comes to this.",
        ),
        "fixable": or_null({"enum": ["safe", "unsafe"]}),
        "advice": describe(TEXT, "What to write instead."),
        "url": TEXT,
        "fix": or_null(_FIX),
        "source": _SOURCE,
        "diff": describe(or_null(TEXT), "The repair as a unified diff; `fix.applicability` says whether it is safe."),
    },
    _CELL,
)
CHECKED = record(
    {
        "findings": {"type": "array", "items": FINDING},
        "checked": describe(COUNT, "How many files were checked."),
        "left_out": describe(COUNT, "How many more findings there are than `limit`; the most severe are shown."),
        "problems": PROBLEMS,
    }
)
CANDIDATE = record(
    {
        "rank": COUNT, "code": TEXT, **_PLACE, "message": TEXT, "reasons": _TEXTS, "related": _RELATED,
        "source": _SOURCE,
    },
    _CELL,
)  # fmt: skip
ANSWER = record(
    {
        "error": describe({"type": "object"}, "What torch's message says: kind, op, output, shape, versions."),
        "candidates": {"type": "array", "items": CANDIDATE},
        "unreached": describe(_TEXTS, "What was not understood, and so may hide the cause."),
        "problems": PROBLEMS,
    }
)
VERDICT = record(
    {
        "function": TEXT,
        "verdict": {"enum": ["confirmed", "silent", "not-reproduced", "inconclusive"]},
        "reason": TEXT,
        "inputs": {"type": "object"},
        "error": describe(or_null(TEXT), "Torch's own message."),
        "violations": {"type": "array", "items": {"type": "object"}},
        "trace": describe({"type": "array", "items": {"type": "object"}}, "What autograd saw, event by event."),
        "torch": TEXT,
        "device": TEXT,
        "seed": {"type": "integer"},
        "seconds": {"type": "number"},
        "notes": _TEXTS,
        "problems": PROBLEMS,
    },
    {"install": TEXT},
)
TRACE = describe({"type": "object"}, "As the schema in docs/trace.schema.json describes it.")
RUN = record(
    {
        "status": describe({"type": "integer"}, "The exit status of the script."),
        "output": describe(TEXT, "The end of what it printed."),
        "log": describe(TEXT, "The end of its stderr, with the explanation of an in-place error."),
        "trace": or_null(TRACE),
    }
)
OP = record(
    {
        "name": TEXT,
        "torch": describe(TEXT, "The release of torch that this holds for."),
        "summary": TEXT,
        "releases": _TEXTS,
        "notes": _TEXTS,
        "overloads": {"type": "array", "items": {"type": "object"}},
    }
)
PAGE = record({"page": describe(TEXT, "The page, in Markdown.")})
