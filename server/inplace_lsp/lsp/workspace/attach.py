"""What happens in the editor, told to the scan of the workspace; what the scan finds, told to the client."""

from __future__ import annotations

from inplace_lsp.lsp.convert import Program
from inplace_lsp.lsp.session import Session
from inplace_lsp.lsp.workspace.push import Pusher
from inplace_lsp.lsp.workspace.scan import Scan


def attach(session: Session) -> None:
    """Give the session its scan, and have each hear of the other."""
    session.scan = scan = Scan(session)
    pusher = Pusher(session, scan)

    def on_open(program: Program) -> None:
        pusher.opened(program.filename, [part.uri for part in program.parts])

    def on_close(program: Program) -> None:
        pusher.on_change(program.filename)
        scan.touched()
        scan.wake()

    def on_configuration() -> None:
        if session.settings.diagnostic_mode == "workspace":
            scan.request(everything=True)
        elif session.client_pulls_workspace:
            scan.wake()
        else:
            scan.forget()

    scan.on_change.append(pusher.on_change)
    session.on_open.append(on_open)
    session.on_close.append(on_close)
    session.on_disk.append(scan.touched)
    session.on_configuration.append(on_configuration)
