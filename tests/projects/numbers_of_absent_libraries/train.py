import torch
from samplers import Window, gate_penalty_in_new_memory
from torch import nn


def main():
    window, layer = Window(5), nn.Linear(5, 5)
    optimizer = torch.optim.SGD([*window.parameters(), *layer.parameters()], lr=0.1)
    for _ in range(2):
        loss = window(torch.randn(3, 5)).square().mean() + gate_penalty_in_new_memory(layer, torch.randn(3, 5))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    main()
