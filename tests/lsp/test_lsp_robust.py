"""Malformed, unknown, early, late, contradictory, crashing: an answer or an error each, and the server goes on."""

import asyncio
import signal
import sys

import pytest

from lsp.editor import SECONDS, SERVE
from lsp.raw import Raw

URI = "file:///tmp/a.py"
HAZARD = "import torch\nx = torch.rand(3, requires_grad=True)\ny = x.exp()\ny.add_(1)\ny.sum().backward()\n"
POSITION = {"textDocument": {"uri": URI}, "position": {"line": 3, "character": 2}}
CRASHING = """
import inplace_lsp.lsp.requests.hover as hover
from inplace_lsp.lsp.server import serve
async def crash(session, params): raise ValueError("the reason")
hover.handle = crash
raise SystemExit(serve())
"""


@pytest.fixture
async def raw():
    client = await Raw.start()
    yield client
    if client.process.returncode is None:
        client.process.kill()
        await client.process.communicate()


BAD_REQUESTS = (
    ({"method": "textDocument/hover", "params": {"textDocument": 3}}, -32602),
    ({"method": "textDocument/hover", "params": {**POSITION, "position": None}}, -32602),
    ({"method": "textDocument/hover", "params": []}, -32602),
    ({"method": "textDocument/hover"}, -32602),
    ({"method": "no/such/request", "params": {"a": 1}}, -32601),
    ({"method": "no/such/request"}, -32601),
    ({"method": "workspace/executeCommand", "params": {"command": "nothing"}}, -32602),
    ({"method": "initialize", "params": {"capabilities": {}, "processId": None}}, -32600),
)
NONSENSE = (
    b"",
    b"{",
    b"[]",
    b"42",
    b"null",
    b"\xff\xfe",
    b'{"jsonrpc": "2.0"}',
    b'{"jsonrpc": "1.0", "id": 1, "method": "textDocument/hover"}',
    b'{"jsonrpc": "2.0", "method": "no/such/notification"}',
    b'{"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 77}}',
    b'{"jsonrpc": "2.0", "id": 5, "result": 1}',
    b'{"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {}}',
    b'{"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {"textDocument": {"uri": "file:///no.py",'
    b' "version": 2}, "contentChanges": [{"text": "x"}]}}',
    b'{"jsonrpc": "2.0", "method": "textDocument/didClose", "params": {"textDocument": {"uri": "file:///no.py"}}}',
    b'{"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": {"uri": "::::", "version": 1,'
    b' "languageId": "python", "text": "\\ud800 = \\u0000"}}}',
)


async def test_bad_requests_get_an_error_and_the_server_goes_on(raw):
    for number, (body, code) in enumerate(BAD_REQUESTS, start=100):
        raw.send({"jsonrpc": "2.0", "id": number, **body})
        error = (await raw.answer(number))["error"]
        assert error["code"] == code, body
        assert "Traceback" not in str(error)
        assert await raw.is_alive()


async def test_nonsense_is_survived(raw):
    for body in NONSENSE:
        raw.send(body)
        assert await raw.is_alive(), body


async def test_requests_before_initialize_and_after_shutdown_are_refused():
    raw = await Raw.start(initialize=False)
    assert (await raw.ask("textDocument/hover", POSITION, 3))["error"]["code"] == -32002
    raw.open(URI, HAZARD)
    await raw.ask("initialize", {"processId": None, "capabilities": {}}, 4)
    await raw.ask("shutdown", None, 5)
    assert (await raw.ask("textDocument/hover", POSITION, 6))["error"]["code"] == -32600
    raw.tell("exit", None)
    assert await asyncio.wait_for(raw.process.wait(), SECONDS) == 0


async def test_exit_without_shutdown_and_a_vanished_client_end_the_server():
    raw = await Raw.start()
    raw.tell("exit", None)
    assert await asyncio.wait_for(raw.process.wait(), SECONDS) == 1
    raw = await Raw.start()
    raw.process.stdin.close()
    assert await asyncio.wait_for(raw.process.wait(), SECONDS) == 1


async def test_the_server_ends_when_the_editor_dies_though_the_pipe_stays_open():
    editor = await asyncio.create_subprocess_exec(sys.executable, "-c", "input()", stdin=asyncio.subprocess.PIPE)
    raw = await Raw.start(initialize=False)
    await raw.ask("initialize", {"processId": editor.pid, "capabilities": {}})
    assert await raw.is_alive()
    editor.kill()
    await editor.wait()
    assert await asyncio.wait_for(raw.process.wait(), SECONDS) == 1


