"""Findings to edits. A repair is offered only after the edited text was analysed again.

`offer.fixes_for` gives the repairs of a finding, `offer.with_fixes` fills them in for reports, `fix_all.fix_all` makes
them. Nothing is imported here: the syntax trees are loaded when the first repair is wanted.
"""
