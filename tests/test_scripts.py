"""Long scripts with many options: what stands behind several of them at once is found. Nothing here is run."""

import pytest

from support import check

HEAD = "import argparse\nimport torch\nfrom torch import nn\n\n"

EVERY = "".join(f'    parser.add_argument("--every{number}", type=int)\n' for number in range(8))
REPORTS = "".join(
    f"        if step % args.every{number} == 0:\n            print(step + {number})\n" for number in range(8)
)
"""Many decisions after the one that matters, as scripts have them: none of them is worth a run."""

SCRIPTS = {
    "an option that the constructor asks for, too, and a pass that is not the first": f"""
class Agent:
    def __init__(self, args):
        self.args = args
        self.net = nn.Sequential(nn.Linear(2, 2), nn.Tanh(), nn.Linear(2, 2))
        if args.plain:
            self.net = nn.Linear(2, 2)

    def update(self, batch):
        if self.args.plain:
            return self.update_plain(batch)
        return self.update_pruned(batch)

    def update_plain(self, batch):
        loss = self.net(batch).pow(2).sum()
        loss.backward()
        return loss

    def update_pruned(self, batch):
        loss = self.net(batch).pow(2).sum()
        for parameter in self.net.parameters():
            parameter.data.mul_(0.9)  # error: IP301
        loss.backward()
        return loss


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--size", type=int, default=4)
{EVERY}
    args = parser.parse_args()
    agent, replay = Agent(args), []
    for step in range(100):
        replay.append(torch.ones(1, 2))
        if len(replay) < args.size:
            continue
        agent.update(torch.cat(replay))
{REPORTS}

if __name__ == "__main__":
    main()
""",
    "a variable that an option sets decides which function a nested one calls": f"""
def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--hash", action="store_true")
{EVERY}
    args = parser.parse_args()

    class Grid(nn.Module):
        def __init__(self):
            super().__init__()
            self.table = nn.Parameter(torch.randn(4, 3))

        def forward(self, points):
            return self.table[:2] * points

    def embed(points):
        waves = torch.sin(points)
        squares = waves.pow(2)
        waves *= 0.5  # error: IP101
        return waves + squares

    layer = nn.Linear(3, 3)
    grid = Grid() if args.hash else None
    for step in range(100):
        points = layer(torch.randn(2, 3))
        features = grid(points) if grid is not None else embed(points)
        features.sum().backward()
{REPORTS}

if __name__ == "__main__":
    main()
""",
    "what follows a `continue` brings the write to the backward": f"""
class Masks(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)

    def forward(self, images):
        scores = self.layer(images).sigmoid()
        binary = scores
        binary[binary < 0.5] = 0  # error: IP101
        return {{"scores": self.layer(images), "area": binary.sum()}}


def compute_loss(outputs, targets):
    loss = outputs["scores"].mean()
    for target in targets:
        if int(target.sum()) == 0:
            continue
        loss = loss + (outputs["area"] - target).abs().mean()
    return loss


def main(targets):
    parser = argparse.ArgumentParser()
{EVERY}
    args = parser.parse_args()
    model = Masks()
    for step in range(100):
        loss = compute_loss(model(torch.randn(3, 2)), targets)
        loss.backward()
{REPORTS}
""",
    "a program runs while it raises SystemExit": """
class Bank:
    def __init__(self):
        self.kept = []

    def compare(self, features):
        self.kept.append(features)
        return sum((features - old).pow(2).sum() for old in self.kept)


def main(make_bank):
    layer, bank = nn.Sequential(nn.Linear(2, 2), nn.Tanh()), make_bank()
    for _ in range(3):
        loss = bank.compare(layer(torch.ones(1, 2)))
        loss.backward()  # error: IP103
    return 0


raise SystemExit(main(Bank))
""",
    "what an option keeps of a graph, only that option walks again": """
def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--second_order", action="store_true")
    parser.add_argument("--all_steps", action="store_true")
    args = parser.parse_args()
    fast, losses = nn.Parameter(torch.ones(3)), []
    for _ in range(2):
        loss = (fast * torch.ones(3)).exp().sum()
        (grad,) = torch.autograd.grad(loss, fast, create_graph=args.second_order)
        fast = fast - grad
        losses.append(loss)
    total = (fast * torch.ones(3)).exp().sum()
    if args.all_steps and args.second_order:
        total = total + sum(losses)
    total.backward()


main()
""",
    "the same without the option": """
def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--second_order", action="store_true")
    parser.add_argument("--all_steps", action="store_true")
    args = parser.parse_args()
    fast, losses = nn.Parameter(torch.ones(3)), []
    for _ in range(2):
        loss = (fast * torch.ones(3)).exp().sum()
        (grad,) = torch.autograd.grad(loss, fast, create_graph=args.second_order)
        fast = fast - grad
        losses.append(loss)
    total = (fast * torch.ones(3)).exp().sum()
    if args.all_steps:
        total = total + sum(losses)
    total.backward()  # error: IP103


main()
""",
}


@pytest.mark.parametrize("program", SCRIPTS.values(), ids=SCRIPTS)
def test_scripts(program):
    check(HEAD + program, observed=False)
