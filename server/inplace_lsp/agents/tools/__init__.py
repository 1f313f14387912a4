"""The tools, one file each; `TOOLS` is their table."""

from __future__ import annotations

from inplace_lsp.agents.tool import Tool
from inplace_lsp.agents.tools.check import CHECK
from inplace_lsp.agents.tools.explain import EXPLAIN
from inplace_lsp.agents.tools.ops import OPS
from inplace_lsp.agents.tools.tape import TAPE
from inplace_lsp.agents.tools.trace import TRACE
from inplace_lsp.agents.tools.verify import VERIFY
from inplace_lsp.agents.tools.why import WHY

TOOLS: dict[str, Tool] = {tool.name: tool for tool in (CHECK, WHY, TAPE, EXPLAIN, OPS, VERIFY, TRACE)}
