"""Large files, large folders, files that come and go: the answers stay right and quick, and the server goes on."""

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path

from lsprotocol import types

from lsp.editor import SECONDS, SERVE, capabilities
from lsp.raw import Raw

URI = "file:///tmp/large.py"
PULLS = "vscode-languageclient-11.0.0"
HAZARD = "import torch\nx = torch.rand(3, requires_grad=True)\ny = x.exp()\ny.add_(1)\ny.sum().backward()\n"
TOLD = "".join(f"    line {number} of what it is good for\n" for number in range(30))
PLAIN = f'''\
def function_{{0}}(values, limit=10):
    """
{TOLD}    """
    total = 0
    for value in values:
        if value > limit:
            total += value
        else:
            total -= 1
    return total

'''
LINES = 50_000
FILES = 5_000
SOON, PATIENCE = 20.0, 300.0
"""Seconds; a twentieth of them is usual, but the machine may be slow and busy."""


async def test_a_file_of_50_000_lines_is_opened_edited_and_asked_about(start):
    functions = "".join(PLAIN.format(number) for number in range(LINES // PLAIN.count("\n")))
    text = f"import torch\n\n{functions}{HAZARD}"
    assert text.count("\n") > LINES - 50
    for client in (PULLS, "visual-studio-code"):
        editor = await start(capabilities(client))
        editor.open(URI, text)
        (found,) = await editor.diagnostics(URI, PATIENCE)
        assert editor.part(URI, found.range) == "y.add_(1)"
        while not await editor.hover(URI, text.index("add_")):  # the last session's findings come before the analysis
            await asyncio.sleep(0.1)
        began = time.monotonic()
        editor.replace(URI, 0, 0, "# a new first line\n")
        (moved,) = await editor.diagnostics(URI)
        assert moved.range.start.line == found.range.start.line + 1
        assert time.monotonic() - began < SOON
        began = time.monotonic()
        assert "saved-tensor-modified" in await editor.hover(URI, editor.texts[URI].index("add_"))
        assert time.monotonic() - began < SOON


async def test_fifty_thousand_statements_are_not_fifty_thousand_times_the_work(start):
    editor = await start(capabilities(PULLS))
    editor.open(URI, HAZARD + "a = 1\n" * LINES)
    assert len(await editor.diagnostics(URI, PATIENCE)) == 1
    began = time.monotonic()
    editor.replace(URI, len(HAZARD), len(HAZARD) + 1, "b")
    assert len(await editor.diagnostics(URI)) == 1
    assert time.monotonic() - began < SOON


async def test_a_file_of_a_large_folder_is_answered_while_the_folder_is_scanned(start, tmp_path):
    for number in range(FILES):
        path = tmp_path / f"package{number // 100}" / f"module{number}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(HAZARD)
    folders = [types.WorkspaceFolder(tmp_path.as_uri(), "large")]
    editor = await start(
        capabilities(PULLS), initialization_options={"diagnosticMode": "workspace"}, workspace_folders=folders
    )
    params = types.WorkspaceDiagnosticParams([], partial_result_token="all")
    whole = asyncio.ensure_future(
        editor.client.protocol.send_request_async(types.WORKSPACE_DIAGNOSTIC, params, "whole")
    )
    await editor.until(lambda: any(report.token == "all" for report in editor.progress))
    uri = (tmp_path / "package0" / "module0.py").as_uri()
    began = time.monotonic()
    editor.open(uri, HAZARD)
    assert [diagnostic.code for diagnostic in await editor.diagnostics(uri)] == ["IP101"]
    assert "saved-tensor-modified" in await editor.hover(uri, HAZARD.index("add_"))
    assert time.monotonic() - began < SOON
    assert not whole.done()
    editor.client.cancel_request(types.CancelParams("whole"))
    await asyncio.wait([whole], timeout=SECONDS)
    assert whole.exception() is not None


async def test_requests_about_a_file_that_is_closed_meanwhile_are_answered(start):
    editor = await start(capabilities(PULLS))
    document = types.TextDocumentIdentifier(URI)
    for _ in range(5):
        editor.open(URI, "import torch\n" + "".join(PLAIN.format(number) for number in range(300)) + HAZARD)
        at = types.Position(0, 0)
        asked = [
            editor.client.text_document_diagnostic_async(types.DocumentDiagnosticParams(document)),
            editor.client.text_document_hover_async(types.HoverParams(document, at)),
            editor.client.text_document_code_lens_async(types.CodeLensParams(document)),
            editor.client.text_document_inlay_hint_async(types.InlayHintParams(document, types.Range(at, at))),
            editor.client.text_document_code_action_async(
                types.CodeActionParams(document, types.Range(at, at), types.CodeActionContext([]))
            ),
        ]
        waiting = [asyncio.ensure_future(request) for request in asked]
        await asyncio.sleep(0)
        editor.close(URI)
        report, *others = await asyncio.wait_for(asyncio.gather(*waiting), SECONDS)
        assert list(report.items) == []
        assert not any(others)


async def test_a_file_that_vanishes_or_may_not_be_written_is_answered_from_the_editors_text(start, tmp_path):
    path = tmp_path / "a folder" / "größe.py"
    path.parent.mkdir()
    path.write_text(HAZARD)
    path.chmod(0o400)
    editor = await start(capabilities(PULLS))
    uri = path.as_uri()
    editor.open(uri, HAZARD)
    assert len(await editor.diagnostics(uri)) == 1
    os.remove(path)
    path.parent.rmdir()
    editor.replace(uri, 0, 0, "# on\n")
    (found,) = await editor.diagnostics(uri)
    offered = await editor.actions(uri, *[editor.texts[uri].index("add_")] * 2)
    editor.apply(offered[0].edit)
    assert list(await editor.diagnostics(uri)) == []
    assert found.range.start.line == 4


BAD = (
    ("workspace/diagnostic", {}),
    ("workspace/diagnostic", {"previousResultIds": [{"uri": 3}]}),
    ("textDocument/diagnostic", {"textDocument": {}}),
    ("textDocument/codeAction", {"textDocument": {"uri": URI}, "range": {}, "context": {}}),
    ("codeAction/resolve", {}),
    ("inplace/explain", {"code": ["IP101"]}),
    ("inplace/explain", []),
)
ODD = (
    ("$/setTrace", {"value": "compact"}),
    ("$/setTrace", {"value": 7}),
    ("$/setTrace", {}),
    ("window/workDoneProgress/cancel", {"token": "none"}),
    ("textDocument/didSave", {"textDocument": {"uri": "untitled:never-opened"}}),
    ("workspace/didChangeWatchedFiles", {"changes": [{"uri": "::", "type": 1}, {"uri": "file:///gone.py", "type": 3}]}),
    ("workspace/didChangeWorkspaceFolders", {"event": {"added": [{"uri": "::", "name": ""}], "removed": []}}),
    ("workspace/didChangeConfiguration", {"settings": 3}),
    ("notebookDocument/didOpen", {"notebookDocument": {"uri": "file:///n.ipynb", "cells": []}, "cellTextDocuments": 1}),
)


async def test_malformed_requests_of_every_kind_get_an_error_and_odd_notifications_are_survived():
    raw = await Raw.start()
    for number, (method, params) in enumerate(BAD, start=100):
        answer = await raw.ask(method, params, number)
        assert answer["error"]["code"] == -32602, (method, params)
        assert "Traceback" not in str(answer["error"])
    for method, params in ODD:
        raw.tell(method, params)
        assert await raw.is_alive(), (method, params)
    raw.tell("exit", None)
    await raw.process.communicate()


async def test_changes_at_places_that_are_not_there_are_made_where_they_come_nearest():
    raw = await Raw.start()
    raw.open(URI, "a = 1\nb = 2\n")
    await raw.published(URI)
    far, back = {"line": 90, "character": 9}, {"line": 0, "character": 999}
    changes = [
        {"range": {"start": far, "end": far}, "text": HAZARD},
        {"range": {"start": back, "end": {"line": 0, "character": 2}}, "text": "  # end"},
    ]
    document = {"uri": URI, "version": 2}
    raw.tell("textDocument/didChange", {"textDocument": document, "contentChanges": changes})
    while (found := await raw.published(URI))["version"] != 2:
        pass
    assert [diagnostic["range"]["start"]["line"] for diagnostic in found["diagnostics"]] == [5]
    raw.tell("exit", None)
    await raw.process.communicate()


async def test_a_client_that_traces_compactly_is_greeted():
    raw = await Raw.start(initialize=False)
    answer = await raw.ask("initialize", {"processId": None, "capabilities": {}, "trace": "compact"})
    assert answer["result"]["serverInfo"]["name"] == "inplace-lsp"
    assert (await raw.stop())[0] == 0


async def test_a_server_in_the_midst_of_a_scan_leaves_at_once_and_takes_its_processes_along(tmp_path):
    for number in range(300):
        (tmp_path / f"m{number}.py").write_text(HAZARD)
    raw = await Raw.start(SERVE, initialize=False)
    params = {
        "processId": None,
        "capabilities": {},
        "initializationOptions": {"diagnosticMode": "workspace"},
        "workspaceFolders": [{"uri": Path(tmp_path).as_uri(), "name": "f"}],
    }
    await raw.ask("initialize", params)
    raw.tell("initialized", {})
    await raw.published((tmp_path / "m0.py").as_uri())
    children = [int(child) for child in _children(raw.process.pid)]
    assert children
    assert await raw.stop() == (0, "")
    for _ in range(600):
        if not any(Path(f"/proc/{child}").exists() for child in children):
            break
        await asyncio.sleep(0.1)
    assert not any(Path(f"/proc/{child}").exists() for child in children)


def _children(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


LEAVE = """
import asyncio, gc
from inplace_lsp.lsp.workspace.children import kill_child, start_child

async def leave(is_busy):
    child = await start_child("inplace_lsp.lsp.workspace")
    children.append(child)
    if is_busy:
        asyncio.get_running_loop().create_task(ask(child))
        await asyncio.sleep(0.1)

async def ask(child):
    try:
        child.stdin.write(b"x")
        await child.stdout.readexactly(1)
    except BaseException:
        kill_child(child)
        raise

children = []
asyncio.run(leave(False))
asyncio.run(leave(True))
codes = [child.returncode for child in children]
children.clear()
gc.collect()
print(codes)
"""


def test_children_idle_or_asked_are_reaped_before_the_event_loop_closes():
    done = subprocess.run([sys.executable, "-c", LEAVE], check=False, capture_output=True, text=True, timeout=300)
    assert (done.stdout, done.stderr) == ("[-9, -9]\n", "")


KILL = """
import asyncio
from inplace_lsp.lsp.workspace.children import kill_child, start_child

async def kill_often():
    for _ in range(10):
        child = await start_child("inplace_lsp.lsp.workspace")
        for _ in range(400):
            kill_child(child)
        await child.wait()

asyncio.run(kill_often())
"""


def test_a_child_killed_while_it_ends_is_reaped_by_the_event_loop_alone():
    done = subprocess.run([sys.executable, "-c", KILL], check=False, capture_output=True, text=True, timeout=300)
    assert (done.stdout, done.stderr) == ("", "")
