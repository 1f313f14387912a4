"""A client that may say anything: bytes in, messages out."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

from lsp.editor import SECONDS, SERVE


class Raw:
    """A server process and its two pipes."""

    @classmethod
    async def start(cls, command: Sequence[str] = SERVE, initialize: bool = True) -> Raw:
        raw = cls()
        pipe = asyncio.subprocess.PIPE
        raw.process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, stderr=pipe)
        if initialize:
            answer = await raw.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
            assert answer["result"]["serverInfo"]["name"] == "inplace-lsp"
            raw.tell("initialized", {})
        return raw

    def send(self, body: Any) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))

    def tell(self, method: str, params: Any) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    async def ask(self, method: str, params: Any, number: int | str = 1) -> dict[str, Any]:
        """Send a request and wait for its answer; what else comes on the way is dropped."""
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return await self.answer(number)

    async def answer(self, number: int | str) -> dict[str, Any]:
        while True:
            message = await self.receive()
            if message.get("id") == number and "method" not in message:
                return message

    async def published(self, uri: str) -> dict[str, Any]:
        while True:
            message = await self.receive()
            if message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == uri:
                return message["params"]

    async def receive(self) -> dict[str, Any]:
        header = await asyncio.wait_for(self.process.stdout.readuntil(b"\r\n\r\n"), SECONDS)
        length = next(
            int(line.split(b":")[1]) for line in header.split(b"\r\n") if line.lower().startswith(b"content-length")
        )
        return json.loads(await asyncio.wait_for(self.process.stdout.readexactly(length), SECONDS))

    def open(self, uri: str, text: str, version: int = 1) -> None:
        item = {"uri": uri, "languageId": "python", "version": version, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": item})

    async def is_alive(self) -> bool:
        """Whether it still answers with sense."""
        self.open("file:///alive.py", "x = 1\n")
        found = await self.published("file:///alive.py")
        self.tell("textDocument/didClose", {"textDocument": {"uri": "file:///alive.py"}})
        return found["diagnostics"] == [] and self.process.returncode is None

    async def stop(self) -> tuple[int, str]:
        """Shut down; the exit status and what stood on stderr."""
        await self.ask("shutdown", None, "last")
        self.tell("exit", None)
        _, errors = await asyncio.wait_for(self.process.communicate(), SECONDS)
        return self.process.returncode, errors.decode()
