try:
    import glob
    import os

    import torch
    from torch import nn
    from torch.utils.data import DataLoader, Dataset
    from torchvision import transforms as T
except ImportError as error:
    print(error)
    raise ImportError

gpu = 0


class Listed(Dataset):
    def __init__(self, root, transform):
        super().__init__()
        self.transform = transform
        self.rows = [line.split() for line in open(os.path.join(root, "list.txt"))]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        name, label = self.rows[index]
        return self.transform(name), torch.tensor(int(label))


class Found(Dataset):
    def __init__(self, root):
        assert os.path.isdir(root), root
        self.paths = glob.glob(os.path.join(root, "*.pt"))

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        sample = {"image": torch.load(self.paths[index]), "mask": torch.load(self.paths[index] + ".mask")}
        return sample


labelled = DataLoader(Listed("/data/listed", T.Compose([T.CenterCrop(16), T.ToTensor()])), 128, True, num_workers=4)
found = DataLoader(Found("/data/found"), batch_size=128, shuffle=True)
net = nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.ReLU(inplace=True)).to(gpu)
head = nn.Linear(4, 10).to(gpu)
optimizer = torch.optim.SGD([*net.parameters(), *head.parameters()], lr=0.1)
for epoch in range(200):
    for (image, label), sample in zip(labelled, found):
        image, label = image.to(gpu), label.to(gpu)
        optimizer.zero_grad()
        scores = head(net(image).mean((2, 3)))
        weights = scores.softmax(1)
        weights[:, 0] = 0  # confirmed, repaired: weights = weights * 0.5
        painted = net(sample["image"].to(gpu)) * sample["mask"].to(gpu)
        loss = nn.functional.cross_entropy(scores, label) + weights.pow(2).sum() + painted.mean()
        loss.backward()
        optimizer.step()
