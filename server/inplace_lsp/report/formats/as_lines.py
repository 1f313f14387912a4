"""The same JSON, a finding per line, for programs that read a stream."""

from __future__ import annotations

import json
from typing import TextIO

from inplace_lsp.report.as_json import as_json
from inplace_lsp.report.outcome import Outcome


def write(outcome: Outcome, file: TextIO) -> None:
    """Write the lines."""
    file.writelines(json.dumps(finding) + "\n" for finding in as_json(outcome.findings, outcome.notebooks))
