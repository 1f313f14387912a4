"""The twin: the state is cut off from the last batch's graph."""

import argparse

import torch

from kinds import find_rate, make_cell

parser = argparse.ArgumentParser()
parser.add_argument("--cell", default="rnn", type=str)
parser.add_argument("--schedule", default="slow", type=str)
options = parser.parse_args()
model = make_cell(options.cell, 3)
optimizer = torch.optim.Adam(model.parameters(), lr=find_rate(options.schedule))
state = torch.zeros(1, 1, 3)
for step in range(4):
    optimizer.zero_grad()
    out, state = model(torch.ones(2, 1, 3), state.detach())
    out.sum().backward()
    optimizer.step()
