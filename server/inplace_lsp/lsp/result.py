"""The result of analysing a program: what handlers and the scan of the workspace make their answers of."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

from inplace_lsp.analysis import Analysis
from inplace_lsp.lsp.convert import Program
from inplace_lsp.lsp.proofs import NOTHING, Verified


@dataclass(frozen=True)
class Result:
    """An analysis with the text it is about: neither is ever mixed with another version's."""

    program: Program
    analysis: Analysis
    fixes: dict[object, asyncio.Future[Any]] = field(default_factory=dict)
    hints: dict[str, dict[tuple[int, int], list[str]]] = field(default_factory=dict)
    answers: dict[str, object] = field(default_factory=dict)
    read: frozenset[str] = frozenset()
    verified: Verified = NOTHING
