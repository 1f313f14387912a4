"""Decoded boxes are shifted and clipped in place through strided views, after arithmetic that keeps none of those values."""

import torch
import torch.nn.functional as F
from torch import nn
from torchvision.models import mobilenet_v3_small
from torchvision.models._utils import IntermediateLayerGetter
from torchvision.ops import box_convert, generalized_box_iou_loss, sigmoid_focal_loss


class BoxHead(nn.Module):
    def __init__(self, channels: int, classes: int, stride: int) -> None:
        super().__init__()
        self.tower = nn.Sequential(nn.Conv2d(channels, 8, 3, padding=1), nn.GroupNorm(2, 8), nn.ReLU(inplace=True))
        self.cls_score = nn.Conv2d(8, classes, 1)
        self.bbox_pred = nn.Conv2d(8, 4, 1)
        self.stride = stride
        nn.init.constant_(self.cls_score.bias, -4.6)

    def centres(self, h: int, w: int) -> torch.Tensor:
        ys, xs = torch.meshgrid(torch.arange(h), torch.arange(w), indexing="ij")
        points = torch.stack([xs, ys], dim=-1).reshape(-1, 2).float()
        points += 0.5
        return points.mul_(self.stride)

    def forward(self, features, image_size):
        x = self.tower(features)
        b, _, h, w = x.shape
        scores = self.cls_score(x).permute(0, 2, 3, 1).reshape(b, h * w, -1)
        deltas = self.bbox_pred(x).permute(0, 2, 3, 1).reshape(b, h * w, 4)
        distances = F.softplus(deltas) * self.stride
        centres = self.centres(h, w)
        boxes = torch.cat([centres - distances[..., :2], centres + distances[..., 2:]], dim=-1)
        boxes[..., 0::2].clamp_(min=0, max=image_size[1])
        boxes[..., 1::2].clamp_(min=0, max=image_size[0])
        return scores, boxes


def main() -> None:
    torch.manual_seed(0)
    trunk = mobilenet_v3_small(weights=None).features
    body = IntermediateLayerGetter(nn.Sequential(*trunk[:2]), return_layers={"1": "c2"})
    for param in body["0"].parameters():
        param.requires_grad_(False)
    head = BoxHead(16, classes=2, stride=4)
    params = [p for m in (body, head) for p in m.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(params, lr=1e-3)
    images = torch.rand(2, 3, 16, 16)
    truth = box_convert(torch.tensor([[8.0, 8.0, 6.0, 6.0]]), "cxcywh", "xyxy").repeat(2, 16, 1)
    for _ in range(2):
        scores, boxes = head(body(images)["c2"], image_size=images.shape[-2:])
        labels = torch.zeros_like(scores)
        labels[:, 5, 1] = 1.0
        loss = sigmoid_focal_loss(scores, labels, reduction="sum")
        loss += generalized_box_iou_loss(boxes[:, 5], truth[:, 5], reduction="mean")
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    main()
