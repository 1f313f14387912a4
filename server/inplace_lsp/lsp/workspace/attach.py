"""Connect the editor's events to the scan of the workspace, and the scan's results to the client."""

from __future__ import annotations

from inplace_lsp.lsp.convert import Program
from inplace_lsp.lsp.session import Session
from inplace_lsp.lsp.workspace.push import Pusher
from inplace_lsp.lsp.workspace.scan import Scan


def attach_scan(session: Session) -> None:
    """Give the session its scan, and connect the two."""
    session.scan = scan = Scan(session)
    pusher = Pusher(session, scan)

    def on_open(program: Program) -> None:
        pusher.withdraw_opened(program.filename, [part.uri for part in program.parts])

    def on_close(program: Program) -> None:
        pusher.on_change(program.filename)
        scan.rescan_if_wanted()
        scan.wake_waiters()

    def on_configuration() -> None:
        if session.settings.diagnostic_mode == "workspace":
            scan.request_pass(everything=True)
        elif session.client_pulls_workspace:
            scan.wake_waiters()
        else:
            scan.forget_all()

    scan.on_change.append(pusher.on_change)
    session.on_open.append(on_open)
    session.on_close.append(on_close)
    session.on_disk.append(scan.rescan_if_wanted)
    session.on_configuration.append(on_configuration)
