"""Suggest what to do about an inconclusive verdict: one step, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from inplace_lsp.verify.inputs.directive import write_directive
from inplace_lsp.verify.inputs.model import Missing
from inplace_lsp.verify.target import MODULE, Target
from inplace_lsp.verify.verdict import Verdict

_PACKAGES = {
    "PIL": "pillow",
    "bs4": "beautifulsoup4",
    "cv2": "opencv-python",
    "dateutil": "python-dateutil",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "yaml": "pyyaml",
}
"""Modules whose package has another name."""
_NOT_INSTALLED = ("is not installed", "Numpy is not available", "ModuleNotFoundError")

_REFUSED = "verify does not allow that"
"""What the sandbox refuses says itself what allows it."""


def with_next_step(verdict: Verdict, target: Target, filename: str, python: str) -> Verdict:
    """Return the verdict with a final note that says what to do if it is inconclusive."""
    said = verdict.source == "directive" or any(_REFUSED in note for note in verdict.notes)
    if verdict.verdict != "inconclusive" or said:
        return verdict
    missing = verdict.missing or _directive_to_fill_in(verdict, target)
    install = _suggest_install(verdict, python)
    step = _with_what_is_missing(install) or _say_with_what(missing) or _try_by_hand(verdict, filename, python)
    return replace(verdict, missing=missing, install=install, notes=(*verdict.notes, f"next: {step}"))


def _directive_to_fill_in(verdict: Verdict, target: Target) -> Missing | None:
    """Return a directive with the inputs that were tried last."""
    if target.name == MODULE or not verdict.arguments or set(verdict.arguments) == {"call"}:
        return None
    given = dict(verdict.arguments)
    receiver = given.pop("self", None)
    return Missing(target.name, verdict.why, write_directive(given, receiver), target.row, target.column)


def _suggest_install(verdict: Verdict, python: str) -> str:
    """Return the command that installs what kept the run from deciding anything; "" if something else did."""
    if not verdict.not_installed or not any(mark in verdict.why for mark in _NOT_INSTALLED):
        return ""
    named = [module for module in verdict.not_installed if f"`{module}`" in verdict.why] or verdict.not_installed
    packages = " ".join(_PACKAGES.get(name, name) for name in dict.fromkeys(named))
    return f"{python} -m pip install {packages}"


def _with_what_is_missing(install: str) -> str:
    return install and f"install what is missing, `{install}`, or name an interpreter that has it (--python)"


def _say_with_what(missing: Missing | None) -> str:
    if missing is None or not missing.directive:
        return ""
    return f"say what to run it with, above line {missing.row}: {missing.directive}"


def _try_by_hand(verdict: Verdict, filename: str, python: str) -> str:
    if verdict.function == MODULE:
        return f"make `{python} {filename}` run without an error, or verify one of its functions (FILE::NAME)"
    return (
        f"say what to run it with: `# inplace: verify(x=randn(4, 3, requires_grad=True), n=2)` above {verdict.function}"
    )


def notes_about_missing(names: Sequence[str]) -> tuple[str, ...]:
    """Return notes about the modules that had stand-ins."""
    if not names:
        return ()
    listed = ", ".join(f"`{name}`" for name in names)
    verb, source = ("is", "it") if len(names) == 1 else ("are", "them")
    return (f"{listed} {verb} not installed there: the run ends where it needs a value from {source}",)
