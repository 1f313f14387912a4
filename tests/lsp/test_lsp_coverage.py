"""Functions that were analysed only in part: marked where that is wanted, and told to clients that ask."""

from __future__ import annotations

import pytest
from lsprotocol import types

from lsp.editor import capabilities

URI = "file:///tmp/long.py"
LONG = f"    x = x{' + 1' * 40}\n" * 400
"""More than the recorder's budget lets it execute."""
PROGRAM = f"import torch\n\n\ndef f(x):\n{LONG}    x.add_(1)\n    return x\n\n\ndef g(x):\n    return x + 1\n"
LAST = PROGRAM[: PROGRAM.index("x.add_")].count("\n")


async def coverage(editor, uri):
    params = {"textDocument": {"uri": uri}}
    return await editor.client.protocol.send_request_async("inplace/coverage", params)


async def test_a_mark_is_shown_only_where_it_is_wanted(start):
    editor = await start()
    editor.open(URI, PROGRAM)
    assert list(await editor.diagnostics(URI)) == []


@pytest.mark.parametrize("client", ["visual-studio-code", "vscode-languageclient-11.0.0"])
async def test_a_function_analysed_in_part_is_marked(start, client):
    editor = await start(capabilities(client), initialization_options={"partlyAnalysed": True})
    editor.open(URI, PROGRAM)
    (mark,) = await editor.diagnostics(URI)
    assert editor.part(URI, mark.range) == "f"
    assert mark.severity is types.DiagnosticSeverity.Hint
    assert list(mark.tags) == [types.DiagnosticTag.Unnecessary]
    assert mark.message == f"Only partly analysed: too long to follow every path; never reached: line {LAST + 1}"
    assert [place.location.range.start.line for place in mark.related_information] == [LAST]
    assert not [
        action for action in await editor.actions(URI, PROGRAM.index("f(x)"), PROGRAM.index("f(x)")) if action.edit
    ]


async def test_a_client_can_ask(start):
    editor = await start()
    editor.open(URI, PROGRAM)
    answer = await coverage(editor, URI)
    assert answer.functions == 2
    (partly,) = answer.partly
    assert (partly.function, partly.reason) == ("f", "too long to follow every path")
    assert [(place.uri, place.line) for place in partly.unreached] == [(URI, LAST)]
    assert await coverage(editor, "file:///tmp/not_open.py") is None
