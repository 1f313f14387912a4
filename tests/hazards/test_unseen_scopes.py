"""What is assumed of context managers and decorators that are not in sight, and where nothing is."""

from __future__ import annotations

import pytest

from inplace_lsp.engine import analyse_source
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.interpret.state.facts import ModuleQuestion, ModuleText, NoFacts

LEAF = """\
    w = torch.rand(3, requires_grad=True)
"""
ASSUMED = {
    "a context that a relative module makes": ("with scope():", "`scope()` leaves gradients on"),
    "a context that the caller gives": ("with given:", "`given` leaves gradients on"),
    "a context that an argument makes": ("with given.accumulate(w):", "`given.accumulate(w)` leaves gradients on"),
    "the outer one of two": ("with given, open('log'):", "`given` leaves gradients on"),
    "an expression without a name": (
        "with given or scope():",
        "a context manager that is not in sight leaves gradients on",
    ),
}
SETTLED = (
    "with torch.enable_grad():",
    "with given, torch.enable_grad():",
    "with open('log') as log:",
    "with contextlib.nullcontext():",
    "with torch.profiler.profile():",
    "with tracing.span():",
)


def _check_body(body: str, decorator: str = "") -> list[Finding]:
    text = f"import contextlib\nimport torch\nimport tracing\nfrom .scopes import scope, stepwise\n\n{decorator}"
    found = analyse_source(f"{text}\ndef run(given, x):\n{body}", "/program.py").findings
    return list(found)


@pytest.mark.parametrize("case", ASSUMED)
def test_a_save_in_an_unseen_scope_says_what_is_assumed(case: str) -> None:
    scope, assumed = ASSUMED[case]
    [finding] = _check_body(f"{LEAF}    {scope}\n        y = w.exp()\n    y.add_(1)\n    y.sum().backward()\n")
    assert (finding.code, finding.severity, finding.assumptions) == ("IP101", "warning", (assumed,))


@pytest.mark.parametrize("case", ASSUMED)
def test_a_leaf_that_is_written_in_an_unseen_scope_is_a_hint(case: str) -> None:
    """Leaves are meant to be written where gradients are off, and that may be what the scope is for."""
    scope, assumed = ASSUMED[case]
    [finding] = _check_body(f"{LEAF}    {scope}\n        w.add_(1)\n")
    assert (finding.code, finding.severity, finding.assumptions) == ("IP201", "hint", (assumed,))


@pytest.mark.parametrize("scope", SETTLED)
def test_nothing_is_assumed_where_gradients_are_known_to_be_on(scope: str) -> None:
    [finding] = _check_body(f"{LEAF}    {scope}\n        w.add_(1)\n")
    assert (finding.code, finding.severity, finding.assumptions) == ("IP201", "error", ())


def test_nothing_is_assumed_behind_the_scope() -> None:
    [finding] = _check_body(f"{LEAF}    with given:\n        x = w * 2\n    w.add_(1)\n")
    assert (finding.code, finding.assumptions) == ("IP201", ())


def test_a_scope_in_which_gradients_are_off_shows_nothing() -> None:
    assert not _check_body(f"{LEAF}    with torch.no_grad(), given:\n        w.add_(1)\n")


def test_the_save_needs_gradients_and_the_write_does_not() -> None:
    rest = "y.sum().backward()\n"
    [saved] = _check_body(f"{LEAF}    with given:\n        y = w.exp()\n    y.add_(1)\n    {rest}")
    [written] = _check_body(f"{LEAF}    y = w.exp()\n    with given:\n        y.add_(1)\n    {rest}")
    assert (saved.code, saved.assumptions) == ("IP101", ("`given` leaves gradients on",))
    assert (written.code, written.assumptions) == ("IP101", ())


def test_overlapping_memory_is_refused_in_every_mode() -> None:
    [finding] = _check_body("    x = torch.zeros(1).expand(3)\n    with given:\n        x.add_(1)\n")
    assert (finding.code, finding.severity) == ("IP205", "error")


def test_a_generator_comes_back_into_its_scope() -> None:
    body = f"""\
    def parts():
        with given:
            yield w
            w.add_(1)

{LEAF}    for part in parts():
        print(part)
"""
    [finding] = _check_body(body)
    assert finding.assumptions == ("`given` leaves gradients on",)


def test_a_decorator_that_is_not_in_sight_is_told() -> None:
    [finding] = _check_body(f"{LEAF}    w.add_(1)\n", "@stepwise")
    assert (finding.severity, finding.assumptions) == ("hint", ("`@stepwise` leaves gradients on",))
    [known] = _check_body(f"{LEAF}    w.add_(1)\n", "@tracing.timed")
    assert (known.severity, known.assumptions) == ("error", ())


def test_a_name_that_says_otherwise_makes_a_hint() -> None:
    [finding] = _check_body(f"{LEAF}    with given.no_grad():\n        w.add_(1)\n")
    assert finding.severity == "hint"
    assert finding.message.endswith("`given.no_grad()` sounds as if it turned gradients off.")


def test_a_way_that_needs_no_assumption_makes_none() -> None:
    """Both ways record the same; what only one of them assumes is none of the finding's."""
    scope = "with given if x else contextlib.nullcontext():"
    [finding] = _check_body(f"{LEAF}    {scope}\n        w.add_(1)\n")
    assert (finding.severity, finding.assumptions) == ("error", ())


def test_a_decorator_that_takes_too_long_to_follow_is_told() -> None:
    """What reads long is not followed: it may switch gradients off, as its name says here."""
    helper = "\n".join(f"    x{i} = {i}" for i in range(300))
    mode = f"import torch\n\n\ndef smart_inference_mode(function):\n{helper}\n    return torch.no_grad()(function)\n"

    class WithHelper(NoFacts):
        def find_module(self, question: ModuleQuestion) -> ModuleText | None:
            return ModuleText("/modes.py", mode) if question.name == "modes" else None

    body = f"{LEAF}    y = w.exp()\n    y.add_(1)\n    return y\n"
    text = f"import torch\nfrom modes import smart_inference_mode\n\n@smart_inference_mode\ndef run():\n{body}"
    [finding] = analyse_source(text, "/program.py", WithHelper()).findings
    assert (finding.severity, finding.assumptions) == ("hint", ("`@smart_inference_mode` leaves gradients on",))
