"""Findings to edits. A repair is offered only after the edited text was analysed again."""

from inplace_lsp.fixes.edits import apply_edits
from inplace_lsp.fixes.fix_all import Repaired, edits_between, fix_all
from inplace_lsp.fixes.offer import REPAIRABLE, fixes_for, with_fixes

__all__ = ["REPAIRABLE", "Repaired", "apply_edits", "edits_between", "fix_all", "fixes_for", "with_fixes"]
