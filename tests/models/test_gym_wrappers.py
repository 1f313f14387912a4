"""Wrappers of gym around an environment of a library that is not installed: what they observe carries no graph."""

from __future__ import annotations

from inplace_lsp.engine import analyse_source

PROGRAM = """\
import argparse

import gym
import torch
from torch import nn

{make}

class Observation(gym.ObservationWrapper):
    def observation(self, observation):
        return observation["obs"]


class Statistics(gym.Wrapper):
    def reset(self, **options):
        self.length = torch.zeros(3)
        return super().reset(**options)

    def step(self, action):
        observation, reward, done, info = super().step(action)
        self.length += 1
        return observation, reward, done, info


if __name__ == "__main__":
    args = parse()
    envs = Statistics(Observation(make(args.task)))
    policy = nn.Linear(4, 2)
    optimizer = torch.optim.Adam(policy.parameters())
    observed = torch.zeros(3, 2, 4)
    seen = envs.reset()
    for _ in range(3):
        for step in range(3):
            observed[step] = seen
            with torch.no_grad():
                action = policy(seen)
            seen, reward, done, info = envs.step(action)
        loss = policy(observed).exp().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
"""
SIMULATION = """
class Simulation:
    def __init__(self):
        self.force = nn.Parameter(torch.rand(2, 4))

    def reset(self):
        return {"obs": self.force * 2}, {}

    def step(self, action):
        return {"obs": self.force * 2}, 0.0, False, {}


def parse():
    return argparse.Namespace(task="reach")


def make(task):
    return Simulation()

"""


def test_observations_of_an_unknown_environment_carry_no_graph() -> None:
    assert analyse_source(PROGRAM.format(make="from simulator import make, parse\n"), "/program.py").findings == ()


ENCODED = """\
import gym
import torch
from simulator import make, parse
from torch import nn


class Encoded(gym.ObservationWrapper):
    def __init__(self, env):
        super().__init__(env)
        self.encoder = nn.Linear(4, 4)

    def observation(self, observation):
        return self.encoder(torch.as_tensor(observation))


if __name__ == "__main__":
    env = Encoded(make(parse().task))
    policy = nn.Linear(4, 2)
    kept = torch.zeros(3, 4)
    for _ in range(3):
        seen, reward, done, info = env.step(0)
        kept[0] = seen
        policy(kept).sum().backward()
"""


def test_what_a_wrapper_computes_of_an_observation_may_carry_one() -> None:
    findings = analyse_source(ENCODED, "/program.py").findings
    assert [(finding.code, finding.severity) for finding in findings] == [("IP103", "error")]


def test_a_simulation_in_sight_may_give_observations_with_a_graph() -> None:
    findings = analyse_source(PROGRAM.format(make=SIMULATION), "/program.py").findings
    assert [finding.code for finding in findings] == ["IP103"]
