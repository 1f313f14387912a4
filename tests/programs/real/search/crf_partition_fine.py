import torch
from torch import nn


class CRF(nn.Module):
    def __init__(self, num_tags):
        super().__init__()
        self.num_tags = num_tags
        self.transitions = nn.Parameter(torch.empty(num_tags, num_tags))
        self.start = nn.Parameter(torch.empty(num_tags))
        nn.init.uniform_(self.transitions, -0.1, 0.1)
        nn.init.uniform_(self.start, -0.1, 0.1)

    def _score(self, emissions, tags):
        score = self.start[tags[0]] + emissions[0].gather(1, tags[0][:, None]).squeeze(1)
        for t in range(1, len(emissions)):
            score += self.transitions[tags[t - 1], tags[t]]
            score += emissions[t].gather(1, tags[t][:, None]).squeeze(1)
        return score

    def _normalizer(self, emissions):
        T, B, C = emissions.shape
        alphas = torch.full((T, B, C), -1e4)
        alphas[0] = self.start + emissions[0]
        for t in range(1, T):
            scores = alphas[t - 1].unsqueeze(2) + self.transitions + emissions[t].unsqueeze(1)
            alphas[t] = torch.logsumexp(scores, dim=1)
        return torch.logsumexp(alphas[-1], dim=1)

    def forward(self, emissions, tags):
        return (self._normalizer(emissions) - self._score(emissions, tags)).mean()


class Tagger(nn.Module):
    def __init__(self, vocab, dim, tags):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.lstm = nn.LSTM(dim, dim // 2, bidirectional=True)
        self.proj = nn.Linear(dim, tags)
        self.crf = CRF(tags)

    def loss(self, words, tags):
        feats, _ = self.lstm(self.emb(words))
        return self.crf(self.proj(feats), tags)


tagger = Tagger(10, 4, 3)
opt = torch.optim.SGD(tagger.parameters(), lr=0.1)
for _ in range(2):
    opt.zero_grad()
    tagger.loss(torch.randint(10, (3, 2)), torch.randint(3, (3, 2))).backward()
    opt.step()
