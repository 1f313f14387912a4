"""The averaged model runs without gradients and is updated after the student's step, so no graph keeps its
weights."""

import timm
import torch
import torch.nn.functional as F
from timm.optim import create_optimizer_v2
from timm.scheduler import CosineLRScheduler
from timm.utils import ModelEmaV3

torch.manual_seed(0)
kwargs = dict(img_size=16, patch_size=8, embed_dim=8, depth=1, num_heads=2, num_classes=3)
student = timm.create_model("vit_tiny_patch16_224", pretrained=False, drop_path_rate=0.1, **kwargs)
teacher = ModelEmaV3(student, decay=0.99, use_warmup=True)
optimizer = create_optimizer_v2(student, opt="adamw", lr=1e-3, weight_decay=0.05)
scheduler = CosineLRScheduler(optimizer, t_initial=4, warmup_t=1, warmup_lr_init=1e-5)

for epoch in range(2):
    images, labels = torch.randn(2, 3, 16, 16), torch.tensor([0, 2])
    logits = student(images)
    with torch.no_grad():
        soft = teacher.module(images).softmax(dim=-1)
        soft.mul_(0.9).add_(0.1 / soft.shape[-1])
    loss = F.cross_entropy(logits, labels) + F.kl_div(logits.log_softmax(dim=-1), soft, reduction="batchmean")
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    teacher.update(student, step=epoch)
    scheduler.step(epoch + 1)
