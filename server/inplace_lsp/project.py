"""One file checked as its project wants it: the analysis, less what comments and configuration hide.

Both `cli` and `lsp` go through here, so that the terminal and the editor never disagree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from inplace_lsp import engine
from inplace_lsp.analysis import Analysis, NotAnalysed
from inplace_lsp.config import DEFAULT, Config, known_codes
from inplace_lsp.disk import LARGEST, too_large
from inplace_lsp.facts.models import facts_of, is_model_file
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.interpret.state.facts import Facts
from inplace_lsp.model_files.check import check_model
from inplace_lsp.source import suppressions
from inplace_lsp.suppress import suppress
from inplace_lsp.tape.model import Span


def check_text(text: str, filename: str, config: Config = DEFAULT, facts: Facts | None = None) -> Analysis:
    """Analyse `text`, the contents of `filename` (absolute), and keep the findings that `config` and comments leave.

    Without `facts`, imported modules are looked for as Python would, and model files where `config` says, on the disk.
    A model file is no program: what is found in it are the mistakes that keep it from being used.
    """
    if len(text) > LARGEST:
        return Analysis(gaps=(NotAnalysed("the file", Span(filename, 1, 0, 1, 0), too_large(), partly=False),))
    if is_model_file(filename, config.models):
        return apply(Analysis(check_model(text, filename)), text, filename, config)
    return apply(engine.analyse(text, filename, facts or facts_of(config.models)), text, filename, config)


def apply(analysis: Analysis, text: str, filename: str, config: Config) -> Analysis:
    """`analysis` without the findings that comments in `text` or `config` hide, with those about unused comments."""
    comments = suppressions.find(text, filename)
    asked = [*analysis.findings, *(one for one in analysis.remarks if config.wants(one.code, filename))]
    kept, unused = suppress(asked, comments, known_codes()) if comments else (asked, ())
    findings = [*kept, *(one for one in unused if _is_certain(one, comments, analysis.gaps))]
    wanted = [finding for finding in findings if config.wants(finding.code, finding.span.file)]
    return replace(analysis, findings=tuple(sorted(wanted, key=_order)))


def _order(finding: Finding) -> tuple[int, int, str]:
    return finding.span.row, finding.span.column, finding.code


def _is_certain(unused: Finding, comments: Sequence[suppressions.Suppression], gaps: Sequence[NotAnalysed]) -> bool:
    """Where the code was not analysed nobody knows whether a comment is needed."""
    comment = next(one for one in comments if one.span == unused.span)
    blind = [gap.span for gap in gaps if not gap.partly]
    return not blind if comment.whole_file else not any(one.row <= unused.span.row <= one.end_row for one in blind)
