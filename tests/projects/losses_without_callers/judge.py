import torch

import losses
import physics


def raises_focal_loss():
    losses.focal_loss(torch.randn(4, requires_grad=True), torch.ones(4)).backward()


def runs_dice_loss():
    losses.dice_loss(torch.randn(4, requires_grad=True), torch.ones(4)).backward()


def raises_smoothness():
    losses.SmoothnessPenalty(0.1)(torch.randn(4, 3, requires_grad=True)).backward()


def raises_bond_energy():
    physics.evaluate_bond_energy(torch.randn(4, 3, requires_grad=True), torch.tensor([[0, 1]]), 1.0).backward()


def runs_angle_energy():
    physics.evaluate_angle_energy(torch.randn(4, 3, requires_grad=True), torch.tensor([[0, 1, 2]])).backward()


def runs_plot():
    physics.plot_energy(torch.randn(4), 3)
