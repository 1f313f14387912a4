"""Under no_grad."""

import torch
from torch import nn

net = nn.Linear(4, 3)
images, labels = torch.rand(5, 4), torch.randint(0, 3, (5,))


def pgd(model, images, labels, eps=0.1, steps=2):
    adv = images.clone().detach()
    for _ in range(steps):
        adv.requires_grad_()
        loss = nn.functional.cross_entropy(model(adv), labels)
        grad = torch.autograd.grad(loss, [adv])[0]
        adv = adv.detach() + eps * grad.sign()
        adv = torch.min(torch.max(adv, images - eps), images + eps)
    return adv


pgd(net, images, labels)
