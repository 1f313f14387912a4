"""A client that declares what an earlier one did is answered before pygls is loaded, and as pygls would answer."""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from inplace_lsp.lsp.first_answer import MOST
from lsp.editor import MODERN, RECORDED
from lsp.raw import Raw

CLIENTS = [json.loads((RECORDED / f"{name}.json").read_text(encoding="utf-8")) for name in MODERN]
WITHOUT_PYGLS = (
    sys.executable,
    "-c",
    "import sys; sys.modules['pygls.lsp.server'] = None\nfrom inplace_lsp.cli.main import main; main()",
    "serve",
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("INPLACE_LSP_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


async def answer(params: dict[str, Any]) -> dict[str, Any]:
    """What a server says, in a session of its own that goes well."""
    raw = await Raw.start(initialize=False)
    said = await raw.ask("initialize", params)
    if "result" in said:
        raw.tell("initialized", {})
        assert await raw.stop() == (0, "")
    else:
        raw.process.kill()
        await raw.process.wait()
    return said


async def early_answer(params: dict[str, Any]) -> dict[str, Any] | None:
    """What is said without pygls, None if nothing is."""
    raw = await Raw.start(WITHOUT_PYGLS, initialize=False)
    raw.send({"jsonrpc": "2.0", "id": "first", "method": "initialize", "params": params})
    told, _ = await raw.process.communicate()
    return json.loads(told.partition(b"\r\n\r\n")[2]) if told else None


def started(capabilities: object = None, **params: object) -> dict[str, Any]:
    return {"processId": None, "rootUri": None, "capabilities": capabilities or {}, **params}


def entries(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.entry"))


@pytest.mark.parametrize("capabilities", CLIENTS, ids=MODERN)
async def test_the_second_session_is_answered_without_pygls_and_as_the_first(folder: Path, capabilities: object):
    params = started(capabilities, clientInfo={"name": "some editor"})
    assert await early_answer(params) is None
    first = await answer(params)
    early = await early_answer(params)
    assert early is not None
    assert early["result"] == first["result"] == (await answer(params))["result"]
    assert early["id"] == "first"


async def test_what_the_client_opens_is_of_no_matter(folder: Path, tmp_path: Path):
    first = await answer(started(rootPath=None))
    uri = tmp_path.as_uri()
    told = started(processId=1, rootUri=uri, workspaceFolders=[{"uri": uri, "name": "a"}], rootPath=str(tmp_path))
    early = await early_answer({**told, "processId": None})
    assert early is not None
    assert early["result"] == first["result"]
    assert (await answer({**told, "processId": None}))["result"] == first["result"]


@pytest.mark.parametrize(
    "other",
    [
        {"capabilities": {"textDocument": {"codeAction": {"codeActionLiteralSupport": {}}}}},
        {"capabilities": {"general": {"positionEncodings": ["utf-8"]}}},
        {"initializationOptions": {"diagnosticMode": "workspace"}},
        {"rootUri": 5},
        {"processId": "here"},
        {"workspaceFolders": [{"uri": "file:///a"}]},
        {"workspaceFolders": {"uri": "file:///a", "name": "a"}},
    ],
    ids=str,
)
async def test_other_clients_are_answered_by_pygls(folder: Path, other: dict[str, Any]):
    await answer(started())
    assert await early_answer(started(**other)) is None


async def test_what_pygls_refuses_is_refused_though_the_rest_is_known(folder: Path):
    await answer(started())
    assert (await answer(started(processId="here")))["error"]["code"] == -32602


@pytest.mark.parametrize("damage", ["", "{}", "[1]", '{"result": 1, "version": 2}', "\0"])
async def test_a_damaged_entry_is_no_entry(folder: Path, damage: str):
    params = started()
    first = await answer(params)
    [entry] = entries(folder)
    entry.write_bytes(hashlib.sha256(damage.encode()).hexdigest().encode() + b"\n" + damage.encode())
    assert await early_answer(params) is None
    assert (await answer(params))["result"] == first["result"]


async def test_an_answer_that_is_not_true_any_more_is_told_once(folder: Path):
    """As where another version of pygls answers otherwise."""
    params = started()
    first = await answer(params)
    [entry] = entries(folder)
    kept = json.loads(entry.read_bytes().partition(b"\n")[2])
    data = json.dumps({**kept, "result": {**kept["result"], "serverInfo": {"name": "older"}}}).encode()
    entry.write_bytes(hashlib.sha256(data).hexdigest().encode() + b"\n" + data)
    raw = await Raw.start(initialize=False)
    assert (await raw.ask("initialize", params))["result"]["serverInfo"] == {"name": "older"}
    raw.tell("initialized", {})
    status, errors = await raw.stop()
    assert status == 0
    assert "restart the server" in errors
    assert (await answer(params))["result"] == first["result"]


async def test_a_message_in_pieces_is_answered(folder: Path):
    params = started(CLIENTS[0])
    first = await answer(params)
    raw = await Raw.start(initialize=False)
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}).encode()
    message = b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
    for at in range(0, len(message), 2000):
        raw.process.stdin.write(message[at : at + 2000])
        await raw.process.stdin.drain()
    assert (await raw.answer(1))["result"] == first["result"]
    assert await raw.stop() == (0, "")


async def test_few_answers_are_kept(folder: Path):
    await answer(started())
    [entry] = entries(folder)
    for number in range(MOST + 5):
        (entry.parent / f"{number}.entry").write_text("")
    await answer(started({"textDocument": {}}))
    assert len(entries(folder)) == MOST
