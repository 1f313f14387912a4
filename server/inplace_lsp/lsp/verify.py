"""workspace/executeCommand `inplace-lsp.verify`: prove a function's findings by running it under torch."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from inplace_lsp.lsp.session import Session

ANSWER = "inplace-lsp: verifying is not available in this version."


def handle(session: Session, *arguments: Any) -> None:
    """Say that this version cannot do it yet."""
    session.server.window_show_message(types.ShowMessageParams(types.MessageType.Info, ANSWER))
