"""`pytest --inplace`: a test that died of an in-place error gets the trace in its report.

pytest loads this file at every start, so all else is loaded only if the option is given.
"""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option `--inplace`."""
    parser.getgroup("inplace-lsp").addoption(
        "--inplace",
        action="store_true",
        dest="inplace_lsp",
        help="explain the in-place errors that tests fail with: which line wrote the tensor, and which had saved it",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Watch the tests if `--inplace` is given."""
    if config.getoption("inplace_lsp"):
        from inplace_lsp.inside.pytest_hooks import Explainer  # noqa: PLC0415  (only now is it needed)

        config.pluginmanager.register(Explainer(), "inplace-lsp-explainer")
