"""The assumptions of a finding in words, and the severity that follows from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from inplace_lsp.hazards import evidence
from inplace_lsp.hazards.finding import Finding, Severity
from inplace_lsp.tape.model import Backward, Event, Tape, When


@dataclass(frozen=True, slots=True)
class Weight:
    """The assumptions of a finding, its severity, and the sentence that explains a hint ("" for others)."""

    assumed: tuple[str, ...]
    severity: Severity
    remark: str = ""
    negligible: bool = False
    """Whether it needs a gradient of what no network computes."""


def is_possible(*conditions: When) -> bool:
    """Return whether all `conditions` can hold at once; one that never holds makes the hazard impossible."""
    return all(conditions)


def list_assumptions(*conditions: When) -> tuple[str, ...]:
    """Return the open conditions as sentences ("x or w requires grad"), without those that another one implies."""
    return tuple(sorted(f"{' or '.join(sorted(inputs))} requires grad" for inputs in _list_open_conditions(conditions)))


def weigh_finding(
    tape: Tape,
    *conditions: When,
    walks: bool = False,
    walked_again: bool = False,
    returned: bool = False,
    doubt: str = "",
    also: tuple[str, ...] = (),
    recorded: Iterable[Event] = (),
) -> Weight:
    """Weigh a finding of `tape` that holds under `conditions`: an error without assumptions, a warning with plausible
    ones, else a hint.

    `walks`: the function calls backward itself. `walked_again`: its backward reaches for the second time what is
    assumed to require grad. `returned`: only a backward of the caller, through the returned value, needs the save.
    `doubt`: why that backward may never run, if no visible code calls one. `also`: further plausible assumptions.
    `recorded`: the events that are harmless while gradients are off.
    """

    unlikely = walked_again or (returned and _finishes_walks(tape))

    def find_doubt(given: str) -> str:
        return _find_doubt(tape, given, walks=walks or walked_again, unlikely=unlikely)

    scopes = tape.list_scopes(recorded)
    scope_assumptions = (f"{scope} leaves gradients on" for scope in scopes)
    assumed = (*list_assumptions(*conditions), *also, *scope_assumptions, *tape.assumed)
    in_doubt = next(filter(None, map(evidence.find_scope_doubt, scopes)), "")
    needed = _list_open_conditions(conditions)
    reason = _find_first_doubt(needed, find_doubt) or in_doubt or doubt
    if reason:
        negligible = any(_is_never_computed(tape, inputs, data=walked_again) for inputs in needed)
        return Weight(assumed, "hint", _format_hint_remark(reason), negligible)
    return Weight(assumed, "warning" if assumed else "error")


def _is_never_computed(tape: Tape, inputs: frozenset[str], *, data: bool) -> bool:
    """Return whether a condition rests on labels, masks, counts and their like alone; with `data` also on data, whose
    graph, if it had one, would be walked again in each round."""
    named = (evidence.is_never_computed(given, tape.function, data=data) for given in inputs)
    return bool(inputs) and tape.trained.isdisjoint(inputs) and all(named)


def _finishes_walks(tape: Tape) -> bool:
    """Return whether the function walks its graphs back itself, so that it is hardly a part of a caller's training."""
    return any(not backward.assumed and not backward.retain for _, backward in tape.events_of(Backward))


def _find_doubt(tape: Tape, given: str, *, walks: bool, unlikely: bool) -> str:
    """Return why an argument (`given`) probably requires no grad; "" if it plausibly does. `unlikely`: the arguments of
    this function hardly carry a graph."""
    if given in tape.trained:
        return ""
    if unlikely and evidence.is_argument(given, tape.parameters):
        return f"`{given}` is given to `{tape.function}`, and nothing here shows that it has a graph"
    if walks and evidence.is_argument(given, tape.made_with):
        return f"the object was made with `{given}`, whose graph only one call of `{tape.function}` could walk"
    return evidence.find_doubt(given, tape.function)


def lower_to_hint(finding: Finding, reason: str) -> Finding:
    """Turn a finding into a hint and add the reason."""
    if finding.severity == "hint":
        return finding
    return replace(finding, severity="hint", message=finding.message + _format_hint_remark(reason))


def _format_hint_remark(reason: str) -> str:
    return f" This is only a hint: {reason}."


def _list_open_conditions(conditions: Iterable[When]) -> list[frozenset[str]]:
    """Return the inputs of the open conditions that no other one implies."""
    open_ones = {when.inputs for when in conditions if not when.always}
    return [inputs for inputs in open_ones if not any(other < inputs for other in open_ones)]


def _find_first_doubt(conditions: Iterable[frozenset[str]], find_doubt: Callable[[str], str]) -> str:
    """Return why one of the conditions is implausible: none of its inputs is plausible."""
    for inputs in sorted(conditions, key=sorted):
        reasons = [find_doubt(name) for name in sorted(inputs)]
        if reasons and all(reasons):
            return reasons[0]
    return ""
