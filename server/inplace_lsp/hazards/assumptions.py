"""What a finding has to assume, in words, and how sure it is therefore."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from inplace_lsp.hazards import evidence
from inplace_lsp.hazards.finding import Finding, Severity
from inplace_lsp.tape.model import Tape, When


@dataclass(frozen=True, slots=True)
class Weight:
    """What a finding assumes, how sure it is therefore, and in a sentence why it is only a hint, "" if it is not."""

    assumed: tuple[str, ...]
    severity: Severity
    remark: str = ""


def possible(*conditions: When) -> bool:
    """Whether all `conditions` can hold at once; one that never holds makes the hazard impossible."""
    return all(conditions)


def assumptions(*conditions: When) -> tuple[str, ...]:
    """The open conditions as sentences ("x or w requires grad"), without those that another one implies."""
    return tuple(sorted(f"{' or '.join(sorted(inputs))} requires grad" for inputs in _open(conditions)))


def weigh(
    tape: Tape,
    *conditions: When,
    walks: bool = False,
    walked_again: bool = False,
    infers: str = "",
    also: tuple[str, ...] = (),
) -> Weight:
    """Weigh a finding of `tape` that holds under `conditions`: an error where nothing is assumed, a warning where what
    is assumed is believable, else a hint.

    `walks`: the function walks the graph itself; `walked_again`: it meets for a second time what is assumed to require
    grad. `infers`: nobody in sight walks the graph, and that function is called by what is done without gradients.
    `also`: what else is assumed, and believable.
    """

    def doubt(given: str) -> str:
        if given in tape.trained:
            return ""
        if walked_again and evidence.is_given(given, tape.parameters):
            return f"`{given}` is given to `{tape.function}`, and nothing in sight says that it carries a graph"
        if (walks or walked_again) and evidence.is_given(given, tape.made_with):
            return f"the object was made with `{given}`, whose graph only one call of `{tape.function}` could walk"
        return evidence.doubt(given, tape.function)

    assumed = (*assumptions(*conditions), *also)
    reason = _find_doubt(_open(conditions), doubt)
    if not reason and infers:
        reason = f"`{infers}` is called by what is done without gradients, and nobody in sight walks its result"
    if reason:
        return Weight(assumed, "hint", _remark(reason))
    return Weight(assumed, "warning" if assumed else "error")


def lower(finding: Finding, doubt: str) -> Finding:
    """Make a hint of a finding, and let it say why."""
    if finding.severity == "hint":
        return finding
    return replace(finding, severity="hint", message=finding.message + _remark(doubt))


def _remark(doubt: str) -> str:
    return f" This is only a hint: {doubt}."


def _open(conditions: Iterable[When]) -> list[frozenset[str]]:
    """The inputs of the open conditions of which none implies another one."""
    open_ones = {when.inputs for when in conditions if not when.always}
    return [one for one in open_ones if not any(other < one for other in open_ones)]


def _find_doubt(conditions: Iterable[frozenset[str]], doubt: Callable[[str], str]) -> str:
    """Return why one of the conditions is not believable: none of its inputs is."""
    for inputs in sorted(conditions, key=sorted):
        reasons = [doubt(one) for one in sorted(inputs)]
        if reasons and all(reasons):
            return reasons[0]
    return ""
