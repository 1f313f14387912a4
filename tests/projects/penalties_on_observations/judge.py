import sys
import types

import torch


class World:
    def reset(self):
        return torch.randn(2, 3)

    def step(self, action):
        return torch.randn(2, 3), 0.0


sys.modules["simulator"] = types.SimpleNamespace(make=lambda name, seed: World(), read_experts=None)

import train  # noqa: E402

ARGS = types.SimpleNamespace(world="reach", seed=1, width=3, steps=4, updates=3, judged=True)


def make_experts():
    return [torch.randn(2, 3) for _ in range(4)]


def runs_with_values_without_graph():
    train.run(ARGS, make_experts())


def raises_graph_of_the_round_before():
    train.run_without_cutting(ARGS, make_experts())
