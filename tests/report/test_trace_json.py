from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import support
from inplace_lsp.hazards.registry import HAZARDS
from inplace_lsp.report.trace_json import VERSION, trace_json
from inplace_lsp.tape.codec import KINDS, from_plain
from inplace_lsp.tape.model import Actor, Tape, ViewKind
from report.pictures import TAPE, training, weights

SCHEMA: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "docs" / "trace.schema.json").read_text(encoding="utf-8")
)


def problems(data: object) -> list[str]:
    return [error.message for error in Draft202012Validator(SCHEMA).iter_errors(json.loads(json.dumps(data)))]


def examples() -> Iterator[Any]:
    for hazard in HAZARDS:
        for number, program in enumerate(hazard.examples):
            yield pytest.param(program.text, id=f"{hazard.code}-{number}")


def test_the_schema_is_one():
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["properties"]["version"]["const"] == VERSION
    assert set(KINDS.values()) <= SCHEMA["$defs"].keys()
    assert SCHEMA["$defs"]["tensor"]["properties"]["view"]["enum"] == [kind.value for kind in ViewKind]
    assert SCHEMA["$defs"]["write"]["properties"]["actor"]["enum"] == [actor.value for actor in Actor]


@pytest.mark.parametrize(
    "tape", [TAPE, training(40, bad_step=3), weights(50), Tape("empty")], ids=lambda tape: tape.function
)
def test_tapes_made_by_hand(tape: Tape):
    assert problems(trace_json(tape)) == []


@pytest.mark.parametrize("program", list(examples()))
def test_observed_and_predicted_tapes_of_every_kind(program: str):
    from inplace_lsp.engine import analyse_source

    assert problems(trace_json(support.observe(program))) == []
    for tape in analyse_source(program, "/program.py").tapes:
        assert problems(trace_json(tape, origin="predicted")) == []


def test_the_events_are_those_of_the_tape():
    data = trace_json(TAPE)
    events = [{name: event[name] for name in event if name not in ("index", "words")} for event in data["events"]]
    plain = {"version": 1, "function": data["function"], "events": events, "error": data["error"], "notes": []}
    assert from_plain(plain) == TAPE


def test_violations_point_at_events():
    data = trace_json(TAPE)
    (found,) = data["violations"]
    assert [data["events"][part]["kind"] for part in (found["save"], *found["writes"], found["check"])] == [
        "save",
        "write",
        "check",
    ]


def test_a_schema_that_can_say_no():
    data = trace_json(TAPE)
    assert problems({**data, "version": 2}) != []
    assert problems({**data, "events": [{**data["events"][0], "kind": "unheard of"}]}) != []
