"""A whole clean script: dataset with in-place normalisation, augmentation, training, evaluation, checkpoints."""

import copy
import random
from dataclasses import dataclass

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


@dataclass
class Config:
    lr: float = 1e-3
    epochs: int = 2
    batch_size: int = 4
    clip: float = 1.0


class Images(Dataset):
    def __init__(self, n, train=True):
        self.images = torch.rand(n, 1, 8, 8)
        self.images.sub_(0.5).div_(0.5)
        self.labels = torch.randint(0, 3, (n,))
        self.train = train

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        img = self.images[i].clone()
        if self.train and random.random() < 0.5:
            img = img.flip(-1)
            img += 0.01 * torch.randn_like(img)
        return img, self.labels[i]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 4, 3, padding=1)
        self.bn1 = nn.BatchNorm2d(4)
        self.conv2 = nn.Conv2d(4, 4, 3, padding=1)
        self.bn2 = nn.BatchNorm2d(4)
        self.relu = nn.ReLU(inplace=True)
        self.drop = nn.Dropout(0.2, inplace=False)
        self.fc = nn.Linear(4 * 16, 3)
        self._init()

    def _init(self):
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight, mode="fan_out", nonlinearity="relu")
            elif isinstance(m, nn.BatchNorm2d):
                nn.init.constant_(m.weight, 1)
                nn.init.constant_(m.bias, 0)
            elif isinstance(m, nn.Linear):
                m.weight.data.normal_(0, 0.01)
                m.bias.data.zero_()

    def forward(self, x):
        x = self.relu(self.bn1(self.conv1(x)))
        x = x + self.relu(self.bn2(self.conv2(x)))
        x = nn.functional.max_pool2d(x, 2)
        return self.fc(self.drop(torch.flatten(x, 1)))


def train(model, loader, criterion, optimizer, config, device):
    model.train()
    total, correct, running = 0, 0, 0.0
    for images, labels in loader:
        images, labels = images.to(device), labels.to(device)
        optimizer.zero_grad(set_to_none=True)
        outputs = model(images)
        loss = criterion(outputs, labels)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), config.clip)
        optimizer.step()
        running += loss.item() * images.size(0)
        _, predicted = outputs.max(1)
        total += labels.size(0)
        correct += predicted.eq(labels).sum().item()
    return running / total, correct / total


@torch.no_grad()
def evaluate(model, loader, device):
    model.eval()
    probs = []
    for images, _ in loader:
        p = model(images.to(device)).softmax(-1)
        p /= p.sum(-1, keepdim=True)
        probs.append(p)
    return torch.cat(probs).argmax(1)


def main():
    config = Config()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    train_loader = DataLoader(Images(8), batch_size=config.batch_size, shuffle=True)
    val_loader = DataLoader(Images(4, train=False), batch_size=config.batch_size)
    model = Net().to(device)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
    optimizer = torch.optim.AdamW(model.parameters(), lr=config.lr)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.01, total_steps=config.epochs)
    best = copy.deepcopy(model.state_dict())
    for epoch in range(config.epochs):
        loss, acc = train(model, train_loader, criterion, optimizer, config, device)
        preds = evaluate(model, val_loader, device)
        scheduler.step()
        if acc > 0:
            best = copy.deepcopy(model.state_dict())
        print(epoch, loss, acc, preds.tolist())
    model.load_state_dict(best)


main()
