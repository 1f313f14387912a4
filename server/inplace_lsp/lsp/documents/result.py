"""The result of analysing a program, from which handlers and the scan of the workspace make their answers."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from inplace_lsp.analysis import Analysis
from inplace_lsp.hazards.finding import Edit, Fix
from inplace_lsp.lsp.documents.convert import Program
from inplace_lsp.lsp.documents.proofs import NOTHING, Verified
from inplace_lsp.tape.model import Span


@dataclass(frozen=True)
class Result:
    """An analysis with the text it is about: neither is ever mixed with another version's.

    `fixes`, `safe_edits`, `hints` and `answers` cache what is computed from it; an ImportError means that libcst is
    missing.
    """

    program: Program
    analysis: Analysis
    fixes: dict[tuple[str, Span], asyncio.Future[tuple[Fix, ...] | ImportError]] = field(default_factory=dict)
    safe_edits: dict[str, asyncio.Future[Sequence[Edit] | ImportError]] = field(default_factory=dict)
    hints: dict[str, dict[tuple[int, int], list[str]]] = field(default_factory=dict)
    answers: dict[str, object] = field(default_factory=dict)
    read: frozenset[str] = frozenset()
    verified: Verified = NOTHING
