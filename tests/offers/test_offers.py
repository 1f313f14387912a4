"""Offers, judged by running torch: what is offered computes and trains the same, what is not would not."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from inplace_lsp.config import Config
from inplace_lsp.hazards.edits import apply_edits
from inplace_lsp.hazards.finding import OFFER, Edit, Finding
from inplace_lsp.offers.candidates import Candidates
from inplace_lsp.offers.prove import choose_applicable
from inplace_lsp.offers.reading import Reading
from inplace_lsp.project import check_text, with_offers
from inplace_lsp.source.trees import parse_tree
from inplace_lsp.worker.memory import measure_peak

FILE = "/program.py"
ASKING = Config(suggest=True)
STEPS = 3
HERE = Path(__file__).parent
OFFERED = sorted((HERE / "offered").glob("*.py"))
NOT_OFFERED = sorted((HERE / "not_offered").glob("*.py"))
INSTEAD = re.compile(r"^( *).*# not: (.*)$", re.MULTILINE)

Trained = list[torch.Tensor]


def find_offers(text: str) -> list[Finding]:
    found = with_offers(check_text(text, FILE, ASKING), text, FILE, ASKING)
    return [finding for finding in found.findings if finding.code == OFFER]


def apply_offers(text: str, found: list[Finding]) -> str:
    return apply_edits(text, [edit for finding in found if finding.fix is not None for edit in finding.fix.edits])


def run(text: str) -> dict[str, Any]:
    torch.manual_seed(1)
    names: dict[str, Any] = {"__name__": "program", "SHAPE": (4, 6), "EXACT": True, "SHOWN": True}
    exec(compile(text, FILE, "exec"), names)
    return names


def train(text: str) -> Trained:
    """Return what a program's module gives, and its gradients and parameters in three steps."""
    names = run(text)
    net, x = names["Net"](), torch.randn(names["SHAPE"])
    step = torch.optim.SGD(net.parameters(), lr=0.1)
    told: Trained = []
    for _ in range(STEPS):
        step.zero_grad()
        given = x.clone()
        out = net(given)
        told += [out.detach().clone(), given]
        out.pow(2).mean().backward()
        told += [parameter.grad.clone() for parameter in net.parameters() if parameter.grad is not None]
        step.step()
    return told + [parameter.detach().clone() for parameter in net.parameters()]


def is_same(first: Trained, second: Trained, *, exactly: bool) -> bool:
    alike = torch.equal if exactly else torch.allclose
    pairs = zip(first, second, strict=False)
    return len(first) == len(second) and all(
        (one.shape, one.dtype) == (other.shape, other.dtype) and alike(one, other) for one, other in pairs
    )


def read_program(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def name_program(path: Path) -> str:
    return path.stem


@pytest.mark.parametrize("path", OFFERED, ids=name_program)
def test_an_offer_computes_and_trains_the_same(path: Path) -> None:
    text = read_program(path)
    found = find_offers(text)
    marked = [row for row, line in enumerate(text.split("\n"), 1) if line.endswith("# offer")]
    assert list(dict.fromkeys(finding.span.row for finding in found)) == marked != []
    before, exactly = train(text), run(text)["EXACT"]
    for changed in (apply_offers(text, found), *(apply_offers(text, [finding]) for finding in found)):
        assert changed != text
        assert is_same(before, train(changed), exactly=exactly)


@pytest.mark.parametrize("path", NOT_OFFERED, ids=name_program)
def test_a_near_miss_is_not_offered(path: Path) -> None:
    text = read_program(path)
    instead = INSTEAD.search(text)
    assert instead is not None
    row = text.count("\n", 0, instead.start()) + 1
    assert row not in {finding.span.row for finding in find_offers(text)}


@pytest.mark.parametrize("path", NOT_OFFERED, ids=name_program)
@pytest.mark.filterwarnings("ignore")
def test_in_place_a_near_miss_fails_or_computes_something_else(path: Path) -> None:
    text = read_program(path)
    before = train(text)
    try:
        after = train(INSTEAD.sub(r"\1\2", text))
    except RuntimeError:
        assert run(text)["SHOWN"]
        return
    assert is_same(before, after, exactly=False) is not run(text)["SHOWN"]


def test_an_edit_that_cannot_be_made_hides_no_other() -> None:
    text = read_program(HERE / "offered" / "one_number_after_the_other.py")
    tree = parse_tree(text)
    assert tree is not None
    first, second = Candidates(Reading(tree, text, FILE)).find()
    broken = replace(first, edits=tuple(replace(edit, content="(") for edit in first.edits))
    outer = replace(first, edits=(Edit("", replace(first.edits[0].span, end_row=second.span.end_row)),))
    assert choose_applicable(text, [first, second]) == [first, second]
    assert choose_applicable(text, [broken, second]) == [second]
    assert choose_applicable(text, [second, outer, first]) == [second, first]


def test_offers_are_asked_for() -> None:
    text = read_program(OFFERED[0])
    for config in (Config(), Config(select=("IP",)), Config(suggest=True, ignore=("IP5",))):
        assert not [
            f for f in with_offers(check_text(text, FILE, config), text, FILE, config).findings if f.code == OFFER
        ]
    for config in (Config(suggest=True), Config(select=("IP5",)), Config(select=("IP1", "IP501"))):
        assert [f for f in with_offers(check_text(text, FILE, config), text, FILE, config).findings if f.code == OFFER]


def test_a_comment_hides_an_offer() -> None:
    text = read_program(HERE / "offered" / "relu_of_a_layers_result.py")
    assert find_offers(text)
    assert not find_offers(text.replace("# offer", "# inplace: ignore[IP501]"))


def test_an_offer_says_why_and_how() -> None:
    text = read_program(HERE / "offered" / "relu_of_a_variable.py")
    (found,) = find_offers(text)
    assert found.severity == "information" and found.fix is not None and found.fix.applicability == "safe"
    assert found.fix.message == "Write in place: nothing saved `x`, nobody reads it again"
    assert [related.span.row for related in found.related] == [found.span.row - 1]


def test_a_write_to_what_linear_makes_of_three_dimensions_takes_more_memory() -> None:
    layer = torch.nn.Linear(8, 512)
    for shape, saves in (((400, 8), True), ((4, 100, 8), False)):
        peaks = []
        for act in (torch.relu, torch.relu_):
            with measure_peak("cpu") as peak:
                torch.exp(act(layer(torch.ones(shape)))).sum().backward()
            peaks.append(peak.size)
        assert (peaks[1] <= peaks[0]) is saves


@pytest.mark.parametrize(
    ("name", "assumed"),
    [
        ("relu_of_a_layers_result", ["`linear` is given two dimensions"]),
        ("linear_of_what_was_flattened", []),
        ("linear_of_what_was_pooled_and_flattened", []),
        ("dropout", ["it runs on the CPU"]),
    ],
)
def test_an_offer_says_what_it_must_assume_to_save_memory(name: str, assumed: list[str]) -> None:
    found = find_offers(read_program(HERE / "offered" / f"{name}.py"))[0]
    assert len(found.assumptions) == len(assumed)
    assert all(told.startswith(start) for told, start in zip(found.assumptions, assumed, strict=True))
