"""Check one file as its project wants it: the analysis without what comments and configuration hide.

Both `cli` and `lsp` go through here, so that the terminal and the editor never disagree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from inplace_lsp import engine
from inplace_lsp.analysis import Analysis, Cause, Early, NotAnalysed, fault_of
from inplace_lsp.config import DEFAULT, Config, known_codes
from inplace_lsp.disk import LARGEST, too_large
from inplace_lsp.facts.models import is_model_file, make_facts
from inplace_lsp.hazards.finding import OFFER, Finding
from inplace_lsp.hazards.merge import keep_one_per_write
from inplace_lsp.interpret.state.facts import Facts
from inplace_lsp.model_files.check import check_model
from inplace_lsp.source import suppressions
from inplace_lsp.suppress import apply_suppressions
from inplace_lsp.tape.model import Span


def check_text(
    text: str,
    filename: str,
    config: Config = DEFAULT,
    facts: Facts | None = None,
    last: Analysis | None = None,
    early: Early | None = None,
) -> Analysis:
    """Analyse `text`, the contents of `filename` (absolute), and keep the findings that `config` and comments leave.

    Without `facts`, imported modules are looked for on the disk as Python would, and model files where `config` says. A
    model file is not a program: its findings are the mistakes that keep it from being used. `last` and
    `early`: see `engine.analyse_source`.
    """
    if len(text) > LARGEST:
        return Analysis(gaps=(NotAnalysed("the file", _whole(filename), too_large(), Cause.UNREADABLE),))
    if is_model_file(filename, config.models):
        return apply_config(Analysis(check_model(text, filename)), text, filename, config)
    facts = facts or make_facts(config)

    def tell_early(analysis: Analysis) -> None:
        if early is not None:
            early(apply_config(analysis, text, filename, config))

    found = engine.analyse_source(text, filename, facts, last, tell_early if early is not None else None)
    return apply_config(found, text, filename, config)


def with_offers(analysis: Analysis, text: str, filename: str, config: Config, facts: Facts | None = None) -> Analysis:
    """Return `analysis`, that of `check_text`, with the ops that may write in place, if somebody wants to know.

    Proving them costs an analysis or more of the changed text. They are no part of `check_text`, so that repairs are
    judged by what is wrong.
    """
    if not config.is_wanted(OFFER, filename) or len(text) > LARGEST or is_model_file(filename, config.models):
        return analysis
    from inplace_lsp.offers.prove import find_offers  # noqa: PLC0415 - few checks ask for them

    try:
        found = find_offers(text, filename, analysis, lambda changed: check_text(changed, filename, config, facts))
    except Exception as error:  # a bug of ours costs the offers, not what is wrong
        return analysis.with_gaps([fault_of("the search for ops that may write in place", _whole(filename), error)])
    if not found:
        return analysis
    kept, _ = apply_suppressions(found, suppressions.find_suppressions(text, filename), known_codes())
    shown = (_with_severity(finding, config) for finding in kept)
    return replace(analysis, findings=tuple(sorted((*analysis.findings, *shown), key=_sort_key)))


def apply_config(analysis: Analysis, text: str, filename: str, config: Config) -> Analysis:
    """Return `analysis` without the findings that comments or `config` hide, with those about unused comments."""
    comments = suppressions.find_suppressions(text, filename)
    asked = [*analysis.findings, *(remark for remark in analysis.remarks if config.is_wanted(remark.code, filename))]
    kept, unused = apply_suppressions(asked, comments, known_codes()) if comments else (asked, ())
    findings = [*kept, *(finding for finding in unused if _is_certain(finding, comments, analysis.gaps))]
    wanted = [finding for finding in findings if config.is_wanted(finding.code, finding.span.file)]
    kept_once = keep_one_per_write(sorted(wanted, key=_sort_key))
    return replace(analysis, findings=tuple(_with_severity(finding, config) for finding in kept_once))


def _whole(filename: str) -> Span:
    """Return the place of what is said about a file."""
    return Span(filename, 1, 0, 1, 0)


def _with_severity(finding: Finding, config: Config) -> Finding:
    severity = config.severity_of(finding.code, finding.severity)
    return finding if severity == finding.severity else replace(finding, severity=severity)


def _sort_key(finding: Finding) -> tuple[int, int, str]:
    return finding.span.row, finding.span.column, finding.code


def _is_certain(unused: Finding, comments: Sequence[suppressions.Suppression], gaps: Sequence[NotAnalysed]) -> bool:
    """Return whether the comment's code was analysed, so that it is known whether the comment is needed."""
    comment = next(comment for comment in comments if comment.span == unused.span)
    blind = [gap.span for gap in gaps if not gap.partly]
    return not blind if comment.whole_file else not any(gap.row <= unused.span.row <= gap.end_row for gap in blind)
