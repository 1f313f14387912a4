"""The language server: which module answers which message."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import sys
from threading import Event
from typing import BinaryIO

from lsprotocol import types
from pygls.io_ import StdoutWriter
from pygls.lsp.server import LanguageServer
from pygls.protocol import default_converter

from inplace_lsp.lsp import initialize, lazy_loading
from inplace_lsp.lsp.client.static_capabilities import CODE_ACTIONS, COMMAND, COVERAGE, EXPLAIN, TRACE, WHY
from inplace_lsp.lsp.first_answer import ComparingWriter, FirstMessage
from inplace_lsp.lsp.guard import NotificationHandler, RequestHandler, guard_command, guard_handler
from inplace_lsp.lsp.notifications import (
    did_change,
    did_change_configuration,
    did_change_interpreter,
    did_change_trust,
    did_change_watched_files,
    did_change_workspace_folders,
    did_close,
    did_open,
    did_save,
    initialized,
    notebooks,
)
from inplace_lsp.lsp.requests import diagnostic, workspace_diagnostic
from inplace_lsp.lsp.server_capabilities import adapt_capabilities
from inplace_lsp.lsp.session.session import Session
from inplace_lsp.lsp.transport.conversation import serve_messages
from inplace_lsp.lsp.transport.protocol import Protocol
from inplace_lsp.version import __version__

log = logging.getLogger(__name__)

NOTIFICATIONS: dict[str, tuple[NotificationHandler, object]] = {
    types.INITIALIZE: (initialize.handle, None),  # a request, but pygls answers it
    types.INITIALIZED: (initialized.handle, None),
    types.WORKSPACE_DID_CHANGE_CONFIGURATION: (did_change_configuration.handle, None),
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES: (did_change_watched_files.handle, None),
    types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: (did_change_workspace_folders.handle, None),
    types.TEXT_DOCUMENT_DID_OPEN: (did_open.handle, None),
    types.TEXT_DOCUMENT_DID_CHANGE: (did_change.handle, None),
    types.TEXT_DOCUMENT_DID_SAVE: (did_save.handle, types.SaveOptions(include_text=False)),
    types.TEXT_DOCUMENT_DID_CLOSE: (did_close.handle, None),
    types.NOTEBOOK_DOCUMENT_DID_OPEN: (notebooks.did_open, None),
    types.NOTEBOOK_DOCUMENT_DID_CHANGE: (notebooks.did_change, None),
    types.NOTEBOOK_DOCUMENT_DID_CLOSE: (notebooks.did_close, None),
    did_change_trust.METHOD: (did_change_trust.handle, None),
    did_change_interpreter.METHOD: (did_change_interpreter.handle, None),
}
"""Handlers that change the session, by method, with the options of the capability."""

REQUESTS: dict[str, tuple[RequestHandler, object]] = {
    types.TEXT_DOCUMENT_DIAGNOSTIC: (diagnostic.handle, diagnostic.OPTIONS),
    types.WORKSPACE_DIAGNOSTIC: (workspace_diagnostic.handle, None),
}
"""Handlers that only read the session, and are loaded at start."""

LATE_REQUESTS: dict[str, tuple[str, object]] = {
    types.TEXT_DOCUMENT_HOVER: ("requests.hover", None),
    types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: ("requests.document_highlight", None),
    types.TEXT_DOCUMENT_INLAY_HINT: ("requests.inlay_hint", None),
    types.TEXT_DOCUMENT_CODE_LENS: ("requests.code_lens", None),
    types.TEXT_DOCUMENT_CODE_ACTION: ("requests.code_action", CODE_ACTIONS),
    types.CODE_ACTION_RESOLVE: ("requests.code_action_resolve", None),
    EXPLAIN: ("requests.explain", None),
    TRACE: ("requests.trace", None),
    COVERAGE: ("requests.coverage", None),
    WHY: ("requests.why", None),
}
"""The modules of requests that come after the first answer; each is loaded when it is first used."""

VERIFY_COMMAND = "commands.verify"
"""The module of the command, loaded when it is first used."""

INTERRUPTED = 130
"""The exit status of a process that Ctrl-C ended, as shells define it."""
GARBAGE = 100_000
"""Number of new objects before the garbage collector runs. Python's default of 700 would run it dozens of times in an
analysis."""


class Server(LanguageServer):
    """pygls' server with a session and all handlers; errors go to the log, never into a pop-up of the editor."""

    def __init__(self) -> None:
        super().__init__(
            "inplace-lsp",
            __version__,
            notebook_document_sync=notebooks.SYNC,
            protocol_cls=Protocol,
            converter_factory=default_converter,
        )
        self.session = Session(self, lazy_loading.check_program)
        self._verify = guard_command(self.session, COMMAND, lazy_loading.load_handler(VERIFY_COMMAND))
        self._register_handlers()

    def _register_handlers(self) -> None:
        for method, (notified, options) in NOTIFICATIONS.items():
            self.feature(method, options)(guard_handler(self.session, method, notified))
        for method, (asked, options) in REQUESTS.items():
            self.feature(method, options)(guard_handler(self.session, method, asked))
        for method, (name, options) in LATE_REQUESTS.items():
            self.feature(method, options)(guard_handler(self.session, method, lazy_loading.load_handler(name)))
        self.command(COMMAND)(lambda *_: None)  # to be offered; `run_command` is what answers

    def adapt_capabilities(self, offered: types.ServerCapabilities) -> None:
        """Remove from the answer to `initialize` what the client has not declared."""
        adapt_capabilities(self.session, offered)

    async def run_command(self, params: types.ExecuteCommandParams) -> object:
        """Run the one command there is."""
        return await self._verify(params)

    def report_server_error(self, error: Exception, source: object) -> None:
        """Log a message that could not be read or handled."""
        log.error("%s: %s", getattr(source, "__name__", source), error)

    def start_io(
        self, stdin: BinaryIO | None = None, stdout: BinaryIO | None = None, first: FirstMessage | None = None
    ) -> None:
        """Talk over two pipes until the client leaves, with our own reader (see `frames`); `first`: what was read."""
        self._stop_event = Event()
        first = first or FirstMessage()
        self.protocol.set_writer(ComparingWriter(StdoutWriter(stdout or sys.stdout.buffer), first))
        assert isinstance(self.protocol, Protocol)
        talk = serve_messages(stdin or sys.stdin.buffer, self.protocol, self.thread_pool, self._stop_event, first.data)
        try:
            asyncio.run(talk)
        except BrokenPipeError:
            log.error("the client is gone")
        except SystemExit:
            pass
        except KeyboardInterrupt:
            self.session.prover.shut_down()
            logging.shutdown()
            os._exit(INTERRUPTED)  # a thread still waits for a message that may not come
        finally:
            self.shutdown()  # type: ignore[no-untyped-call]

    @property
    def exit_code(self) -> int:
        """Return 0 if the client sent `shutdown` before it left, as the protocol asks."""
        return 0 if self.protocol._shutdown else 1


def serve(log_file: str | None = None, log_level: str = "warning", first: FirstMessage | None = None) -> int:
    """Speak LSP over stdin and stdout until the client says `exit` or goes away. Returns the exit status.

    Raises OSError if `log_file` cannot be written.
    """
    logging.basicConfig(
        level=log_level.upper(),
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
        **({"filename": log_file} if log_file else {"stream": sys.stderr}),
    )
    server = Server()
    gc.freeze()  # what is loaded stays: no collection need look at it again
    gc.set_threshold(GARBAGE)
    gc.enable()
    server.start_io(first=first)
    server.session.prover.shut_down()
    return server.exit_code
