"""The averaged model is updated between its own forward pass and the backward pass through it, which needs its
old weights."""

import timm
import torch
import torch.nn.functional as F
from timm.optim import create_optimizer_v2
from timm.utils import ModelEmaV2

torch.manual_seed(0)
kwargs = dict(img_size=16, patch_size=8, embed_dim=8, depth=1, num_heads=2, num_classes=3)
student = timm.create_model("vit_tiny_patch16_224", pretrained=False, **kwargs)
prompt = torch.zeros(1, 3, 16, 16, requires_grad=True)
teacher = ModelEmaV2(student, decay=0.99)
optimizer = create_optimizer_v2(student, opt="adamw", lr=1e-3, weight_decay=0.05)
prompt_optimizer = torch.optim.SGD([prompt], lr=0.1)

for _ in range(2):
    images, labels = torch.randn(2, 3, 16, 16), torch.tensor([0, 2])
    loss = F.cross_entropy(student(images), labels)
    prompt_loss = F.cross_entropy(teacher.module(images + prompt), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    teacher.update(student)  # error: IP102
    prompt_optimizer.zero_grad()
    prompt_loss.backward()
    prompt_optimizer.step()
