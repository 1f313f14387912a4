"""Clone, then write: `x = x.clone()` in front of `x[i] = v`: what was saved stays as it was."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate, no_leaf, statement_before, use
from inplace_lsp.fixes.program.roots import is_rebindable
from inplace_lsp.fixes.program.site import Site
from inplace_lsp.fixes.program.written import copy_method, written_by
from inplace_lsp.hazards.finding import Finding


def clone_first(site: Site, finding: Finding) -> Iterator[Candidate]:
    """For every write whose written tensor has a name."""
    for written in written_by(site, finding):
        if is_rebindable(site.tree, written) and not _is_kept_view(finding, written):
            name = site.tree.code(written)
            copy = f"{name} = {name}.{copy_method(finding)}()"
            message = f"Write to a copy: `{copy}` before it"
            yield Candidate(message, (statement_before(site, copy),), use(site, written), no_leaf(finding, name))
            return


def _is_kept_view(finding: Finding, written: cst.BaseExpression) -> bool:
    """A view that an object keeps is there to write its base: a copy would leave the base as it is for good."""
    return finding.code == "IP204" and isinstance(written, cst.Attribute)
