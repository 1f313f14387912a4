"""JSON for coding agents: all that is needed to understand and repair each finding without reading the file."""

from __future__ import annotations

import json
from typing import TextIO

from inplace_lsp.report.for_agents import outcome_for_agents
from inplace_lsp.report.outcome import Outcome


def write(outcome: Outcome, file: TextIO) -> None:
    """Write one object."""
    file.write(json.dumps(outcome_for_agents(outcome), indent=2) + "\n")
