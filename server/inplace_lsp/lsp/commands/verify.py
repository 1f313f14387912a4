"""workspace/executeCommand `inplace-lsp.verify`: prove a function's findings by running it under torch."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from inplace_lsp.lsp.client.progress import Progress
from inplace_lsp.lsp.client.static_capabilities import COMMAND
from inplace_lsp.lsp.commands.offer_directive import can_be_offered, offer_directive
from inplace_lsp.lsp.documents.analysis import make_facts_for
from inplace_lsp.lsp.documents.convert import Program
from inplace_lsp.lsp.documents.programs import find_program
from inplace_lsp.lsp.session.session import Session

if TYPE_CHECKING:
    from inplace_lsp.lsp.documents.proofs import Proof
    from inplace_lsp.verify.target import Target

UNTRUSTED = (
    "To verify runs the code of this folder, and your editor has not said that you trust it. "
    "docs/editors.md tells how each editor says so."
)
CLOSED = "Only a file that is open in the editor can be verified."


async def handle(session: Session, params: types.ExecuteCommandParams) -> Mapping[str, object] | None:
    """Return the verdict as JSON; None if there is none, after a message with the reason."""
    uri, row = _parse_arguments(params.arguments or ())
    program = find_program(session.server.workspace, uri)
    part = program.find_part(uri) if program is not None else None
    if not session.trusted or program is None or part is None:
        _show_refusal(session, CLOSED if session.trusted else UNTRUSTED)
        return None
    await asyncio.to_thread(_load_verify)
    from inplace_lsp.verify.launch import LaunchError  # noqa: PLC0415
    from inplace_lsp.verify.options import DeviceError  # noqa: PLC0415
    from inplace_lsp.verify.target import TargetError, target_at_line  # noqa: PLC0415

    try:
        target = await asyncio.to_thread(target_at_line, program.text, part.first_row + row - 1)
        proof = await _prove_with_progress(session, program, target, params.work_done_token)
    except (TargetError, LaunchError, DeviceError) as error:
        _show_refusal(session, f"{_name_file(program, part.uri)}: {error}")
        return None
    if proof is None:
        _show_message(session, types.MessageType.Info, f"Verifying {name_target(target)} was cancelled.")
        return None
    return _report_proof(session, program, proof, uri)


def _load_verify() -> None:
    """Load what verifying needs when it is first wanted, beside the event loop: it is a lot."""
    import inplace_lsp.lsp.session.proving  # noqa: F401, PLC0415


def _parse_arguments(arguments: Sequence[object]) -> tuple[str, int]:
    """Return the document and the row in it, counted from 1."""
    if len(arguments) == 2 and isinstance(arguments[0], str) and type(arguments[1]) is int:
        return arguments[0], arguments[1]
    raise JsonRpcInvalidParams(f"{COMMAND}: the arguments are [uri, row], not {list(arguments)!r}")


async def _prove_with_progress(
    session: Session, program: Program, target: Target, token: int | str | None
) -> Proof | None:
    """Return the proof; None if the user cancelled it."""
    stop, stopped = threading.Event(), asyncio.Event()
    progress = Progress(
        session.server, session.client, f"Verifying {name_target(target)}", stopped.set, token, counted=False
    )
    work = asyncio.ensure_future(_run_proof(session, program, target, stop, progress.report_step))
    waiting = asyncio.ensure_future(stopped.wait())
    try:
        async with progress:
            await asyncio.wait({work, waiting}, return_when=asyncio.FIRST_COMPLETED)
            return None if stopped.is_set() else await work
    finally:
        stop.set()
        work.cancel()
        waiting.cancel()


async def _run_proof(
    session: Session, program: Program, target: Target, stop: threading.Event, say: Callable[[str], None]
) -> Proof:
    from inplace_lsp.lsp.session.proving import Question, prove_function  # noqa: PLC0415
    from inplace_lsp.verify.compare import predict  # noqa: PLC0415

    opened, loop = session.open_texts(program.key), asyncio.get_running_loop()
    say("analysing it")
    predicted = await session.background.submit_job(
        f"prediction for run {id(stop)}",  # each run has its own: a job of the same key would end the one before
        lambda: predict(
            program.text, program.filename, target, make_facts_for(program.filename, session.settings, opened)
        ),
    )
    settings = session.settings.find_for_file(program.filename)
    question = Question(program, target, settings, opened, predicted)
    return await session.prover.submit_run(
        lambda: prove_function(
            question,
            session.prover,
            lambda: stop.is_set() or session.prover.is_closed(),
            lambda step: _say_from_thread(loop, say, step),
        ),
        stop,
    )


def _say_from_thread(loop: asyncio.AbstractEventLoop, say: Callable[[str], None], step: str) -> None:
    with contextlib.suppress(RuntimeError):  # the loop is closed: the server is going down
        loop.call_soon_threadsafe(say, step)


def _report_proof(session: Session, program: Program, proof: Proof, uri: str) -> Mapping[str, object]:
    """Keep the proof, show it wherever it holds, and report the verdict in a message."""
    from inplace_lsp.verify.as_json import as_json  # noqa: PLC0415

    session.proofs.remember_proof(program.key, proof)
    session.show_proof(program.key)
    verdict = proof.verdict
    kind = types.MessageType.Info if verdict.verdict == "not-reproduced" else types.MessageType.Warning
    now = find_program(session.server.workspace, uri)
    stale = now is None or proof.apply_to(now.text) is None
    message = _format_message(proof) + (" The code has changed since this run." if stale else "")
    _log_run(session, proof, message)
    if not stale and can_be_offered(session, proof):
        session.run_beside(offer_directive(session, uri, proof, message))
        shown = True
    elif not session.client_tells_verdicts:
        _show_message(session, kind, message)
        shown = True
    else:
        shown = False
    return {**as_json(verdict), "uri": uri, "stale": stale, "message": message, "shown": shown}


def _format_message(proof: Proof) -> str:
    from inplace_lsp.report.run_words import format_sentence  # noqa: PLC0415

    verdict = proof.verdict
    name = f"`{verdict.function}`" if proof.target.name else "the program"
    install = f" Install it: `{verdict.install}`, or choose another interpreter." if verdict.install else ""
    return f"{name}: {verdict.verdict}. {format_sentence(verdict.why)}{install}"


def _log_run(session: Session, proof: Proof, message: str) -> None:
    """Log to the client what was run how, the verdict, and what the code printed."""
    from inplace_lsp.report.run_words import describe_inputs  # noqa: PLC0415

    verdict = proof.verdict
    how = f"torch {verdict.torch} on {verdict.device}, inputs: {describe_inputs(verdict)}, seed {verdict.seed}"
    words = f"verified {message} {how}, {verdict.seconds:.1f} s"
    printed = f"\n{verdict.function} printed:\n{verdict.output}" if verdict.output else ""
    session.server.window_log_message(types.LogMessageParams(types.MessageType.Info, words + printed))


def name_target(target: Target) -> str:
    """Return the target as a person calls it."""
    from inplace_lsp.verify.target import MODULE  # noqa: PLC0415

    return "the program" if target.name == MODULE else f"`{target.name}`"


def _name_file(program: Program, uri: str) -> str:
    return (program.filename if len(program.parts) == 1 else uri).rpartition("/")[2]


def _show_refusal(session: Session, why: str) -> None:
    _show_message(session, types.MessageType.Warning, why)


def _show_message(session: Session, kind: types.MessageType, message: str) -> None:
    session.server.window_show_message(types.ShowMessageParams(kind, f"inplace-lsp: {message}"))
