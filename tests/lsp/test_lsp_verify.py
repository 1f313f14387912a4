"""`inplace-lsp.verify`: a function of the editor's text is run, and what came of it is shown where it belongs."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest
from lsprotocol import types

from lsp.test_lsp_notebooks import CELLS, declared, open_book
from lsp.verifying import HAZARD, TRUSTED, said, trace, verify

pytestmark = pytest.mark.xdist_group("lsp-verify")
ERROR, WARNING = types.DiagnosticSeverity.Error, types.DiagnosticSeverity.Warning
# The analysis cannot decode: the name of the method is known only when the program runs.
MISSED = """\
import codecs

import torch


def hidden(x):
    y = x.exp()
    name = codecs.decode("nqq_", "rot13")
    getattr(y, name)(1)
    return y.sum()


hidden(torch.rand(3, requires_grad=True)).backward()
"""


@pytest.fixture
def uri(tmp_path: Path) -> str:
    return (tmp_path / "program.py").as_uri()


async def test_nothing_runs_before_the_workspace_is_trusted(start, uri, tmp_path):
    proof = tmp_path / "ran"
    editor = await start(initialization_options={"interpreter": sys.executable, "trusted": "yes"})
    editor.open(uri, f"import torch\n\n\ndef f():\n    open({str(proof)!r}, 'w')\n\n\nf()\n")
    assert await verify(editor, uri, 5) is None
    assert "trust" in said(editor)
    editor.client.protocol.notify("inplace/didChangeTrust", {"trusted": True})
    answer = await verify(editor, uri, 5)
    assert (answer.function, answer.verdict) == ("f", "inconclusive")
    assert "write outside" in answer.reason or "allow" in answer.reason
    editor.client.protocol.notify("inplace/didChangeTrust", {"trusted": False})
    assert await verify(editor, uri, 5) is None
    assert not proof.exists()


async def test_a_workspace_cannot_grant_itself_trust(start, uri):
    editor = await start(initialization_options={"interpreter": sys.executable})
    editor.client.workspace_did_change_configuration(
        types.DidChangeConfigurationParams({"inplace-lsp": {"trusted": True}})
    )
    editor.open(uri, HAZARD)
    assert await verify(editor, uri, 5) is None


async def test_a_run_has_an_entry_in_the_log_steps_and_a_lens_that_tells_of_it(start, uri):
    editor = await start(initialization_options={**TRUSTED, "tellsVerdicts": True})
    editor.open(uri, HAZARD)
    await editor.diagnostics(uri)
    answer = await verify(editor, uri, 5)
    assert (answer.shown, answer.message.startswith("`loss_of`: confirmed. On line 6")) == (False, True)
    assert editor.client.messages == []  # the client shows one of its own
    [entry] = [
        message.message for message in editor.client.log_messages if message.message.startswith("verified `loss_of`")
    ]
    assert f"torch {answer.torch} on cpu, inputs: taken from a real call" in entry
    steps = [report.value["message"] for report in editor.progress if "message" in report.value]
    assert [step for step in ("importing torch", "running it, and again with a recorder") if step not in steps] == []
    document = types.TextDocumentIdentifier(uri)
    lenses = await editor.client.text_document_code_lens_async(types.CodeLensParams(document))
    assert [lens.command.title for lens in lenses or ()] == ["Verify `loss_of` with torch (last run: confirmed)"]


async def test_a_confirmed_finding_says_so_until_its_function_changes(share, uri, tmp_path):
    (tmp_path / "program.py").write_text("raise SystemExit('the text on the disk was run')\n")
    editor = await share(initialization_options=TRUSTED)
    editor.open(uri, HAZARD)
    (before,) = await editor.diagnostics(uri)
    answer = await verify(editor, uri, 4)
    assert (answer.verdict, answer.function, answer.uri, answer.stale) == ("confirmed", "loss_of", uri, False)
    assert answer.violations[0].written.location.row == 6
    assert "confirmed" in said(editor)

    (found,) = await editor.diagnostics(uri)
    assert (found.severity, found.message) == (ERROR, f"Confirmed by running: {before.message}")
    hover = await editor.hover(uri, HAZARD.index("add_"))
    assert "has been modified by an inplace operation" in hover
    assert "**line 6** `y.add_(1)`: add_ writes y" in hover

    editor.replace(uri, 0, 0, "# one\n# two\n")
    (found,) = await editor.diagnostics(uri)
    assert ("Confirmed by running: " in found.message, found.range.start.line) == (True, 7)
    assert "**line 8** `y.add_(1)`: add_ writes y" in await editor.hover(uri, editor.texts[uri].index("add_"))

    at = editor.texts[uri].index("y.sum()")
    editor.replace(uri, at, at, "2 * ")
    (found,) = await editor.diagnostics(uri)
    assert "by running" not in found.message
    assert "by running" not in await editor.hover(uri, editor.texts[uri].index("add_"))
    editor.replace(uri, at, at + 4, "")
    (found,) = await editor.diagnostics(uri)
    assert "Confirmed by running: " in found.message


async def test_what_is_not_reproduced_stays_with_its_reason(share, uri):
    text = HAZARD.replace("def loss_of(x):", "# inplace: verify(x=rand(3))\ndef loss_of(x):")
    editor = await share(initialization_options=TRUSTED)
    editor.open(uri, text)
    assert [diagnostic.severity for diagnostic in await editor.diagnostics(uri)] == [ERROR]
    answer = await verify(editor, uri, 5)
    assert (answer.verdict, answer.inputs.source) == ("not-reproduced", "directive")
    (found,) = await editor.diagnostics(uri)
    assert found.severity == WARNING
    assert found.message.startswith("Not reproduced by running: ")
    assert "its result needs no gradient" in found.message
    assert "Not reproduced by running" in await editor.hover(uri, text.index("add_"))
    editor.replace(uri, 0, 0, "import math\n")
    assert [diagnostic.severity for diagnostic in await editor.diagnostics(uri)] == [WARNING]
    editor.replace(uri, *[editor.texts[uri].index("    y.add_")] * 2, "    pass\n")
    assert [diagnostic.severity for diagnostic in await editor.diagnostics(uri)] == [ERROR]


async def test_what_the_analysis_missed_is_shown_too(share, uri):
    editor = await share(initialization_options=TRUSTED)
    editor.open(uri, MISSED)
    assert list(await editor.diagnostics(uri)) == []
    assert (await verify(editor, uri, 9)).verdict == "confirmed"
    (found,) = await editor.diagnostics(uri)
    assert (found.source, found.code, found.severity) == ("inplace-lsp (verify)", "IP101", ERROR)
    assert editor.part(uri, found.range) == "getattr(y, name)(1)"
    assert "modified by an inplace operation" in await editor.hover(uri, MISSED.index("getattr"))
    (action,) = await editor.actions(uri, 0, 0, only=["source.inplace.verify"])
    assert (action.title, action.command.arguments) == ("Verify by running", (uri, 1))
    editor.replace(uri, *[MISSED.index("    name = ")] * 2, "    y = y * 1\n")
    assert list(await editor.diagnostics(uri)) == []


async def test_the_cells_of_a_notebook_are_run_as_one_program(start):
    editor = await start(declared(), initialization_options=TRUSTED)
    open_book(editor)
    assert len((await editor.news(CELLS[2], 1)).diagnostics) == 1
    answer = await verify(editor, CELLS[2], 2)
    assert (answer.verdict, answer.function, answer.uri) == ("confirmed", "<module>", CELLS[2])
    await editor.until(lambda: "Confirmed by running: " in editor.last(CELLS[2]).diagnostics[0].message)
    drawn = await trace(editor, CELLS[2], 0, source="observed", format="text")
    places = {(row.uri, row.line) for row in drawn.rows}
    assert {(CELLS[2], 0), (CELLS[2], 1), (CELLS[3], 0)} <= places


async def test_missing_inputs_are_offered_as_a_comment_to_fill_in(start, uri):
    text = "import torch\n\n\nclass Net:\n    def f(self, source):\n        return source.draw().exp().add_(1)\n"
    editor = await start(initialization_options={**TRUSTED, "verifyTimeout": 1})  # or inputs are sought for longer
    title = "Insert a `# inplace: verify(...)` comment to fill in"
    editor.open(uri, text)
    answer = await verify(editor, uri, 5)
    assert answer.verdict == "inconclusive"
    assert answer.inputs.missing.directive.startswith("# inplace: verify(")
    assert editor.texts[uri] == text  # the question was not answered
    offered = {action.title: action for action in await editor.actions(uri, text.index("draw"), text.index("draw"))}
    edit = offered[title].edit.document_changes[0].edits[0]
    assert (edit.new_text, edit.range.start) == (f"{answer.inputs.missing.directive}\n    ", types.Position(4, 4))
    editor.answer = title
    answer = await verify(editor, uri, 5)
    await editor.until(lambda: editor.texts[uri] != text)
    changed = text.replace("    def f", f"    {answer.inputs.missing.directive}\n    def f")
    assert editor.texts[uri] == changed
    assert editor.questions[0].message.startswith("inplace-lsp: `Net.f`: inconclusive. ")


async def test_a_trace_is_drawn_of_the_prediction_and_of_the_run(share, uri):
    editor = await share(initialization_options=TRUSTED)
    editor.open(uri, HAZARD)
    at = HAZARD.index("add_")
    assert await trace(editor, uri, at, source="observed", format="text") is None
    predicted = await trace(editor, uri, at, source="best", format="html", nonce="abc123")
    assert (predicted.source, 'nonce="abc123"' in predicted.content) == ("predicted", True)
    await verify(editor, uri, 6)
    observed = await trace(editor, uri, at, source="best", format="text")
    assert (observed.source, observed.title) == ("observed", "loss_of: confirmed")
    assert "├─▶ 6     y.add_(1)" in observed.content
    assert (await trace(editor, uri, at, source="predicted", format="text")).source == "predicted"
    form = await trace(editor, uri, at, source="observed", format="json")
    assert '"origin": "observed"' in form.content
    assert {(row.line, row.uri) for row in form.rows} >= {(4, uri), (5, uri)}
    with pytest.raises(Exception, match="must be one of html, text, json"):
        await trace(editor, uri, at, format="png")


async def test_an_interpreter_without_torch_is_told(start, uri, tmp_path):
    bare = tmp_path / "bare"
    bare.write_text(f'#!/bin/sh\nunset PYTHONPATH\nexec {sys.executable} -S "$@"\n')
    bare.chmod(0o755)
    editor = await start(initialization_options={**TRUSTED, "interpreter": str(bare)})
    editor.open(uri, HAZARD)
    assert await verify(editor, uri, 5) is None
    assert "torch" in said(editor)
    editor.client.protocol.notify("inplace/didChangeInterpreter", {"interpreter": str(tmp_path / "none")})
    assert await verify(editor, uri, 5) is None
    assert f"cannot start {tmp_path / 'none'}" in said(editor)
    editor.client.protocol.notify("inplace/didChangeInterpreter", {"interpreter": sys.executable})
    assert (await verify(editor, uri, 5)).verdict == "confirmed"


async def test_a_result_about_an_older_text_is_not_shown_as_about_the_new_one(share, uri):
    text = HAZARD.replace("    y = x.exp()", "    import time\n    time.sleep(2)\n    y = x.exp()")
    editor = await share(initialization_options=TRUSTED)
    editor.open(uri, text)
    (before,) = await editor.diagnostics(uri)
    running = asyncio.ensure_future(verify(editor, uri, 6))
    await editor.until(lambda: bool(editor.progress))
    editor.replace(uri, *[text.index("    y.add_")] * 2, "    pass\n")
    answer = await running
    assert (answer.verdict, answer.stale) == ("confirmed", True)
    assert "The code has changed since" in said(editor)
    assert [diagnostic.message for diagnostic in await editor.diagnostics(uri)] == [before.message]


async def test_a_text_that_was_never_saved_is_run_and_one_that_does_not_parse_is_not(share):
    editor = await share(initialization_options=TRUSTED)
    uri = "untitled:Untitled-1"
    editor.open(uri, HAZARD)
    assert (await verify(editor, uri, 5)).verdict == "confirmed"
    (found,) = await editor.diagnostics(uri)
    assert "Confirmed by running: " in found.message
    assert await verify(editor, uri, 500) is None
    assert "there is no line 500" in said(editor)
    editor.replace(uri, 0, 0, "def broken(:\n")
    assert await verify(editor, uri, 5) is None
    assert "does not parse" in said(editor)
