"""Both views of the batch are made, and one is erased in place, before the encoder keeps either of them."""

import torch
from torch import nn
from torchvision.ops import Conv2dNormActivation, generalized_box_iou_loss, sigmoid_focal_loss
from torchvision.transforms import v2

torch.manual_seed(0)
global_crop = v2.CenterCrop(8)
local_crop = v2.Compose([v2.CenterCrop(6), v2.RandomErasing(p=1.0, inplace=True)])
encoder = nn.Sequential(Conv2dNormActivation(3, 8), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 4))
box_head = nn.Linear(4, 4)
optimizer = torch.optim.AdamW([*encoder.parameters(), *box_head.parameters()], lr=1e-3)

for _ in range(2):
    images, targets = torch.rand(2, 3, 10, 10), torch.rand(2, 4).round()
    boxes = torch.tensor([[0.1, 0.1, 0.5, 0.6], [0.2, 0.3, 0.8, 0.9]])
    first, second = global_crop(images), local_crop(images)
    first, second = encoder(first), encoder(second)
    predicted = box_head(first).sigmoid()
    predicted = torch.cat((predicted[:, :2], predicted[:, :2] + predicted[:, 2:]), dim=1)
    loss = -nn.functional.cosine_similarity(first, second).mean()
    loss += sigmoid_focal_loss(second, targets, reduction="mean")
    loss += generalized_box_iou_loss(predicted, boxes, reduction="mean")
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
