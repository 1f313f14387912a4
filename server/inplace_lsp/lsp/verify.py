"""workspace/executeCommand `inplace-lsp.verify`: prove a function's findings by running it under torch."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from inplace_lsp.lsp import directive
from inplace_lsp.lsp.analysis import facts_for
from inplace_lsp.lsp.convert import Program
from inplace_lsp.lsp.offered import COMMAND
from inplace_lsp.lsp.programs import program_of
from inplace_lsp.lsp.progress import Progress
from inplace_lsp.lsp.session import Session

if TYPE_CHECKING:
    from inplace_lsp.lsp.proofs import Proof
    from inplace_lsp.verify.target import Target

UNTRUSTED = (
    "Verifying runs the code of this workspace, and the editor has not said that you trust it. "
    "Trust the workspace (`trusted` of initializationOptions, or inplace/didChangeTrust) to verify."
)
CLOSED = "Only a file that is open in the editor can be verified."


async def handle(session: Session, params: types.ExecuteCommandParams) -> dict[str, Any] | None:
    """The verdict as JSON; None if there is none, after a message that says why."""
    uri, row = _arguments(params.arguments or ())
    program = program_of(session.server.workspace, uri)
    part = program.part(uri) if program is not None else None
    if not session.trusted or program is None or part is None:
        _refuse(session, CLOSED if session.trusted else UNTRUSTED)
        return None
    await asyncio.to_thread(_load)
    from inplace_lsp.verify.launch import LaunchError  # noqa: PLC0415
    from inplace_lsp.verify.options import DeviceError  # noqa: PLC0415
    from inplace_lsp.verify.target import TargetError, at_line  # noqa: PLC0415

    try:
        target = await asyncio.to_thread(at_line, program.text, part.first_row + row - 1)
        proof = await _prove(session, program, target, params.work_done_token)
    except (TargetError, LaunchError, DeviceError) as error:
        _refuse(session, f"{_name(program, part.uri)}: {error}")
        return None
    if proof is None:
        _show(session, types.MessageType.Info, f"Verifying {told(target)} was cancelled.")
        return None
    return _tell(session, program, proof, uri)


def _load() -> None:
    """Load what verifying takes, when it is first wanted and beside the event loop: it is a lot."""
    import inplace_lsp.lsp.proving  # noqa: F401, PLC0415


def _arguments(arguments: Sequence[Any]) -> tuple[str, int]:
    """The document and the row in it, counted from 1."""
    if len(arguments) == 2 and isinstance(arguments[0], str) and type(arguments[1]) is int:
        return arguments[0], arguments[1]
    raise JsonRpcInvalidParams(f"{COMMAND}: the arguments are [uri, row], not {list(arguments)!r}")


async def _prove(session: Session, program: Program, target: Target, token: int | str | None) -> Proof | None:
    """The proof; None if the user has had enough of waiting."""
    stop, stopped = threading.Event(), asyncio.Event()
    work = asyncio.ensure_future(_run(session, program, target, stop))
    waiting = asyncio.ensure_future(stopped.wait())
    try:
        async with Progress(session, f"Verifying {told(target)}", stopped.set, token, counted=False):
            await asyncio.wait({work, waiting}, return_when=asyncio.FIRST_COMPLETED)
            return None if stopped.is_set() else await work
    finally:
        stop.set()
        work.cancel()
        waiting.cancel()


async def _run(session: Session, program: Program, target: Target, stop: threading.Event) -> Proof:
    from inplace_lsp.lsp.proving import Question, prove  # noqa: PLC0415
    from inplace_lsp.verify.compare import predict  # noqa: PLC0415

    opened = session.opened(program.key)
    predicted = await session.background.submit(
        f"prediction for run {id(stop)}",  # each run has its own: a job of the same key would end the one before
        lambda: predict(program.text, program.filename, target, facts_for(program.filename, session.settings, opened)),
    )
    question = Question(program, target, session.settings, session.interpreter, opened, predicted)
    return await session.prover.submit(
        lambda: prove(question, session.prover, lambda: stop.is_set() or session.prover.is_closed()), stop
    )


def _tell(session: Session, program: Program, proof: Proof, uri: str) -> dict[str, Any]:
    """Keep the proof, show it wherever it holds, and say in a message what came out."""
    from inplace_lsp.verify.as_json import as_json  # noqa: PLC0415

    session.proofs.keep(program.key, proof)
    session.proved(program.key)
    verdict = proof.verdict
    if verdict.output:
        log = f"{verdict.function} printed:\n{verdict.output}"
        session.server.window_log_message(types.LogMessageParams(types.MessageType.Log, log))
    kind = types.MessageType.Info if verdict.verdict == "not-reproduced" else types.MessageType.Warning
    now = program_of(session.server.workspace, uri)
    stale = now is None or proof.held_against(now.text) is None
    message = _message(proof) + (" Its text has changed since; this is about the text before." if stale else "")
    if stale or not directive.can_be_offered(session, proof):
        _show(session, kind, message)
    else:
        session.keep(directive.offer(session, uri, proof, message))
    return {**as_json(verdict), "uri": uri, "stale": stale}


def _message(proof: Proof) -> str:
    verdict = proof.verdict
    name = f"`{verdict.function}`" if proof.target.name else "the program"
    reason = verdict.why.rstrip(".")
    ran = f"torch {verdict.torch} on {verdict.device}, inputs: {verdict.source}, seed {verdict.seed}"
    return f"{name}: {verdict.verdict}: {reason} ({ran})."


def told(target: Target) -> str:
    """The target as a person calls it."""
    from inplace_lsp.verify.target import MODULE  # noqa: PLC0415

    return "the program" if target.name == MODULE else f"`{target.name}`"


def _name(program: Program, uri: str) -> str:
    return (program.filename if len(program.parts) == 1 else uri).rpartition("/")[2]


def _refuse(session: Session, why: str) -> None:
    _show(session, types.MessageType.Warning, why)


def _show(session: Session, kind: types.MessageType, message: str) -> None:
    session.server.window_show_message(types.ShowMessageParams(kind, f"inplace-lsp: {message}"))
