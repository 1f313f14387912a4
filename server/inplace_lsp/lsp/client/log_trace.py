"""$/logTrace: report what the server does to a client that asked for it (`trace` of `initialize`, `$/setTrace`)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from lsprotocol import types
from pygls.lsp.server import LanguageServer


class Tracer:
    """Reports to the client: nothing while the trace is off, and `verbose` texts only on request."""

    def __init__(self, server: LanguageServer) -> None:
        self._server = server

    def log_message(self, message: str, verbose: Callable[[], str] | None = None) -> None:
        """Send a message; `verbose` is computed only if it is wanted."""
        level = self._server.protocol.trace
        if level == types.TraceValue.Off:
            return
        more = verbose() if verbose is not None and level == types.TraceValue.Verbose else None
        self._server.log_trace(types.LogTraceParams(message, more))

    @contextmanager
    def time_block(self, what: str, verbose: Callable[[], str] | None = None) -> Iterator[None]:
        """Report how long the block took, however it ends."""
        began = time.perf_counter()
        how = "cancelled"
        try:
            yield
            how = "answered"
        except Exception:
            how = "failed"
            raise
        finally:
            self.log_message(f"{what}: {how} in {(time.perf_counter() - began) * 1000:.1f} ms", verbose)
