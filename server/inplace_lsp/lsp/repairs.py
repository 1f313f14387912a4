"""Repairs are computed when somebody asks for them, off the event loop, once for a finding of a text."""

from __future__ import annotations

import asyncio

from inplace_lsp.fixes import fixes_for
from inplace_lsp.hazards.finding import Finding, Fix
from inplace_lsp.lsp.session import Result, Session, fixes_key


async def fixes_of(session: Session, result: Result, finding: Finding) -> tuple[Fix, ...]:
    """The repairs of `finding`; none if the text changed while they were looked for."""
    key = (finding.code, finding.span)
    if key not in result.fixes:
        text, analysis = result.program.text, result.analysis
        name = f"{fixes_key(result.program.key)}{key}"
        result.fixes[key] = session.background.submit(name, lambda: fixes_for(text, finding, analysis))
    running = result.fixes[key]
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        if not running.cancelled():
            raise  # the request was cancelled, not the search
        return ()
