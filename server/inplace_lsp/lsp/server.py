"""The language server: which module answers which message."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import sys
from collections.abc import Callable
from threading import Event
from types import ModuleType
from typing import Any, BinaryIO

from lsprotocol import types
from pygls.io_ import StdoutWriter
from pygls.lsp.server import LanguageServer
from pygls.protocol import default_converter

from inplace_lsp import __version__
from inplace_lsp.lsp import (
    diagnostic,
    did_change,
    did_change_configuration,
    did_change_interpreter,
    did_change_trust,
    did_change_watched_files,
    did_change_workspace_folders,
    did_close,
    did_open,
    did_save,
    initialize,
    initialized,
    late,
    notebooks,
    workspace_diagnostic,
)
from inplace_lsp.lsp.conversation import converse
from inplace_lsp.lsp.guard import Handler, guard_handler
from inplace_lsp.lsp.importers import Importers
from inplace_lsp.lsp.offered import CODE_ACTIONS, COMMAND, COVERAGE, EXPLAIN, TRACE, WHY
from inplace_lsp.lsp.protocol import Protocol
from inplace_lsp.lsp.publish_diagnostics import publish_result
from inplace_lsp.lsp.refine import Refiner
from inplace_lsp.lsp.server_capabilities import adapt_capabilities
from inplace_lsp.lsp.session import Session
from inplace_lsp.lsp.workspace.attach import attach_scan

log = logging.getLogger(__name__)

HANDLERS: tuple[ModuleType, ...] = (
    initialize,
    initialized,
    did_change_configuration,
    did_change_watched_files,
    did_open,
    did_change_workspace_folders,
    did_change,
    did_save,
    did_close,
    diagnostic,
    workspace_diagnostic,
    did_change_trust,
    did_change_interpreter,
)
"""A module a message: `METHOD`, `handle(session, params)`, and `OPTIONS` where the capability has any."""

LATE_HANDLERS: dict[str, tuple[str, object]] = {
    types.TEXT_DOCUMENT_HOVER: ("hover", None),
    types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: ("document_highlight", None),
    types.TEXT_DOCUMENT_INLAY_HINT: ("inlay_hint", None),
    types.TEXT_DOCUMENT_CODE_LENS: ("code_lens", None),
    types.TEXT_DOCUMENT_CODE_ACTION: ("code_action", CODE_ACTIONS),
    types.CODE_ACTION_RESOLVE: ("code_action_resolve", None),
    EXPLAIN: ("explain", None),
    TRACE: ("trace", None),
    COVERAGE: ("coverage", None),
    WHY: ("why", None),
}
"""The modules of messages that come after a first answer, by method, with the options of the capability; each is loaded
when it is first wanted."""

NOTEBOOK_HANDLERS: dict[str, Handler] = {
    types.NOTEBOOK_DOCUMENT_DID_OPEN: notebooks.did_open,
    types.NOTEBOOK_DOCUMENT_DID_CHANGE: notebooks.did_change,
    types.NOTEBOOK_DOCUMENT_DID_CLOSE: notebooks.did_close,
}


INTERRUPTED = 130
"""The exit status of a process that Ctrl-C ended, as a shell has it."""
GARBAGE = 100_000
"""Objects made between two searches for garbage. Python's 700 would have an analysis search dozens of times."""


class Server(LanguageServer):
    """pygls' server; errors go to the log, never into a pop-up of the editor."""

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Log a message that could not be read or handled."""
        log.error("%s: %s", getattr(source, "__name__", source), error)

    at_end: Callable[[], None]
    """What there is to end besides the session itself."""

    def start_io(self, stdin: BinaryIO | None = None, stdout: BinaryIO | None = None) -> None:
        """Talk over two pipes until the client leaves, with our own reader (see `frames`)."""
        self._stop_event = Event()
        self.protocol.set_writer(StdoutWriter(stdout or sys.stdout.buffer))
        assert isinstance(self.protocol, Protocol)
        try:
            asyncio.run(converse(stdin or sys.stdin.buffer, self.protocol, self.thread_pool, self._stop_event))
        except BrokenPipeError:
            log.error("the client is gone")
        except SystemExit:
            pass
        except KeyboardInterrupt:
            self.at_end()
            logging.shutdown()
            os._exit(INTERRUPTED)  # a thread still waits for a message that may not come
        finally:
            self.shutdown()  # type: ignore[no-untyped-call]

    @property
    def exit_code(self) -> int:
        """Return 0 if the client sent `shutdown` before it left, as the protocol asks."""
        return 0 if self.protocol._shutdown else 1


def create_server() -> Server:
    """Return a server with every handler registered."""
    server = Server(
        "inplace-lsp",
        __version__,
        notebook_document_sync=notebooks.SYNC,
        protocol_cls=Protocol,
        converter_factory=default_converter,
    )
    session = Session(server, late.check_program)
    session.on_result.append(lambda result: publish_result(session, result))
    session.on_result.append(Refiner(session).on_result)
    session.on_edit.append(Importers(session).note_edit)
    attach_scan(session)
    assert isinstance(server.protocol, Protocol)
    server.protocol.on_offer = lambda offered: adapt_capabilities(session, offered)
    for module in HANDLERS:
        handler = guard_handler(session, module.METHOD, module.handle)
        server.feature(module.METHOD, getattr(module, "OPTIONS", None))(handler)
    for method, (name, options) in LATE_HANDLERS.items():
        server.feature(method, options)(guard_handler(session, method, late.load_handler(name)))
    for method, handle in NOTEBOOK_HANDLERS.items():
        server.feature(method)(guard_handler(session, method, handle))
    server.command(COMMAND)(lambda *_: None)  # to be offered; `on_command` is what answers
    server.at_end = session.prover.shut_down
    server.protocol.on_command = guard_handler(session, COMMAND, late.load_handler("verify"))
    return server


def serve(log_file: str | None = None, log_level: str = "warning") -> int:
    """Speak LSP over stdin and stdout until the client says `exit` or goes away. Returns the exit status.

    Raises OSError if `log_file` cannot be written.
    """
    logging.basicConfig(
        level=log_level.upper(),
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
        **({"filename": log_file} if log_file else {"stream": sys.stderr}),
    )
    server = create_server()
    gc.freeze()  # what is loaded stays: no collection need look at it again
    gc.set_threshold(GARBAGE)
    gc.enable()
    server.start_io()
    server.at_end()
    return server.exit_code
