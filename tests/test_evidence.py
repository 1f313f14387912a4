"""What counts as evidence that an input carries a graph: code of libraries, where nobody calls anything.

Nothing here can be run (the inputs are anybody's), so only the static analysis is asked.
"""

import pytest

from support import check

HEAD = "import torch\nimport numpy as np\nfrom torch import nn\n\n"

NOT_A_GRADIENT = {
    "scores in a head": """
class Head(nn.Module):
    def forward(self, scores, limits):
        clipped = []
        for score, limit in zip(scores.split(1), limits):
            score[:, 0].clamp_(max=limit)  # error: IP203
            clipped.append(score)
        return clipped
""",
    "what transforms make of an image, and one transform, which may be a layer": """
class Model(nn.Module):
    def forward(self, image):
        prepared = self.transforms(image)
        scaled = prepared.exp()
        scaled += 1
        moved = self.transform(image)
        other = moved.exp()
        other += 1  # error: IP101
        return scaled + other
""",
    "durations, which are counts": """
class Model(nn.Module):
    def forward(self, durations, lengths):
        scaled = durations.exp()
        scaled[lengths == 1] = 0
        return scaled
""",
    "texts, which are token ids": """
class Model(nn.Module):
    def forward(self, text, text_lengths):
        targets = []
        for words, length in zip(text, text_lengths):
            words = words[:length]
            words[:1] = -100
            targets.append(words[1:])
        return torch.cat(targets)
""",
    "an argument of a function whose walk makes a graph for others": """
def weigh(curve, values):
    (slope,) = torch.autograd.grad((curve**2).sum(), curve, create_graph=True)
    levels = values.exp()
    levels *= 2  # error: IP101
    return (slope * levels).sum()
""",
    "an argument to which an array is written, and one to which a number is": """
class Model(nn.Module):
    def forward(self, canvas, sheet, gain):
        scaled = canvas * gain
        canvas[:2] = np.ones(2)
        other = sheet * gain
        sheet[:2] = 1  # error: IP101
        return scaled + other
""",
    "an argument that is clipped at an array, and one at a number": """
class Model(nn.Module):
    def forward(self, canvas, sheet, gain):
        scaled = canvas * gain
        low = canvas.clip(min=np.zeros(3))
        canvas += 1
        other = sheet * gain
        high = sheet.clip(min=0)
        sheet += 1  # error: IP101
        return scaled + other + low + high
""",
    "an argument of a function that fits a leaf of its own": """
def fit(points, goal, steps):
    shift = torch.zeros(3, requires_grad=True)
    optimizer = torch.optim.SGD([shift], lr=0.1)
    for _ in range(steps):
        loss = (points + shift - goal).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    points /= points.norm(dim=-1, keepdim=True)
    return points + shift.detach()
""",
    "an image that an attack walks to by a leaf of its own": """
def perturb(model, image, goal):
    delta = torch.zeros_like(image, requires_grad=True)
    loss = (model(image + delta) - goal).pow(2).mean()
    (slope,) = torch.autograd.grad(loss, delta)
    brightness = image.exp()
    brightness *= 2
    return brightness + slope.sign()
""",
    "what an unseen function makes of a batch under no_grad": """
def embed(loader, model, forward):
    found = []
    for batch in loader:
        with torch.no_grad():
            out = forward(model, batch)
            out = out.unsqueeze(1)
        out /= out.norm(dim=-1).unsqueeze(-1)
        found.append(out)
    return torch.cat(found)
""",
    "a list of a class of its own": """
class Parts:
    def __init__(self, parts):
        self.parts = parts

    def __iter__(self):
        return iter(self.parts)

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x, scale):
        if isinstance(x, Parts):
            for part in x:
                part /= scale
        else:
            x = x / scale
        return self.linear(x)
""",
    "sines and cosines of positions": """
class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.query = nn.Linear(3, 3)

    def forward(self, x, image_rotary_emb):
        cos, sin = image_rotary_emb
        query = self.query(x)
        query[:, 1:] = query[:, 1:] * cos + query[:, 1:] * sin
        return query
""",
    "a name that nothing binds": """
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x):
        y = torch.exp(misspelt)
        y += 1
        return self.linear(x + y)
""",
    "a copy of an array": """
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x, sizes):
        gain = sizes.copy()
        shifted = x.detach() * gain
        gain[0] = 1
        return self.linear(x) + shifted
""",
    "a method that is called under no_grad, and once without": """
class Average(nn.Module):
    def __init__(self, model, only_weights=False):
        super().__init__()
        self.module = model
        self.only_weights = only_weights

    @torch.no_grad()
    def update(self, model):
        if self.only_weights:
            self._update_weights(model, 0.5)

    def _update_weights(self, model, rate):
        for own, other in zip(self.module.parameters(), model.parameters()):
            own.lerp_(other, rate)  # error: IP201

    def reset(self, model):
        if self.only_weights:
            self._update_weights(model, 1.0)
""",
    "a method that is called under no_grad, and handed on": """
class Average(nn.Module):
    def __init__(self, model, only_weights=False):
        super().__init__()
        self.module = model
        self.only_weights = only_weights

    @torch.no_grad()
    def update(self, model):
        if self.only_weights:
            self._mix(model)

    def _mix(self, model):
        for own, other in zip(self.module.parameters(), model.parameters()):
            own.lerp_(other, 0.5)  # error: IP201

    def hook(self):
        return self._mix
""",
    "an element of a list that may be missing": """
class Cell(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x, states: list[torch.Tensor] | None = None):
        if states is None:
            states = [x]
        mixed = states[0] * self.linear(x)
        states[0] += 1  # error: IP101
        return mixed
""",
    "a branch taken only where nothing requires grad": """
class Blur(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 1, 3)
        self.register_buffer("kernel", torch.rand(3))

    def forward(self, image):
        first = image * self.kernel
        halves = first.exp()
        if halves.dim() == 4 and not first.requires_grad:
            blurred = torch.empty_like(first)
            torch.mul(first, self.kernel, out=blurred)
            halves += blurred
        return self.conv(halves)
""",
    "batches": """
def train(batches):
    net = nn.Linear(3, 3)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for batch in batches:
        loss = net(batch).sum()
        optimizer.step()
        loss.backward()
""",
    "a model that is evaluated": """
def evaluate(model, x: torch.Tensor):
    scores = torch.exp(model(x))
    scores += 1
    return scores
""",
    "a result computed under no_grad": """
class Detector(nn.Module):
    def detect(self, batch, ids: torch.Tensor):
        with torch.no_grad():
            logits = self(**batch, ids=ids, use_cache=False).logits[:, -1]
        logits[:, ids > 0] = -1.0
        return logits.argmax(-1)
""",
    "a number of a configuration": """
class Embedding(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.size = config.image_size
        self.half = config.hidden / 2
        self.table = nn.Linear(2, 8)

    def forward(self, points):
        points = points.clone()
        points[:, 0] = points[:, 0] / self.size
        points.copy_(2 ** (points / self.half))
        return self.table(points)
""",
    "an annotated pair of numbers": """
class Embedding(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Linear(2, 8)

    def forward(self, points, size: tuple[int, int]):
        points = 1 * points
        points[:, 0] = points[:, 0] / size[0]
        points[:, 1] = points[:, 1] / size[1]
        return self.table(points)
""",
    "a list that counts": """
class Cached(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(3, 3, 1)

    def forward(self, x, cache=None, at=None):
        if at is None:
            at = [0]
        if cache is not None:
            index = at[0]
            if cache[index] is None:
                cache[index] = x.clone()
            else:
                x = self.conv(torch.cat([cache[index][:, :, -1:], x], 2))
            at[0] += 1
        return x
""",
    "a dict of outputs": """
class Trunk(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(3)

    def forward(self, states):
        pair = self.norm(states["pair"])
        states["pair"] = states["pair"].cpu()
        return pair
""",
    "a class that works without gradients": """
class Pipeline:
    @torch.no_grad()
    def __call__(self, batch):
        return self.normalize(batch)

    @staticmethod
    def normalize(normals: torch.Tensor):
        length = torch.norm(normals, dim=1, keepdim=True)
        normals /= length.clamp(min=1e-6)
        return normals
""",
    "labels": """
class Assigned(nn.Module):
    def forward(self, targets):
        gain = torch.ones(3)
        scaled = targets * gain
        gain[1:] = 2.0
        return scaled
""",
    "an entry of a batch": """
class Shifted(nn.Module):
    def forward(self, batch):
        length = batch["lengths"].float()
        ratio = length.exp()
        ratio += 1
        return ratio
""",
    "a mask that is moved first": """
class Masked(nn.Module):
    def forward(self, attention_mask):
        mask = attention_mask.to("cpu").float()
        weight = mask.exp()
        weight -= 1
        return weight
""",
    "boxes, outside of a loss": """
class Enlarged(nn.Module):
    def forward(self, boxes, shape):
        size = boxes[:, 2:].exp()
        size *= shape
        return size
""",
    "a data set that every pass takes a part of": """
def train(model, data, steps):
    shuffled = data[torch.randperm(len(data))]
    for step in range(steps):
        loss = model(shuffled[step]).sum()
        loss.backward()
""",
    "what is done with a trained model": """
class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward_test(self, x):
        scores = self.linear(x).exp()
        scores += 1
        return scores
""",
    "scores in post-processing": """
class PostProcessor(nn.Module):
    def forward(self, scores, limits):
        clipped = []
        for score, limit in zip(scores.split(1), limits):
            score[:, 0].clamp_(max=limit)
            clipped.append(score)
        return clipped
""",
    "weights that are merged": """
class Adapted(nn.Module):
    def __init__(self):
        super().__init__()
        self.base = nn.Linear(3, 3)
        self.down = nn.Parameter(torch.rand(1, 3))
        self.up = nn.Parameter(torch.rand(3, 1))

    def merge(self):
        merged = self.base.weight + self.up @ self.down
        self.base.weight.data = merged
""",
    "a method that is only called under no_grad": """
class Average(nn.Module):
    def __init__(self, model, only_weights=False):
        super().__init__()
        self.module = model
        self.only_weights = only_weights

    @torch.no_grad()
    def update(self, model):
        if self.only_weights:
            self._update_weights(model, 0.5)

    def _update_weights(self, model, rate):
        for own, other in zip(self.module.parameters(), model.parameters()):
            self._mix(own, other, rate)

    def _mix(self, own, other, rate):
        own.lerp_(other, rate)

    def reset(self, model):
        with torch.no_grad():
            if self.only_weights:
                self._update_weights(model, 1.0)
""",
    "a dict of pairs, by its annotation": """
class Shared(nn.Module):
    def __init__(self, reuse, store, kind):
        super().__init__()
        self.reuse, self.store, self.kind = reuse, store, kind
        self.linear = nn.Linear(3, 3)

    def forward(self, x, shared: dict[str, tuple[torch.Tensor, torch.Tensor]] | None = None):
        if self.reuse:
            keys, values = shared[self.kind]
        else:
            keys, values = self.linear(x), x
        if self.store:
            shared[self.kind] = keys, values
        return keys.exp() + values
""",
    "a pair that may be missing, by its annotation": """
class Cell(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x, state: "Optional[Tuple[torch.Tensor, torch.Tensor]]" = None):
        if state is None:
            state = torch.zeros(3), torch.zeros(3)
        hidden, memory = state
        memory += self.linear(x + hidden)
        return memory
""",
    "pairs that are put into it": """
class Cached(nn.Module):
    def __init__(self, layer):
        super().__init__()
        self.layer = layer
        self.linear = nn.Linear(3, 3)

    def forward(self, x, known):
        keys, values = known[self.layer]
        known[self.layer] = torch.cat([keys, self.linear(x)]), values
        return keys + values.exp()
""",
    "what the object was made with, and a method that walks at each call": """
class Fit:
    def __init__(self, angles, offset):
        self.angles = angles.detach().clone().requires_grad_(True)
        self.offset = offset
        self.optimizer = torch.optim.Adam([self.angles])

    def step(self):
        turned = self.angles * 2
        placed = turned * self.offset
        turned += 1
        self.optimizer.zero_grad()
        (placed.sum() + turned.sum()).backward()
        self.optimizer.step()
""",
    "what picks among a model's results, in a module": """
def non_max_suppression(found, limit):
    scores = found[:, 4].exp()
    scores *= limit
    return scores


class Postprocessor(nn.Module):
    def forward(self, found):
        scores = found.exp()
        scores *= 2
        return scores


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 6)

    def forward(self, x):
        return self.pick(self.linear(x))

    def pick(self, found):
        return non_max_suppression(found, 0.5)
""",
    "the data of settings": """
def start(opt):
    if isinstance(opt.data, str):
        opt.data, opt.weights = find_file(opt.data), str(opt.weights)
    else:
        opt.data = find_file(opt.data)
    train(opt)
    loss = nn.Linear(1, 1)(torch.rand(1)).sum()
    loss.backward()
""",
    "weights from elsewhere": """
class Whitening(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = nn.Parameter(torch.zeros(3))
        self.mean.data *= np.sqrt(1 / sum([1, 2]))

    def load(self, model):
        self.mean.data = model["mean"]
""",
}

