"""The explanation of IP902."""

NAME = "model-file-error"
SUMMARY = "A model file has a mistake that keeps the analysis from using it as it is meant."
PAGE = """\
# model-file-error (IP902)

A model file has a mistake that keeps the analysis from using it as it is meant.

## What it does

Looks at the files in the folders that `models` in `[tool.inplace-lsp]` (or the editor's setting) names, and reports:

- text that does not parse, and a name imported from `inplace_lsp.modelling` that does not exist (errors);
- `@ignores` without `because`, or for a name that is no parameter (errors);
- a parameter that the body neither reads nor `@ignores` (a warning);
- a statement at module level that does more than define: it is never executed (a warning);
- a file that defines something but says by no `DESCRIBES` which versions it describes (a warning).

## Why is this bad?

A function that does not parse is unknown, as if there were no model of it. A parameter that nobody looks at is a
gradient that silently gets lost when a caller gives it.

## Use instead

Read the parameter, or say why it does not matter: `@ignores("device", because="where a tensor lies says nothing of who
saves it")`. How to write a model file is in docs/models.md.

## Fix safety

There is no fix.
"""
