"""Where numpy is not installed, torch's own arrays do what it does: each expression gives what it gives with numpy."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy
import pytest
import torch

EXPRESSIONS = """
np.array([[1.0, 2.0], [3.0, 4.0]]).mean()
np.vstack([a, a])
np.concatenate([a, a], 0)
int(np.prod((2, 3)))
np.argmax(a)
np.mean(a).item()
f"{np.mean(a):.3f}"
round(np.mean(a), 1)
np.clip(a, 0, 2)
np.where(a > 2, a, 0)
np.expand_dims(a, 0).shape
np.arange(3).tolist()
a[0, 1].item()
a.sum(axis=0)
a @ a
np.log(2.0)
np.finfo(np.float32).eps.item()
[float(part.sum()) for part in a]
torch.from_numpy(a)
torch.tensor(a)
torch.tensor([a, a])
torch.FloatTensor(a)
torch.as_tensor(a[0])
torch.ones(2, 2) * a
torch.ones(2) * np.float32(2)
torch.ones(2) / np.sqrt(4)
torch.ones(2, 2).numpy() + 1
np.asarray(torch.ones(2))
torch.rand(3)[np.array([0, 1])].shape
torch.nn.Linear(np.prod((2, 3)), 4).weight.shape
sorted(np.random.permutation(4).tolist())
np.random.rand(3).shape
np.random.choice(3) < 3
np.random.uniform(-1, 1) < 1
np.isnan(a).any()
a - a.mean()
(a - a.mean()) / np.std(a)
a * np.sqrt(2.0)
np.mean(a) - a
a > a[0, 0]
np.arange(np.argmax(a))
np.zeros((np.argmax(a), 2)).shape
a.clip(a.min() + 1, a.mean())
a.repeat(np.argmax(a))
a.reshape(np.argmax(a) + 1)
a.copy().__iadd__(a.mean())
a[:, np.argmax(a[0])]
np.where(a > a.mean(), a.max(), a)
np.full((2, 2), a.mean())
np.linspace(a.min(), a.max(), np.argmax(a))
a.astype(int) << np.argmax(a)
"""
SET_UP = "a = np.array([[1.0, 2.0], [3.0, 4.0]], dtype=np.float32)\n"
ASK = f"""
import json, sys, torch
from inplace_lsp.worker.standins import StandIn, StandIns
np = StandIn("numpy", "", StandIns())
{SET_UP}
def plain(value):
    value = value.tolist() if hasattr(value, "tolist") else value
    return list(map(plain, value)) if isinstance(value, (list, tuple)) else value
for line in sys.stdin.read().splitlines():
    print(json.dumps(plain(eval(line))))
"""


def plain(value: object) -> object:
    value = value.tolist() if hasattr(value, "tolist") else value
    return list(map(plain, value)) if isinstance(value, (list, tuple)) else value


@pytest.fixture(scope="module")
def answers() -> dict[str, object]:
    lines = EXPRESSIONS.strip().splitlines()
    done = subprocess.run(
        [sys.executable, "-c", ASK], input="\n".join(lines), capture_output=True, text=True, check=False
    )
    assert not done.returncode, done.stderr
    return dict(zip(lines, map(json.loads, done.stdout.splitlines()), strict=True))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("expression", EXPRESSIONS.strip().splitlines())
def test_it_gives_what_numpy_gives(answers: dict[str, object], expression: str) -> None:
    names: dict[str, object] = {"np": numpy, "torch": torch}
    exec(SET_UP, names)
    wanted, got = plain(eval(expression, names)), answers[expression]
    assert got == wanted if isinstance(wanted, (str, bool)) else numpy.allclose(got, wanted)


def test_an_array_has_no_graph_and_no_version_of_the_tensor() -> None:
    text = """
from inplace_lsp.worker.standins import StandIn, StandIns
import torch
np = StandIn("numpy", "", StandIns())
a = np.ones(3)
t = torch.from_numpy(a)
a += 1
assert t.tolist() == [2.0, 2.0, 2.0] and t._version == 0
try:
    np.asarray(torch.ones(2, requires_grad=True))
except RuntimeError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False)
    assert "Can't call numpy() on Tensor that requires grad" in done.stdout, done.stderr


@pytest.mark.parametrize(
    "array", ['np.array(["a", "b"])', 'np.random.choice(["a", "b"])', "np.array([1], dtype=object)"]
)
def test_an_array_that_holds_no_numbers_needs_numpy(array: str) -> None:
    text = f"""
from inplace_lsp.worker.standins import StandIn, StandInError, StandIns
np = StandIn("numpy", "the module `numpy` is not installed", StandIns())
found = {array}
try:
    len(found)
except StandInError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False)
    assert "the module `numpy` is not installed, and the code needs what" in done.stdout, done.stderr


def test_types_by_the_names_that_numpy_had_for_them() -> None:
    text = """
from inplace_lsp.worker.standins import StandIn, StandIns
np = StandIn("numpy", "", StandIns())
assert np.float is float and np.bool is bool
print(np.zeros(2, dtype=np.int).tolist(), np.ones(1).astype(np.float).tolist())
"""
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "[0, 0] [1.0]", done.stderr