A_GRADIENT = {
    "durations that a network predicts": """
class Model(nn.Module):
    def forward(self, predicted_durations, lengths):
        scaled = predicted_durations.exp()
        scaled[lengths == 1] = 0  # error: IP101
        return scaled
""",
    "features of a text": """
class Model(nn.Module):
    def forward(self, text_features, text_lengths):
        targets = []
        for features, length in zip(text_features, text_lengths):
            features = features[:length]
            features[:1] = -100  # error: IP203
            targets.append(features[1:])
        return torch.cat(targets)
""",
    "an argument of forward": """
class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x, scale):
        y = self.linear(x) * scale
        scale += 1  # error: IP101
        return y
""",
    "what an unknown module made": """
class Gated(nn.Module):
    def __init__(self, gate):
        super().__init__()
        self.gate = gate
        self.linear = nn.Linear(3, 3)

    def forward(self, x):
        weight = self.gate(x)
        y = self.linear(x) * weight
        weight += 1  # error: IP101
        return y
""",
    "a context without gradients beside code with them": """
def update(weight, step):
    with torch.no_grad():
        scale = weight.norm()
    out = weight.exp()
    out += scale  # error: IP101
    return out
""",
    "a forward that a decorator of the file goes round": """
def scaled(factor):
    def wrap(forward):
        def inner(self, *args, **kwargs):
            out = forward(self, *args, **kwargs)
            out *= factor  # error: IP101
            return out

        return inner

    return wrap


class Gate(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)

    @scaled(0.5)
    def forward(self, x):
        return torch.sigmoid(self.linear(x))
""",
    "what the object was made with, and trains": """
class Fit:
    def __init__(self, angles, offset):
        self.angles, self.offset = angles, offset
        self.optimizer = torch.optim.Adam([self.angles])

    def step(self):
        turned = self.offset * 2
        placed = turned * self.angles
        turned += 1  # error: IP101
        self.optimizer.zero_grad()
        (placed.sum() + turned.sum()).backward()
        self.optimizer.step()
""",
    "what a forward predicts and draws": """
class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 6)

    def forward(self, x):
        return self.predict_depth(self.linear(x))

    def predict_depth(self, features):
        depth = features.exp()
        depth += 1  # error: IP101
        return depth
""",
    "labels that are trained": """
def attack(model, targets, scale):
    shifted = targets.exp()
    shifted += scale  # error: IP101
    (gradient,) = torch.autograd.grad(model(shifted).sum(), targets)
    return gradient
""",
    "labels and an activation": """
class Compared(nn.Module):
    def forward(self, hidden, targets):
        both = (hidden - targets).exp()
        both += 1  # error: IP101
        return both
""",
    "what a network says of masks": """
class Head(nn.Module):
    def forward(self, mask_logits):
        weight = mask_logits.exp()
        weight -= 1  # error: IP101
        return weight
""",
    "a module that is called by what it makes": """
class Head(nn.Module):
    def __init__(self, mask_head):
        super().__init__()
        self.mask_head = mask_head

    def forward(self, x):
        weight = self.mask_head(x)
        soft = weight.exp()
        soft -= 1  # error: IP101
        return soft
""",
    "boxes in a loss": """
class SizeLoss(nn.Module):
    def forward(self, boxes, truth):
        size = (boxes[:, 2:] - truth[:, 2:]).exp()
        size *= 2  # error: IP101
        return size
""",
    "a loss that is walked twice": """
def walk(loss):
    total = loss.exp()
    total.backward()
    total.backward()  # error: IP103
""",
    "weights that are merged and used": """
class Adapted(nn.Module):
    def __init__(self):
        super().__init__()
        self.base = nn.Linear(3, 3)
        self.down = nn.Parameter(torch.rand(1, 3))
        self.up = nn.Parameter(torch.rand(3, 1))

    def forward(self, x):
        merged = self.base.weight + self.up @ self.down
        self.base.weight.data = merged  # error: IP302
        return self.base(x)
""",
    "actions that are evaluated": """
class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def evaluate_actions(self, hidden):
        mean = torch.tanh(self.linear(hidden))
        mean *= 2  # error: IP101
        return mean
""",
    "a class that nobody in sight makes": """
class Expert(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(dim, dim))
        self.reset_parameters()

    def reset_parameters(self):
        self.weight.normal_(std=0.02)  # error: IP201
""",
}


