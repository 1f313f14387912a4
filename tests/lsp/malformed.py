"""Messages that are none: what a broken, unknown or hostile client may send, each with the error that answers it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

PARSE, INVALID, PARAMS, UNKNOWN = -32700, -32600, -32602, -32601
URI = "file:///malformed.py"
HOVER = {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}}


@dataclass(frozen=True)
class Malformed:
    """Bytes, and what they are answered with: `code` of an error for the id `identity`; None: nothing, 0: anything."""

    name: str
    data: bytes
    code: int | None
    identity: Any = None


def framed(body: bytes, header: bytes | None = None) -> bytes:
    """A body behind its header, or behind any bytes instead; `%d` stands for the length."""
    header = b"Content-Length: %d\r\n\r\n" if header is None else header
    return (header % len(body) if b"%d" in header else header) + body


def request(number: object, method: object = "textDocument/hover", params: object = HOVER, **more: object) -> bytes:
    """The body of a request."""
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params, **more}).encode()


def messages() -> Iterator[Malformed]:
    """All of them."""
    yield from _headers_that_can_be_understood()
    yield from _headers_that_cannot()
    yield from _lengths_that_are_wrong()
    yield from _bodies_that_are_not_json()
    yield from _values_that_are_no_messages()
    yield from _parameters_of_other_types()
    yield from _notifications_of_other_types()
    yield from _responses_that_nobody_waits_for()


def _headers_that_can_be_understood() -> Iterator[Malformed]:
    headers = {
        "lower case": b"content-length: %d\r\n\r\n",
        "upper case": b"CONTENT-LENGTH: %d\r\n\r\n",
        "no blank": b"Content-Length:%d\r\n\r\n",
        "blanks behind": b"Content-Length: %d   \r\n\r\n",
        "blanks before": b"  Content-Length: %d\r\n\r\n",
        "blanks round the colon": b"Content-Length  :  %d\r\n\r\n",
        "a tab": b"Content-Length:\t%d\r\n\r\n",
        "bare newlines": b"Content-Length: %d\n\n",
        "one bare newline": b"Content-Length: %d\r\n\n",
        "the other bare newline": b"Content-Length: %d\n\r\n",
        "leading zeros": b"Content-Length: 000%d\r\n\r\n",
        "twice the same": b"Content-Length: %d\r\nX: y\r\n\r\n",
        "a type behind": b"Content-Length: %d\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n",
        "a type before": b"Content-Type: application/vscode-jsonrpc; charset=utf8\r\nContent-Length: %d\r\n\r\n",
        "a quoted charset": b'Content-Type: x; charset="UTF-8"\r\nContent-Length: %d\r\n\r\n',
        "unknown headers": b"X-A: 1\r\nX-B:\r\nContent-Length: %d\r\nX-C: %%\r\n\r\n".replace(b"%%", b"c"),
        "empty lines before": b"\r\n\r\n\nContent-Length: %d\r\n\r\n",
    }
    for name, header in headers.items():
        yield Malformed(f"header: {name}", framed(request(f"header {name}"), header), 0, f"header {name}")


def _headers_that_cannot() -> Iterator[Malformed]:
    body = request("lost")
    headers = {
        "10^30": b"Content-Length: 1" + b"0" * 30 + b"\r\n\r\n",
        "10^12": b"Content-Length: 1" + b"0" * 12 + b"\r\n\r\n",
        "10^9": b"Content-Length: 1" + b"0" * 9 + b"\r\n\r\n",
        "10^5000": b"Content-Length: 1" + b"0" * 5000 + b"\r\n\r\n",
        "negative": b"Content-Length: -5\r\n\r\n",
        "a sign": b"Content-Length: +5\r\n\r\n",
        "a fraction": b"Content-Length: 5.0\r\n\r\n",
        "an exponent": b"Content-Length: 1e3\r\n\r\n",
        "hexadecimal": b"Content-Length: 0x10\r\n\r\n",
        "underscores": b"Content-Length: 1_0\r\n\r\n",
        "other digits": "Content-Length: ١٢\r\n\r\n".encode(),
        "words": b"Content-Length: many\r\n\r\n",
        "nothing": b"Content-Length:\r\n\r\n",
        "two numbers": b"Content-Length: 5 5\r\n\r\n",
        "two lengths": b"Content-Length: 5\r\nContent-Length: 7\r\n\r\n",
        "null": b"Content-Length: \0\r\n\r\n",
        "no length": b"Content-Type: x\r\n\r\n",
        "another name": b"Content-Size: 5\r\n\r\n",
        "no colon": b"Content-Length 5\r\n\r\n",
        "no header": b"",
        "no header, a line": b"\r\n",
        "HTTP": b"POST / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n",
        "bytes": bytes(range(256)),
        "a long line": b"X" * 100_000 + b"\r\n\r\n",
        "a long header": b"X: " + b"y" * 100_000 + b"\r\n\r\n",
        "UTF-16": "Content-Length: 5\r\n\r\n".encode("utf-16"),
        "no end of headers": b"Content-Length: 160\r\n",
    }
    for name, header in headers.items():
        yield Malformed(f"no header: {name}", header + body, PARSE)
    for charset in ("utf-16", "latin-1", "nonsense"):
        header = b"Content-Length: %d\r\nContent-Type: x; charset=" + charset.encode() + b"\r\n\r\n"
        yield Malformed(f"charset {charset}", framed(body, header), PARSE)


def _lengths_that_are_wrong() -> Iterator[Malformed]:
    body = request("wrong length")
    for change in (-len(body), -len(body) + 1, -10, -1, 1, 2, 10, 1000):
        yield Malformed(f"length {change:+}", b"Content-Length: %d\r\n\r\n" % (len(body) + change) + body, PARSE)
    yield Malformed("no body", b"Content-Length: 50\r\n\r\n", PARSE)
    yield Malformed("half a body", b"Content-Length: 50\r\n\r\n" + body[:20], PARSE)


def _bodies_that_are_not_json() -> Iterator[Malformed]:
    good = request("not json").decode()
    bodies = {
        "empty": b"",
        "blank": b" ",
        "an open brace": b"{",
        "an open bracket": b"[",
        "an open text": b'{"jsonrpc": "2.0',
        "a comma": good.replace("}", ",}").encode(),
        "single quotes": good.replace('"', "'").encode(),
        "no quotes": b'{jsonrpc: "2.0"}',
        "a comment": b"/* a */ " + good.encode(),
        "two values": good.encode() + good.encode(),
        "python": b"None",
        "undefined": b"undefined",
        "a raw newline in a text": b'{"jsonrpc": "2.0", "id": "a\nb"}',
        "a null byte": b"\0" + good.encode(),
        "a byte order mark": b"\xef\xbb\xbf" + good.encode(),
        "UTF-16": good.encode("utf-16"),
        "UTF-32": good.encode("utf-32"),
        "latin-1": good.replace("hover", "hövër").encode("latin-1"),
        "half a character": good.replace("hover", "höver").encode()[:-5] + b"\xc3",
        "bytes": bytes(range(128, 256)),
        "deep": b"[" * 100_000 + b"]" * 100_000,
        "deep objects": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
        "deep and open": b"[" * 100_000,
        "a long number": b"9" * 10_000,
        "a long id": b'{"jsonrpc": "2.0", "id": ' + b"9" * 10_000 + b', "method": "shutdown"}',
        "a bad escape": b'{"jsonrpc": "\\x"}',
        "a short escape": b'{"jsonrpc": "\\u12"}',
    }
    for name, body in bodies.items():
        yield Malformed(f"not JSON: {name}", framed(body), PARSE)


def _values_that_are_no_messages() -> Iterator[Malformed]:
    for value in ("null", "true", "42", "-0.0", "1e999", "NaN", '"text"', "[]", "[1]", "[[]]", "{}"):
        yield Malformed(f"no message: {value}", framed(value.encode()), INVALID)
    message = json.loads(request("batch"))
    yield Malformed("a batch", framed(json.dumps([message, message]).encode()), INVALID)
    yield Malformed("a batch of notifications", framed(b'[{"jsonrpc": "2.0", "method": "initialized"}]'), INVALID)
    for number, version in enumerate((None, "1.0", "2", 2.0, 2, ["2.0"], {}, True, "2.0 ")):
        yield Malformed(f"version {version!r}", framed(request(f"v{number}", jsonrpc=version)), INVALID, f"v{number}")
    yield Malformed("no version", framed(b'{"id": "none", "method": "shutdown"}'), INVALID, "none")
    for number, method in enumerate((None, 1, 1.5, True, [], {}, ["textDocument/hover"])):
        yield Malformed(f"method {method!r}", framed(request(f"m{number}", method)), INVALID, f"m{number}")
    for identity in (None, True, 1.5, [], {}, [1], {"id": 1}):
        yield Malformed(f"id {identity!r}", framed(request(identity)), INVALID)
    for identity in (0, -1, 10**30, "", "\ud800", "x" * 10_000, "\0"):
        yield Malformed(f"id {str(identity)[:9]!r}", framed(request(identity)), 0, identity)
    for method in ("", " ", "\0", "x" * 10_000, "$/x", "rpc.x", "textDocument/Hover", "__init__", "window/showMessage"):
        code = INVALID if method == "window/showMessage" else UNKNOWN
        yield Malformed(f"method {method[:20]!r}", framed(request(f"n{method}", method)), code, f"n{method}")
    for method in ("textDocument/didOpen", "initialized", "exit", "$/cancelRequest", "textDocument/publishDiagnostics"):
        yield Malformed(f"{method} with an id", framed(request(f"i{method}", method)), INVALID, f"i{method}")
    for method in ("shutdown", "initialize", "textDocument/hover", "textDocument/codeAction"):
        body = json.dumps({"jsonrpc": "2.0", "method": method, "params": HOVER}).encode()
        yield Malformed(f"{method} without an id", framed(body), None)
    yield Malformed("neither method nor result", framed(b'{"jsonrpc": "2.0", "id": 7}'), INVALID, 7)
    yield Malformed("a version alone", framed(b'{"jsonrpc": "2.0"}'), INVALID)
    yield Malformed("initialize again", framed(request("again", "initialize", {"capabilities": {}})), 0, "again")
    nested = request("nested", "textDocument/hover", {**HOVER, "jsonrpc": "2.0", "id": 1, "method": "shutdown"})
    yield Malformed("a message in a message", framed(nested), 0, "nested")


def _parameters_of_other_types() -> Iterator[Malformed]:
    position = HOVER["position"]
    wrong: dict[str, object] = {
        "null": None,
        "a list": [],
        "a list of them": [HOVER],
        "nothing in it": {},
        "no position": {"textDocument": {"uri": URI}},
        "a document that is a text": {"textDocument": URI, "position": position},
        "a document that is a list": {"textDocument": [], "position": position},
        "a position that is a list": {"textDocument": {"uri": URI}, "position": [0, 0]},
        "a line that is a text": {"textDocument": {"uri": URI}, "position": {"line": "x", "character": 0}},
        "a line that is null": {"textDocument": {"uri": URI}, "position": {"line": None, "character": 0}},
    }
    for name, params in wrong.items():
        yield Malformed(f"params: {name}", framed(request(f"p {name}", params=params)), PARAMS, f"p {name}")
    for params in ("text", 1, True):
        yield Malformed(f"params {params!r}", framed(request(f"p {params}", params=params)), PARAMS, f"p {params}")
    for uri in (1, None, True):
        params = {"textDocument": {"uri": uri}, "position": position}
        yield Malformed(f"address {uri!r}", framed(request(f"u {uri}", params=params)), 0, f"u {uri}")
    places = ((-1, -1), (10**30, 0), (0, 10**30), (1.5, 0), (2**31, 2**31))
    for line, character in places:
        params = {"textDocument": {"uri": URI}, "position": {"line": line, "character": character}}
        yield Malformed(f"position {line}, {character}", framed(request(f"{line} {character}", params=params)), 0,
                        f"{line} {character}")  # fmt: skip
    for uri in ("", "x", "file://[", "file:///%00", "file:///%ff%fe", "http://[::1", "\ud800", "://", "x" * 100_000):
        params = {"textDocument": {"uri": uri}, "position": position}
        yield Malformed(f"address {uri[:12]!r}", framed(request(f"u {uri[:12]}", params=params)), 0, f"u {uri[:12]}")
    deep: Any = {}
    for _ in range(400):
        deep = {"a": deep}
    for method in ("textDocument/hover", "no/such", "inplace/explain", "workspace/executeCommand"):
        yield Malformed(f"deep params of {method}", framed(request(f"d {method}", method, deep)), 0, f"d {method}")
    methods = "codeAction codeLens inlayHint diagnostic documentHighlight".split()
    for method in (*(f"textDocument/{method}" for method in methods), "workspace/diagnostic", "codeAction/resolve"):
        for params in ({"textDocument": {"uri": 3}, "previousResultIds": 1}, [1]):
            name = f"{method} {params}"
            code = PARAMS if isinstance(params, list) else 0  # lsprotocol takes a number for a text
            yield Malformed(name, framed(request(name, method, params)), code, name)


def _notifications_of_other_types() -> Iterator[Malformed]:
    cases: tuple[tuple[str, object], ...] = (
        ("textDocument/didOpen", {}),
        ("textDocument/didOpen", {"textDocument": {"uri": 1, "languageId": 2, "version": "x", "text": None}}),
        ("textDocument/didOpen", {"textDocument": {"uri": "::", "languageId": "python", "version": 1, "text": "\0"}}),
        ("textDocument/didChange", {"textDocument": {"uri": "file:///no.py", "version": 1}, "contentChanges": []}),
        ("textDocument/didChange", {"textDocument": {"uri": "file:///no.py", "version": 1}, "contentChanges": [1]}),
        ("textDocument/didChange", {"textDocument": None, "contentChanges": None}),
        ("textDocument/didClose", {"textDocument": {"uri": "file:///no.py"}}),
        ("textDocument/didSave", {"textDocument": 3}),
        ("notebookDocument/didChange", {}),
        ("workspace/didChangeConfiguration", {"settings": 3}),
        ("workspace/didChangeWatchedFiles", {"changes": [{"uri": "::", "type": 77}]}),
        ("workspace/didChangeWorkspaceFolders", {"event": None}),
        ("inplace/didChangeTrust", 3),
        ("inplace/didChangeInterpreter", {"interpreter": []}),
        ("$/cancelRequest", {"id": {}}),
        ("$/cancelRequest", {"id": "nobody"}),
        ("$/cancelRequest", None),
        ("$/setTrace", {"value": "loud"}),
        ("no/such", {"a": [1, 2]}),
        ("no/such", "text"),
        ("", None),
    )
    for number, (method, params) in enumerate(cases):
        body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode()
        yield Malformed(f"notification {number}: {method}", framed(body), None)


def _responses_that_nobody_waits_for() -> Iterator[Malformed]:
    error = {"code": 1, "message": "x"}
    for number, members in enumerate(
        (
            {"id": 5, "result": 1},
            {"id": "x", "result": None},
            {"id": None, "result": 1},
            {"id": [], "result": 1},
            {"id": {}, "result": {}},
            {"id": 5, "error": error},
            {"id": None, "error": error},
            {"id": 5, "error": None},
            {"id": 5, "error": "text"},
            {"id": 5, "error": {"code": "x"}},
            {"id": 5, "result": 1, "error": error},
            {"result": 1},
            {"error": error},
        )
    ):
        yield Malformed(f"response {number}", framed(json.dumps({"jsonrpc": "2.0", **members}).encode()), None)
