"""JSON for programs: one array."""

from __future__ import annotations

import json
from typing import TextIO

from inplace_lsp.report.as_json import as_json
from inplace_lsp.report.outcome import Outcome


def write(outcome: Outcome, file: TextIO) -> None:
    """Write the array."""
    file.write(json.dumps(as_json(outcome.findings, outcome.notebooks), indent=2) + "\n")
