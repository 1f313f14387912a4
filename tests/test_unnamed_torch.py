"""Files that drive models and never name torch: callbacks, helpers of a training loop."""

from __future__ import annotations

from inplace_lsp.engine import analyse_source
from inplace_lsp.hazards.finding import Finding

CALLBACKS = """\
class Callback:
    def __init__(self, every):
        self.every = every

    def after_step(self, trainer, step):
        if step % self.every == 0:
            self.apply(trainer.model)


class Clipping(Callback):
    def __init__(self, bound, every=1):
        super().__init__(every)
        self.bound = bound

    def apply(self, model):
        for p in model.parameters():
            {write}


def run_twice(loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    loss.backward({again})
    optimizer.step()
"""


def _check(text: str) -> list[Finding]:
    return list(analyse_source(text, "/callbacks.py").findings)


def test_what_is_done_to_parameters_is_judged() -> None:
    found = _check(CALLBACKS.format(write="p.clamp_(-self.bound, self.bound)", again=""))
    assert ("IP201", "warning", 17) in [(finding.code, finding.severity, finding.span.row) for finding in found]


def test_the_same_done_to_their_data_is_fine() -> None:
    found = _check(CALLBACKS.format(write="p.data.clamp_(-self.bound, self.bound)", again=""))
    assert "IP201" not in [finding.code for finding in found]


def test_a_file_without_any_of_it_is_not_looked_at() -> None:
    assert not _check("def clip(values, bound):\n    for v in values:\n        v.clamp_(-bound, bound)\n")
