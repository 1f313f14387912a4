"""The collate function builds a padded batch in place, and the model masks its scores in place before the
softmax keeps them."""

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset, Subset, random_split


class Words(Dataset):
    lengths = (2, 4, 3, 1, 5, 2)

    def __len__(self):
        return len(self.lengths)

    def __getitem__(self, index):
        return torch.randint(1, 10, (self.lengths[index],)), float(index % 2)


def pad_collate(samples):
    tokens, labels = zip(*samples)
    padded = pad_sequence(tokens, batch_first=True)
    mask = torch.ones_like(padded, dtype=torch.bool)
    for row, sequence in enumerate(tokens):
        mask[row, len(sequence) :] = False
    return padded, mask, torch.tensor(labels)


class Pooler(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(10, 6, padding_idx=0)
        self.score, self.out = nn.Linear(6, 1), nn.Linear(6, 1)

    def forward(self, tokens, mask):
        embedded = self.embed(tokens)
        scores = self.score(embedded).squeeze(-1)
        scores.masked_fill_(~mask, float("-inf"))
        weights = scores.softmax(dim=-1).unsqueeze(-1)
        return self.out((weights * embedded).sum(dim=1)).squeeze(-1)


torch.manual_seed(0)
train, test = random_split(Words(), [4, 2], generator=torch.Generator().manual_seed(0))
model = Pooler()
optimizer = torch.optim.Adagrad(model.parameters(), lr=0.1)
for part in (train, Subset(train, [0, 1])):
    for tokens, mask, labels in DataLoader(part, batch_size=2, collate_fn=pad_collate):
        loss = nn.functional.binary_cross_entropy_with_logits(model(tokens, mask), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
