"""Guard every handler: a crash costs one answer and a line in the log, not the server."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from pygls.exceptions import JsonRpcException, JsonRpcInternalError

from inplace_lsp.lsp.session.session import Session

if TYPE_CHECKING:
    from inplace_lsp.lsp.session.view import SessionView

log = logging.getLogger(__name__)
Params = TypeVar("Params")
Answer = TypeVar("Answer")

# Each handler has parameters of its own type, which pygls reads from the message.
NotificationHandler = Callable[[Session, Any], Awaitable[None] | None]
"""A handler that may change the session and returns no answer."""
RequestHandler: TypeAlias = "Callable[[SessionView, Any], object]"
"""A handler that reads the session and returns an answer."""


def guard_handler(
    session: Session, method: str, handle: Callable[[Session, Params], object]
) -> Callable[[Params], object]:
    """Return `handle` as pygls calls it; an exception becomes an error answer of one line."""
    if inspect.iscoroutinefunction(handle):
        return guard_command(session, method, handle)

    def handle_guarded(params: Params) -> object:
        try:
            with session.trace.time_block(method, lambda: str(params)):
                return handle(session, params)
        except JsonRpcException:
            raise
        except Exception as error:
            raise _report_failure(method, error) from None

    return handle_guarded


def guard_command(
    session: Session, method: str, handle: Callable[[Session, Params], Awaitable[Answer]]
) -> Callable[[Params], Coroutine[object, object, Answer]]:
    """Return `handle` as pygls calls it, for a command that takes long."""

    async def answer_guarded(params: Params) -> Answer:
        try:
            with session.trace.time_block(method, lambda: str(params)):
                return await handle(session, params)
        except JsonRpcException:
            raise
        except Exception as error:
            raise _report_failure(method, error) from None

    return answer_guarded


def _report_failure(method: str, error: Exception) -> JsonRpcInternalError:
    log.exception("%s failed", method)
    reason = " ".join(str(error).split())[:200]
    return JsonRpcInternalError(f"{method} failed: {type(error).__name__}: {reason} (details in the server's log)")
