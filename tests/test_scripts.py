"""Scripts with options: what stands behind them is found. Nothing here is run."""

import pytest

from support import check

HEAD = "import argparse\nimport torch\nfrom torch import nn\n\n"

SCRIPTS = {
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