async def test_an_interrupt_ends_the_server_though_the_pipe_stays_open():
    raw = await Raw.start()
    raw.open(URI, HAZARD)
    await raw.published(URI)
    raw.process.send_signal(signal.SIGINT)
    assert await asyncio.wait_for(raw.process.wait(), SECONDS) == 130
    assert await raw.process.stderr.read() == b""


async def test_a_crash_in_a_handler_is_one_answer_lost():
    raw = await Raw.start((sys.executable, "-c", CRASHING))
    error = (await raw.ask("textDocument/hover", POSITION, 2))["error"]
    assert error["message"] == "textDocument/hover failed: ValueError: the reason (details in the server's log)"
    assert await raw.is_alive()
    code, log = await raw.stop()
    assert code == 0
    assert "Traceback" in log


FAILING_FOR_ONE = """
import inplace_lsp.outcomes as outcomes
from inplace_lsp.fixes import offer
from inplace_lsp.lsp.documents import diagnostics
from inplace_lsp.lsp.server import serve
def failing(plain, functions):
    def work(first, *others):
        if functions.intersection(getattr(each, "function", "") for each in (first, *others)):
            raise IndexError("oops")
        return plain(first, *others)
    return work
outcomes.judge_outcome = failing(outcomes.judge_outcome, {"unjudged"})
diagnostics.make_diagnostic = failing(diagnostics.make_diagnostic, {"unshown"})
offer.propose_candidates = failing(offer.propose_candidates, {"unrepaired"})
raise SystemExit(serve())
"""
FUNCTION = "def {}(x):\n    y = x.exp()\n    y.add_(1)\n    return y.sum().backward()\n"


async def test_a_crash_in_what_is_done_for_one_function_is_that_function_lost_and_told():
    raw = await Raw.start((sys.executable, "-c", FAILING_FOR_ONE), initialize=False)
    literals = {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}}
    await raw.ask("initialize", {"processId": None, "capabilities": {"textDocument": {"codeAction": literals}}})
    raw.tell("initialized", {})
    raw.open(URI, "import torch\n" + "".join(map(FUNCTION.format, ("unjudged", "unshown", "unrepaired", "good"))))
    found = (await raw.published(URI))["diagnostics"]
    assert [diagnostic["range"]["start"]["line"] for diagnostic in found] == [11, 15]
    shown = {"start": {"line": 9, "character": 0}, "end": {"line": 17, "character": 0}}
    asked = {"textDocument": {"uri": URI}, "range": shown, "context": {"diagnostics": found}}
    raw.send({"jsonrpc": "2.0", "id": 2, "method": "textDocument/codeAction", "params": asked})
    titles = [action["title"] for action in (await raw.answer(2))["result"]]
    assert sum("y = y.add(1)" in title for title in titles) == 1
    code, log = await raw.stop()
    assert code == 0
    assert "not all is known of `unjudged`: internal error: IndexError: oops" in log
    assert "IP101 on line 8 cannot be shown" in log
    assert "no repairs for IP101 on line 12" in log


IMPATIENT = """
import inplace_lsp.lsp.requests.code_lens as code_lens
from inplace_lsp.lsp.server import serve
code_lens.WAIT_SECONDS = 0.0
raise SystemExit(serve())
"""


async def test_who_could_not_wait_for_an_analysis_is_told_to_ask_again_when_it_is_done():
    raw = await Raw.start((sys.executable, "-c", IMPATIENT), initialize=False)
    capabilities = {"workspace": {"codeLens": {"refreshSupport": True}}}
    await raw.ask("initialize", {"processId": None, "capabilities": capabilities})
    raw.tell("initialized", {})
    raw.open(URI, HAZARD * 50)
    raw.send({"jsonrpc": "2.0", "id": 2, "method": "textDocument/codeLens", "params": {"textDocument": {"uri": URI}}})
    assert (await raw.answer(2))["result"] is None
    while (await raw.receive()).get("method") != "workspace/codeLens/refresh":
        pass
    assert (await raw.ask("textDocument/codeLens", {"textDocument": {"uri": URI}}, 3))["result"]
    assert (await raw.stop())[0] == 0


async def test_edits_are_made_in_the_order_they_come_whatever_their_versions_say(raw):
    raw.open(URI, "x = 1\n", version=5)
    await raw.published(URI)
    for version, text in ((9, "x = 2\n"), (2, HAZARD)):
        change = {"textDocument": {"uri": URI, "version": version}, "contentChanges": [{"text": text}]}
        raw.tell("textDocument/didChange", change)
    while (found := await raw.published(URI))["version"] != 2:
        pass
    assert [diagnostic["code"] for diagnostic in found["diagnostics"]] == ["IP101"]


