"""One backward for both directions before the step."""

import itertools

import torch
import torch.nn as nn


class CycleGANModel:
    def __init__(self, dim=4):
        self.netG_A = nn.Sequential(nn.Linear(dim, 8), nn.ReLU(True), nn.Linear(8, dim))
        self.netG_B = nn.Sequential(nn.Linear(dim, 8), nn.ReLU(True), nn.Linear(8, dim))
        self.criterionCycle = nn.L1Loss()
        self.optimizer_G = torch.optim.Adam(
            itertools.chain(self.netG_A.parameters(), self.netG_B.parameters()), lr=2e-4
        )

    def set_input(self, data):
        self.real_A = data["A"]
        self.real_B = data["B"]

    def forward(self):
        self.fake_B = self.netG_A(self.real_A)
        self.rec_A = self.netG_B(self.fake_B)
        self.fake_A = self.netG_B(self.real_B)
        self.rec_B = self.netG_A(self.fake_A)

    def optimize_parameters(self):
        self.forward()
        self.optimizer_G.zero_grad()
        loss_cycle_A = self.criterionCycle(self.rec_A, self.real_A)
        loss_cycle_B = self.criterionCycle(self.rec_B, self.real_B)
        (loss_cycle_A + loss_cycle_B).backward()
        self.optimizer_G.step()


model = CycleGANModel()
for epoch in range(2):
    model.set_input({"A": torch.randn(3, 4), "B": torch.randn(3, 4)})
    model.optimize_parameters()
