"""A model of several networks, whose optimizers its constructor makes last."""

import networks
import torch
from torch.nn import functional as F


class Translation:
    def __init__(self, opt):
        self.opt = opt
        self.names = ["generator", "back", "critic", "segmenter"]
        self.generator = networks.define_generator(opt)
        self.back = networks.define_generator(opt)
        self.critic = networks.define_discriminator(opt)
        self.back_critic = networks.define_discriminator(opt)
        self.segmenter = networks.define_segmenter(opt)
        self.optimizer_g = torch.optim.Adam([*self.generator.parameters(), *self.back.parameters()], lr=opt.lr)
        self.optimizer_s = torch.optim.Adam(self.segmenter.parameters(), lr=opt.lr)

    def set_input(self, data):
        self.real, self.labels = data["real"], data["labels"]

    def forward(self):
        self.fake = self.generator(self.real)
        self.segmented = F.log_softmax(self.segmenter(self.fake), dim=1)

    def train_segmenter(self):
        self.optimizer_s.zero_grad()
        F.cross_entropy(self.segmenter(self.real), self.labels).backward()

    def train_generator(self):
        self.optimizer_g.zero_grad()
        loss = F.nll_loss(self.segmented, self.labels) + (self.back(self.fake) - self.real).abs().mean()
        loss.backward()


class EarlySteps(Translation):
    def optimize_parameters(self):
        self.forward()
        self.train_segmenter()
        self.optimizer_s.step()  # error: IP102
        self.train_generator()
        self.optimizer_g.step()


class LateSteps(Translation):
    def optimize_parameters(self):
        self.forward()
        self.train_generator()
        self.optimizer_g.step()
        self.train_segmenter()
        self.optimizer_s.step()