async def test_nothing_is_published_after_a_file_was_closed(raw):
    for _ in range(20):
        raw.open(URI, HAZARD * 20)
        raw.tell("textDocument/didClose", {"textDocument": {"uri": URI}})
    raw.send({"jsonrpc": "2.0", "id": 8, "method": "textDocument/hover", "params": POSITION})
    last = None
    while (message := await raw.receive()).get("id") != 8:
        last = message["params"]
    assert message["result"] is None
    assert last == {"uri": URI, "diagnostics": []}
    assert await raw.is_alive()


URIS = (
    "untitled:Untitled-1",
    "file:///c%3A/Users/J%C3%BCrgen%20M/train%20me.py",
    "file:///C:/a/b.py",
    "file://server/share/a.py",
    "file:///tmp/%E4%B8%AD%E6%96%87/%F0%9F%98%80.py",
    "vscode-vfs://github/a/b.py",
    "git:/tmp/a.py?%7B%22path%22%3A1%7D",
)


async def test_every_kind_of_address_is_answered_under_its_own_name(raw):
    for uri in URIS:
        raw.open(uri, HAZARD)
        assert [diagnostic["code"] for diagnostic in (await raw.published(uri))["diagnostics"]] == ["IP101"], uri
        hover = await raw.ask("textDocument/hover", {**POSITION, "textDocument": {"uri": uri}}, uri)
        assert "saved-tensor-modified" in hover["result"]["contents"]["value"], uri


async def test_a_cancelled_request_is_answered_and_the_next_one_too(raw):
    raw.open(URI, HAZARD * 200)
    raw.send({"jsonrpc": "2.0", "id": 5, "method": "textDocument/hover", "params": POSITION})
    raw.tell("$/cancelRequest", {"id": 5})
    answer = await raw.answer(5)
    assert "result" in answer or answer["error"]["code"] == -32800
    assert await raw.is_alive()


async def test_texts_that_are_no_programs_are_survived(raw):
    for text in (
        "",
        "\x00",
        "\ufeff",
        "(" * 5000,
        "def f(:\n" * 300,
        "x = 1\n" * 50_000,
        "\r\r\r\x0c\x0c",
        "a" * 200_000,
    ):
        raw.open(URI, text)
        assert (await raw.published(URI))["version"] == 1
        raw.tell("textDocument/didClose", {"textDocument": {"uri": URI}})
        await raw.published(URI)
    assert await raw.is_alive()


async def test_stdout_carries_nothing_but_the_protocol(raw):
    raw.open(URI, HAZARD)
    await raw.published(URI)
    code, errors = await raw.stop()
    assert (code, errors) == (0, "")
    assert await raw.process.stdout.read() == b""


async def test_the_log_goes_where_it_is_wanted(tmp_path):
    log = tmp_path / "server log.txt"
    raw = await Raw.start((*SERVE, "--log-file", str(log), "--log-level", "info"))
    assert await raw.stop() == (0, "")
    assert "Language server initialized" in log.read_text(encoding="utf-8")


async def test_a_log_that_cannot_be_written_is_one_line():
    raw = await Raw.start((*SERVE, "--log-file", "/no/such/folder/log"), initialize=False)
    _, errors = await raw.process.communicate()
    assert (raw.process.returncode, errors.decode().count("\n")) == (2, 1)
    assert "/no/such/folder/log" in errors.decode()


async def test_a_document_that_is_too_large_is_named_and_keeps_nobody_waiting(raw):
    other = "file:///tmp/other.py"
    raw.open(URI, "x = 1\n" * 1_000_000)
    started = asyncio.get_running_loop().time()
    raw.open(other, HAZARD)
    assert [diagnostic["code"] for diagnostic in (await raw.published(other))["diagnostics"]] == ["IP101"]
    for version in range(2, 12):
        at = {"start": {"line": version, "character": 0}, "end": {"line": version, "character": 1}}
        change = {"textDocument": {"uri": URI, "version": version}, "contentChanges": [{"range": at, "text": "y"}]}
        raw.tell("textDocument/didChange", change)
    hover = await raw.ask("textDocument/hover", {**POSITION, "textDocument": {"uri": other}}, 3)
    assert "saved-tensor-modified" in hover["result"]["contents"]["value"]
    assert asyncio.get_running_loop().time() - started < 15
    change = {"textDocument": {"uri": URI, "version": 12}, "contentChanges": [{"text": HAZARD}]}
    raw.tell("textDocument/didChange", change)
    while (found := await raw.published(URI))["version"] != 12:
        pass
    assert [diagnostic["code"] for diagnostic in found["diagnostics"]] == ["IP101"]
    code, log = await raw.stop()
    assert (code, log.count("/tmp/a.py is not analysed: it is larger than 2 MB")) == (0, 1)
