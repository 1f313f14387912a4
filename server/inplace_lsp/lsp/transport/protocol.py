"""pygls' protocol, fixed where it would leave a client without an answer, or leak futures."""

from __future__ import annotations

import asyncio
import logging
import typing
from collections.abc import Generator
from concurrent.futures import Future
from typing import Any, runtime_checkable

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams, JsonRpcInvalidRequest, JsonRpcServerNotInitialized
from pygls.protocol import LanguageServerProtocol, lsp_method

from inplace_lsp.lsp.transport import envelope
from inplace_lsp.lsp.transport.envelope import Refusal
from inplace_lsp.tape.plain import Plain

log = logging.getLogger(__name__)


@runtime_checkable
class Host(typing.Protocol):
    """The server that answers what pygls would answer differently."""

    def adapt_capabilities(self, offered: types.ServerCapabilities) -> None:
        """Adapt the capabilities in the answer to `initialize`."""

    async def run_command(self, params: types.ExecuteCommandParams) -> object:
        """Run the command of `workspace/executeCommand`."""


class Protocol(LanguageServerProtocol):
    """Every request gets an answer: a malformed one, one before `initialize`, one after `shutdown`."""

    @property
    def _host(self) -> Host:
        """Return the server, as far as it takes part in answers of pygls'."""
        assert isinstance(self._server, Host)
        return self._server

    def receive_message(self, data: dict[str, Plain]) -> None:
        """Handle a message with valid members. Raises nothing but what ends the server."""
        if envelope.is_misplaced(data):
            log.warning("%s ignored: a request without an id", data["method"])
            return
        try:
            self.handle_message(self.structure_message(data))
        except BrokenPipeError:
            raise
        except Exception as error:
            log.error("a message cannot be handled: %s: %s", type(error).__name__, error)

    def answer_refusal(self, refusal: Refusal) -> None:
        """Answer a message that is invalid or not served with the reason."""
        log.warning("refused: %s", refusal.reason)
        error = {"code": refusal.code, "message": refusal.reason}
        self._send_data({"jsonrpc": envelope.VERSION, "id": refusal.identity, "error": error})  # pygls leaves out null

    def structure_message(self, data: dict[str, Plain]) -> object:
        """Convert a message to its type. If a request cannot be read, answer with the error; if a response cannot be
        read, fail our request."""
        method = data.get("method")
        if isinstance(method, str) and self.get_message_type(method) is None:
            data.setdefault("params", None)
            if method not in self.fm.features:  # nobody will look at them
                data["params"] = None
        _read_trace(data)
        try:
            return super().structure_message(data)
        except Exception:
            error = JsonRpcInvalidParams()
            identity = data.get("id")
            if envelope.is_request(data) and isinstance(identity, str | int):
                self._send_response(identity, None, error.to_response_error())
            elif envelope.is_response(data):
                self._fail_request(identity, error)
            raise error from None

    def _fail_request(self, identity: object, error: JsonRpcException) -> None:
        """Fail a request of ours that will get no answer."""
        waiting = self._request_futures.pop(identity, None) if isinstance(identity, str | int) else None
        if isinstance(waiting, Future) and not waiting.done():
            waiting.set_exception(error)

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[object, object, types.InitializeResult]:
        """Answer `initialize` with the capabilities that the server adapts."""
        result: types.InitializeResult = yield from super().lsp_initialize(params)
        self._host.adapt_capabilities(result.capabilities)
        return result

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    async def lsp_workspace__execute_command(  # type: ignore[override]  # pygls' is a generator: it cannot be cancelled
        self, params: types.ExecuteCommandParams
    ) -> object:
        """Run a command as a task of its own, which `$/cancelRequest` ends, with the request's token at hand."""
        if params.command not in self.fm.commands:
            raise JsonRpcInvalidParams(f"there is no command {params.command!r}")
        return await self._host.run_command(params)

    def handle_message(self, message: Any) -> None:
        """Answer what the life cycle of a session forbids, pass the rest on."""
        method, msg_id = getattr(message, "method", ""), getattr(message, "id", None)
        refusal = self._find_refusal(method)
        if refusal is None:
            super().handle_message(message)
        elif msg_id is not None:
            self._send_response(msg_id, None, refusal.to_response_error())
        else:
            log.warning("%s ignored: %s", method, refusal)

    def _find_refusal(self, method: str) -> JsonRpcException | None:
        if method in {"", types.EXIT}:
            return None
        if self._shutdown:
            return JsonRpcInvalidRequest(f"{method} after shutdown")
        if method == types.INITIALIZE and self._workspace is not None:
            return JsonRpcInvalidRequest("initialize was sent before")
        if method != types.INITIALIZE and self._workspace is None:
            return JsonRpcServerNotInitialized(f"{method} before initialize")
        return None

    def _execute_handler(self, msg_id: str | int, *args: Any, **kwargs: Any) -> None:
        # pygls keeps the future of every notification it ever handled; ten thousand edits would keep ten thousand.
        super()._execute_handler(msg_id, *args, **kwargs)
        future: Future[object] | None = self._request_futures.get(msg_id)
        if future is not None:
            loop = asyncio.get_running_loop()  # not at once: `shutdown` cancels them all in a walk over the dictionary
            future.add_done_callback(lambda _: loop.call_soon(self._request_futures.pop, msg_id, None))


TRACE_KEYS = {types.INITIALIZE: "trace", types.SET_TRACE: "value"}


def _read_trace(data: dict[str, Plain]) -> None:
    """Replace an unknown kind of trace (VS Code's `compact`), which would invalidate the whole message."""
    key, params = TRACE_KEYS.get(str(data.get("method"))), data.get("params")
    if key is not None and isinstance(params, dict) and key in params:
        known = [kind.value for kind in types.TraceValue]
        params[key] = params[key] if params[key] in known else types.TraceValue.Messages.value
