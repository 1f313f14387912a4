"""The recorder stays out of the way: programs from all over torch end in the recorded run as they do without it."""

from __future__ import annotations

import pytest

from inplace_lsp.hazards.registry import find_all
from support import answer, observe

PROGRAMS = {
    "recurrent layers": """
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
out, (h, c) = nn.LSTM(4, 3, 2, bidirectional=True)(torch.rand(5, 2, 4))
(out.sum() + h.sum()).backward()
packed = pack_padded_sequence(torch.rand(2, 5, 4), [5, 3], batch_first=True)
pad_packed_sequence(nn.GRU(4, 3, batch_first=True)(packed)[0])[0].sum().backward()
""",
    "transformer": """
layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
layer(torch.rand(2, 5, 8)).sum().backward()
layer.eval()
with torch.no_grad():
    layer(torch.rand(2, 5, 8))
""",
    "sparse": """
at = torch.tensor([[0, 1], [1, 0]])
matrix = torch.sparse_coo_tensor(at, torch.rand(2), (2, 2), requires_grad=True)
torch.sparse.mm(matrix, torch.rand(2, 2)).sum().backward()
table = nn.Embedding(5, 3, sparse=True)
table(torch.tensor([1, 2])).sum().backward()
torch.optim.SparseAdam(table.parameters()).step()
""",
    "complex": """
x = torch.rand(3, dtype=torch.cfloat, requires_grad=True)
torch.fft.fft(x * x.conj()).abs().sum().backward()
""",
    "nested": """
parts = torch.nested.nested_tensor([torch.rand(2, 3), torch.rand(1, 3)], requires_grad=True)
torch.nested.to_padded_tensor(parts, 0.0).sum().backward()
""",
    "other layouts": """
torch.quantize_per_tensor(torch.rand(3), 0.1, 0, torch.quint8).dequantize().add_(1)
torch.rand(2, device="meta").add_(1)
torch.empty(0).add_(1)
""",
    "loader": """
from torch.utils.data import DataLoader, TensorDataset
w = torch.ones(3, requires_grad=True)
for x, y in DataLoader(TensorDataset(torch.rand(6, 3), torch.rand(6)), batch_size=2, shuffle=True):
    (x @ w - y).square().sum().backward()
""",
    "hooks": """
x = torch.rand(3, requires_grad=True)
x.register_hook(lambda gradient: gradient * 2)
y = x * 2
y.retain_grad()
y.sum().backward()
assert y.grad is not None
""",
    "parametrizations": """
from torch.nn.utils import parametrizations
for wrap in (parametrizations.weight_norm, parametrizations.spectral_norm, parametrizations.orthogonal):
    wrap(nn.Linear(3, 3))(torch.rand(2, 3)).sum().backward()
""",
    "averaged weights": """
from torch.optim.swa_utils import AveragedModel
net = nn.Linear(2, 2)
average = AveragedModel(net)
loss = net(torch.rand(1, 2)).sum()
average.update_parameters(net)
loss.backward()
""",
    "mixed precision": """
net = nn.Linear(2, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu")
with torch.autocast("cpu", dtype=torch.bfloat16):
    loss = net(torch.rand(1, 2)).sum()
scaler.scale(loss).backward()
scaler.unscale_(optimizer)
scaler.step(optimizer)
scaler.update()
""",
    "copies and files": """
import copy, io
net = nn.Sequential(nn.Linear(2, 2), nn.ReLU(inplace=True))
copy.deepcopy(net)(torch.rand(1, 2)).sum().backward()
buffer = io.BytesIO()
torch.save(net.state_dict(), buffer)
buffer.seek(0)
net.load_state_dict(torch.load(buffer))
""",
    "gradients of gradients": """
assert torch.autograd.gradcheck(torch.sin, (torch.rand(3, dtype=torch.double, requires_grad=True),))
torch.autograd.functional.jacobian(lambda x: x**2, torch.rand(2))
""",
    "threads": """
import threading
x = torch.rand(3, requires_grad=True)
thread = threading.Thread(target=lambda: x.exp().sum().backward())
thread.start()
thread.join()
""",
    "printing": """
x = torch.rand(3, requires_grad=True)
y = x.exp()
print(y, f"{y.sum():.3f}", y.tolist(), y[0].item(), len(y), list(y), bool(y.sum() > 0))
y.sum().backward()
""",
    "subclasses": """
class Mine(torch.Tensor):
    pass
x = torch.rand(3).as_subclass(Mine)
x.add_(1)
(x * torch.rand(3, requires_grad=True)).sum().backward()
""",
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", PROGRAMS)
def test_both_runs_end_alike(name: str) -> None:
    tape = observe("import torch\nfrom torch import nn\n" + PROGRAMS[name])
    assert tape.error is None
    assert tape.notes == ()
    assert answer(find_all(tape)) == frozenset()


def test_what_forbids_the_hooks_runs_without_them() -> None:
    tape = observe("import torch\nfrom torch.func import grad\ngrad(lambda x: (x**2).sum())(torch.rand(3))\n")
    assert (tape.error, tape.notes) == (None, ())


def test_what_an_op_saves_and_fills_itself_is_no_silent_write() -> None:
    """`rrelu` keeps its noise before the kernel has drawn it. torch: only the write over sigmoid's result raises."""
    program = "import torch\nz = torch.randn(4, requires_grad=True).sigmoid()\nw = torch.nn.RReLU(inplace=True)(z)\n"
    tape = observe(program + "w.sum().backward()\n")
    assert tape.error is not None
    assert answer(find_all(tape)) == {(3, "IP101")}
