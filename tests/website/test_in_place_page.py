"""The examples of docs/in-place.md do what the page says."""

from __future__ import annotations

import pytest
import torch

from tools.pages.in_place import EXAMPLES, Example

REPLACED = (
    ("h.add_(1)", "h = h + 1"),
    ("h.mul_(3)", "h = h * 3"),
    ("y.mul_(4)", "y = y * 4"),
    ("h.zero_()", "h = h * 0"),
)
"""The writes of the examples, and the same out of place."""


def run(text: str) -> torch.Tensor:
    names: dict[str, object] = {"torch": torch, "x": torch.tensor([1.0, 2.0], requires_grad=True)}
    exec(text, names)
    x = names["x"]
    assert isinstance(x, torch.Tensor) and x.grad is not None
    return x.grad


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.title)
def test_torch_says_what_the_page_says(example: Example) -> None:
    if example.says:
        with pytest.raises(RuntimeError, match=f"^{example.says}"):
            run(example.text)
        return
    out_of_place = example.text
    for write, instead in REPLACED:
        out_of_place = out_of_place.replace(write, instead)
    assert out_of_place != example.text
    assert torch.equal(run(example.text), run(out_of_place))
