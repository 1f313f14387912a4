"""Libraries with hundreds of classes: a model file's own `__getattr__` says what their names stand for."""

from __future__ import annotations

import pytest

from support import check

PROGRAM = """\
import torch
from {module} import {name}
from transformers import BertConfig

model = {name}(BertConfig())
pooled = model(torch.zeros(2, 3, dtype=torch.long)).pooler_output
pooled *= 2  # error: IP101
pooled.sum().backward()
"""


@pytest.mark.parametrize(
    "module", ["transformers", "transformers.models.bert", "transformers.models.bert.modeling_bert"]
)
def test_a_class_is_found_by_its_name_wherever_it_lies(module: str):
    check(PROGRAM.format(module=module, name="BertModel"), observed=False)


def test_a_name_that_the_model_does_not_answer_for_stays_unknown():
    program = PROGRAM.format(module="transformers", name="BertSomething").replace("  # error: IP101", "")
    check(program, observed=False)


def test_keyword_arguments_that_are_not_known_may_be_any():
    check(
        """\
import torch
from transformers import AutoModelForSequenceClassification

model = AutoModelForSequenceClassification.from_pretrained("some/model")
optimizer = torch.optim.AdamW(model.parameters())

def train(loader):
    total = 0
    for batch in loader:
        batch = {name: value.to("cuda") for name, value in batch.items()}
        total = total + model(**batch).loss
        total.backward()  # error: IP103
        optimizer.step()
""",
        observed=False,
    )


def test_an_object_whose_class_answers_for_names_has_the_attributes_that_it_gives():
    check("""\
import torch

class Box:
    def __init__(self):
        self.kept = {"w": torch.ones(3, requires_grad=True)}
    def __getattr__(self, name):
        if name in self.kept:
            return self.kept[name]
        raise AttributeError(name)

box = Box()
if hasattr(box, "w"):
    y = box.w.exp()
    y += 1  # error: IP101
    y.sum().backward()
assert getattr(box, "other", None) is None
""")