NETWORK = """
class Network(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        return torch.tanh(self.linear(x))

    def copy(self):
        copied = Network(3)
        copied.load_state_dict(self.state_dict())
        return copied
"""
ANNOTATED = {
    "a network by its class": """
def scale(network: Network, x):
    y = network(x)
    y *= 2  # error: IP101
    return y
""",
    "its text, and None": """
def scale(x, network: "Network | None" = None):
    y = network(x)
    y += 1  # error: IP101
    return y
""",
    "a copy that a method makes": """
def scale(network: Network, x):
    y = network.copy()(x)
    y *= 2  # error: IP101
    return y
""",
    "kept by a trainer": """
class Trainer:
    def __init__(self, network: Network, rate):
        self.network = network
        self.optimizer = torch.optim.SGD(network.parameters(), lr=rate)

    def step(self, x, y):
        first = (self.network(x) - y).pow(2).mean()
        second = (self.network(y) - x).pow(2).mean()
        first.backward()
        self.optimizer.step()  # error: IP102
        second.backward()
""",
    "a trainer that steps last": """
class Trainer:
    def __init__(self, network: Network, rate):
        self.network = network
        self.optimizer = torch.optim.SGD(network.parameters(), lr=rate)

    def step(self, x, y):
        loss = (self.network(x) - y).pow(2).mean() + (self.network(y) - x).pow(2).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
""",
    "any module": """
def train(network: nn.Module, x, y, rate):
    optimizer = torch.optim.SGD(network.parameters(), lr=rate)
    first, second = network(x).mean(), network(y).mean()
    first.backward()
    optimizer.step()  # error: IP102
    second.backward()
""",
    "a base class that others fill in": """
class Base(nn.Module):
    def forward(self, x):
        raise NotImplementedError


def scale(base: Base, network: Network, x):
    base(x)
    y = network(x)
    y += 1  # error: IP101
    return y
""",
    "two that make each other": """
class Left(nn.Module):
    def __init__(self, right: "Right"):
        super().__init__()
        self.right = right

    def forward(self, x):
        return self.right(x)


class Right(nn.Module):
    def __init__(self, left: Left):
        super().__init__()
        self.left, self.linear = left, nn.Linear(3, 3)

    def forward(self, x):
        return torch.exp(self.linear(x))


def scale(left: Left, x):
    y = left(x)
    y += 1  # error: IP101
    return y
""",
}


