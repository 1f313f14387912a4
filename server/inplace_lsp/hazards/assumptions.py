"""What a finding has to assume, in words, and how sure it is therefore."""

from __future__ import annotations

from inplace_lsp.hazards.finding import Severity
from inplace_lsp.tape.model import When


def possible(*conditions: When) -> bool:
    """Whether all `conditions` can hold at once; one that never holds makes the hazard impossible."""
    return all(conditions)


def assumptions(*conditions: When) -> tuple[str, ...]:
    """The open conditions as sentences ("x or w requires grad"), without those that another one implies."""
    open_ones = {when.inputs for when in conditions if not when.always}
    weakest_last = [one for one in open_ones if not any(other < one for other in open_ones)]
    return tuple(sorted(f"{' or '.join(sorted(inputs))} requires grad" for inputs in weakest_last))


def severity(assumed: tuple[str, ...]) -> Severity:
    """An error where nothing is assumed, else a warning."""
    return "warning" if assumed else "error"
