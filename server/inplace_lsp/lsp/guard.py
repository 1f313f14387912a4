"""Guard every handler: a crash costs one answer and a line in the log, not the server."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable
from typing import Any

from pygls.exceptions import JsonRpcException, JsonRpcInternalError

from inplace_lsp.lsp.session import Session

log = logging.getLogger(__name__)
Handler = Callable[[Session, Any], Any]


def guard_handler(session: Session, method: str, handle: Handler) -> Callable[[Any], Any]:
    """Return `handle` as pygls calls it; an exception becomes an error answer of one line."""
    if inspect.iscoroutinefunction(handle):

        async def answer(params: Any) -> Any:
            try:
                with session.trace.time_block(method, lambda: str(params)):
                    return await handle(session, params)
            except JsonRpcException:
                raise
            except Exception as error:
                raise _report_failure(method, error) from None

        return answer

    def act(params: Any) -> Any:
        try:
            with session.trace.time_block(method, lambda: str(params)):
                return handle(session, params)
        except JsonRpcException:
            raise
        except Exception as error:
            raise _report_failure(method, error) from None

    return act


def _report_failure(method: str, error: Exception) -> JsonRpcInternalError:
    log.exception("%s failed", method)
    reason = " ".join(str(error).split())[:200]
    return JsonRpcInternalError(f"{method} failed: {type(error).__name__}: {reason} (details in the server's log)")