@pytest.mark.parametrize("program", ANNOTATED.values(), ids=ANNOTATED)
def test_annotations_say_which_module_is_given(program):
    check(HEAD + NETWORK + program, observed=False)


GIVEN_TO_TRAIN = {
    "outputs of a step, returned to be shown": """
def run_step(model, criterion, optimizer, x, y, warm):
    outputs = model(x)
    loss = criterion(outputs, y)
    if warm:
        optimizer.zero_grad()
        loss.backward()
    optimizer.step()
    return {"outputs": outputs, "targets": y}
""",
    "outputs of a step, walked by another function": """
def run_step(model, optimizer, x):
    outputs = model(x)
    optimizer.step()  # error: IP102
    return outputs

def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for x in loader:
        run_step(model, optimizer, x).sum().backward()
""",
    "weights that unseen code averages": """
def train(model, target, averager, optimizer, loader):
    for x, y in loader:
        loss = (model(x) - target(x).detach()).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        for new, old in zip(model.parameters(), target.parameters()):
            old_weight, new_weight = old.data, new.data
            old.data = averager.update(old_weight, new_weight)
""",
    "a state that unseen code computes anew": """
def train(state, update, optimizer, loader):
    state.requires_grad_()
    for x in loader:
        state.data = update(x * state)  # error: IP302
        optimizer.zero_grad()
        (state * x).sum().backward()
        optimizer.step()
""",
    "memories that are moved one by one": """
class Agent:
    def __init__(self, width, device):
        self.critic = nn.Linear(width, 1)
        self.optimizer = torch.optim.Adam(self.critic.parameters())
        self.device = device

    def update(self, memories, times):
        with torch.no_grad():
            states, returns, before = [memory.to(self.device) for memory in memories]
        for _ in range(times):
            picked = torch.randint(9, size=(3,))
            known = returns[picked]
            ratio = (self.critic(states[picked]).squeeze(1) - before[picked].detach()).exp()
            (ratio * known).mean().backward()
            loss = nn.functional.mse_loss(self.critic(states[picked]).squeeze(1), known)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
""",
    "a state goes through an unseen function before the next pass": """
from mylib import repackage

def train(model, optimizer, batches, criterion):
    model.train()
    hidden = model.init_hidden(20)
    for x, y in batches:
        hidden = repackage(hidden)
        out, hidden = model(x, hidden)
        loss = criterion(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
""",
    "an object that an unseen function made gets another tensor in each round": """
from mylib import make_posterior

def train(posterior_of, log, rounds):
    log.requires_grad_()
    posterior = make_posterior(precision=log.exp())
    for _ in range(rounds):
        loss = -posterior.log_likelihood(log.exp())
        loss.backward()

def train_with_one(posterior_of, log, rounds):
    log.requires_grad_()
    precision = log.exp()
    posterior = make_posterior(width=2)
    for _ in range(rounds):
        loss = (precision - posterior.mean(log)).sum()
        loss.backward()  # error: IP103
""",
    "a state that is carried on": """
def train(model, optimizer, batches):
    hidden = None
    for x in batches:
        out, hidden = model(x, hidden)
        loss = out.mean()
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        optimizer.step()  # error: IP102
""",
    "a state that is detached": """
def train(model, optimizer, batches):
    hidden = None
    for x in batches:
        out, hidden = model(x, hidden)
        hidden = hidden.detach()
        loss = out.mean()
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        optimizer.step()
""",
    "optimizers by the names of their networks": """
def train(G, D, loader, opt_G, opt_D):
    for real in loader:
        score = D(G(torch.randn(8, 100)))
        loss_g = -score.mean()
        loss_d = score.mean() - D(real).mean()
        opt_G.zero_grad()
        loss_g.backward(retain_graph=True)
        opt_G.step()  # error: IP102
        opt_D.zero_grad()
        loss_d.backward()
        opt_D.step()

def train_well(G, D, loader, opt_G, opt_D):
    for real in loader:
        fake = G(torch.randn(8, 100))
        loss_d = D(fake.detach()).mean() - D(real).mean()
        opt_D.zero_grad()
        loss_d.backward()
        opt_D.step()
        loss_g = -D(fake).mean()
        opt_G.zero_grad()
        loss_g.backward()
        opt_G.step()
""",
    "optimizers by the beginnings of the names of their networks": """
def train(generator, discriminator, opt_g, disc_opt, real):
    fake = generator(torch.randn(8, 100))
    loss_g = -discriminator(fake).mean()
    loss_d = discriminator(fake.detach()).mean() - discriminator(real).mean()
    disc_opt.zero_grad()
    loss_d.backward()
    disc_opt.step()  # error: IP102
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()

def train_well(generator, discriminator, opt_g, disc_opt, real):
    fake = generator(torch.randn(8, 100))
    loss_d = discriminator(fake.detach()).mean() - discriminator(real).mean()
    disc_opt.zero_grad()
    loss_d.backward()
    disc_opt.step()
    loss_g = -discriminator(fake).mean()
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()
""",
    "a beginning that two networks have": """
def train(encoder, decoder, discriminator, opt_d, real):
    code = encoder(real)
    rebuilt = decoder(code)
    loss = (rebuilt - real).pow(2).mean()
    score = discriminator(rebuilt.detach()).mean()
    opt_d.zero_grad()
    score.backward()
    opt_d.step()
    loss.backward()
""",
    "an object that is given its networks and optimizers": """
class Agent:
    def __init__(self, actor, critic, actor_optimizer, critic_optimizer):
        self.actor, self.critic = actor, critic
        self.actor_optimizer = actor_optimizer
        self.critic_optimizer = critic_optimizer

    def update(self, state, reward, following):
        error = reward + 0.9 * self.critic(following) - self.critic(state)
        critic_loss = error.pow(2).mean()
        actor_loss = -(self.actor(state) * error).mean()
        self.critic_optimizer.zero_grad()
        critic_loss.backward(retain_graph=True)
        self.critic_optimizer.step()  # error: IP102
        self.actor_optimizer.zero_grad()
        actor_loss.backward()
        self.actor_optimizer.step()

    def update_well(self, state, reward, following):
        with torch.no_grad():
            target = reward + 0.9 * self.critic(following)
        critic_loss = (target - self.critic(state)).pow(2).mean()
        self.critic_optimizer.zero_grad()
        critic_loss.backward()
        self.critic_optimizer.step()
        actor_loss = -self.critic(self.actor(state)).mean()
        self.actor_optimizer.zero_grad()
        actor_loss.backward()
        self.actor_optimizer.step()
""",
    "what else is called is no network": """
def train(model, criterion, optimizer, metric, loader):
    model.train()
    for x, y in loader:
        out = model(x)
        loss = criterion(out, y)
        loss.backward()
        optimizer.step()
        metric(out, y)
        optimizer.zero_grad()
        score = metric(out.detach(), y)
        score += 1
""",
}


@pytest.mark.parametrize("program", GIVEN_TO_TRAIN.values(), ids=list(GIVEN_TO_TRAIN))
def test_what_a_training_function_is_given(program):
    check(HEAD + program, observed=False)


@pytest.mark.parametrize(
    "program", [*NOT_A_GRADIENT.values(), *A_GRADIENT.values()], ids=[*NOT_A_GRADIENT, *A_GRADIENT]
)
def test_evidence(program):
    check(HEAD + program, observed=False)
