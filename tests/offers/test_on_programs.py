"""Every offer in the programs of the tests, made: torch computes the same values and gradients as before."""

from __future__ import annotations

import contextlib
import io
import random
import sys
import types
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from inplace_lsp.config import Config
from inplace_lsp.hazards.edits import apply_edits
from inplace_lsp.hazards.finding import OFFER
from inplace_lsp.offers.candidates import Candidates
from inplace_lsp.offers.reading import Reading
from inplace_lsp.project import check_text, with_offers
from inplace_lsp.source.trees import parse_tree

PROGRAMS = Path(__file__).parents[1] / "programs"
ASKING = Config(suggest=True)
AT_LEAST = 100
"""So many of the programs have offers: with none, nothing would be shown."""


@pytest.mark.filterwarnings("ignore")
def test_programs_with_their_offers_made_do_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    made, wrong = 0, []
    for path in sorted(PROGRAMS.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        changed = make_offers(text, str(path))
        if changed != text:
            made += 1
            monkeypatch.chdir(path.parent)
            if not is_alike(outcome(text, path), outcome(changed, path)):
                wrong.append(path.relative_to(PROGRAMS).as_posix())
    assert wrong == []
    assert made > AT_LEAST


def make_offers(text: str, filename: str) -> str:
    tree = parse_tree(text)
    if tree is None or next(Candidates(Reading(tree, text, filename)).find(), None) is None:
        return text
    found = with_offers(check_text(text, filename), text, filename, ASKING).findings
    offers = [finding.fix for finding in found if finding.code == OFFER and finding.fix is not None]
    return apply_edits(text, [edit for fix in offers for edit in fix.edits])


def outcome(text: str, path: Path) -> dict[str, object]:
    """Return the tensors that a program leaves, their gradients, and the kind of error that it ends with."""
    torch.manual_seed(0)
    random.seed(0)
    main = types.ModuleType("program")
    main.__dict__["__file__"] = str(path)
    sys.modules["program"] = main
    error = ""
    with contextlib.redirect_stdout(io.StringIO()), pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(path.parent))
        try:
            exec(compile(text, str(path), "exec"), main.__dict__)
        except Exception as raised:
            error = type(raised).__name__  # the rest names versions, and one more write counts
        finally:
            torch.set_grad_enabled(True)
            del sys.modules["program"]
    return {"error": error, **dict(tensors_in(main))}


def tensors_in(main: types.ModuleType) -> Iterator[tuple[str, torch.Tensor]]:
    for name, value in vars(main).items():
        held = value.named_parameters() if isinstance(value, torch.nn.Module) else [("", value)]
        for part, tensor in held:
            if isinstance(tensor, torch.Tensor) and tensor.layout is torch.strided:
                yield f"{name}.{part}", tensor.detach()
                if tensor.is_leaf and tensor.grad is not None:
                    yield f"{name}.{part}.grad", tensor.grad.detach()


def is_alike(first: dict[str, object], second: dict[str, object]) -> bool:
    return first.keys() == second.keys() and all(is_same(value, second[name]) for name, value in first.items())


def is_same(first: object, second: object) -> bool:
    if not isinstance(first, torch.Tensor) or not isinstance(second, torch.Tensor):
        return first == second
    return first.shape == second.shape and torch.allclose(first, second, equal_nan=True, rtol=1e-4)
