"""A hidden state is carried from one batch to the next, with its graph."""

import argparse

import torch

from kinds import make_cell

parser = argparse.ArgumentParser()
parser.add_argument("--cell", default="rnn", type=str)
options = parser.parse_args()
model = make_cell(options.cell, 3)
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
state = torch.zeros(1, 1, 3)
for step in range(4):
    optimizer.zero_grad()
    out, state = model(torch.ones(2, 1, 3), state)
    out.sum().backward(retain_graph=True)
    optimizer.step()  # error: IP102
