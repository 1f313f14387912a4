import torch
from torch.utils.data import DataLoader, TensorDataset


def find_pictures(options):
    if options.data == "folder":
        import torchvision.datasets as sets
        from torchvision import transforms

        found = sets.ImageFolder(options.folder, transform=transforms.ToTensor())
    elif options.data == "noise":
        found = TensorDataset(torch.rand(8, 3, 4, 4), torch.zeros(8))
    elif options.data == "zeros":
        found = TensorDataset(torch.zeros(8, 3, 4, 4), torch.zeros(8))
    else:
        raise ValueError(options.data)
    return DataLoader(found, batch_size=options.batch, shuffle=not options.sorted)
