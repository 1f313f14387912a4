"""Turn findings into edits. A repair is offered only after the edited text has been analysed again.

`offer.fixes_for` gives the repairs of a finding, `offer.add_fixes` fills them in for reports, `fix_all.fix_all` makes
them. Nothing is imported here: the syntax trees are loaded when the first repair is wanted.
"""
