"""A seq2seq decoder fills a preallocated output that nothing reads back."""

import random

import torch
import torch.nn as nn


class Decoder(nn.Module):
    def __init__(self, vocab, emb, hid):
        super().__init__()
        self.vocab = vocab
        self.embedding = nn.Embedding(vocab, emb)
        self.rnn = nn.LSTM(emb, hid)
        self.fc_out = nn.Linear(hid, vocab)

    def forward(self, token, hidden, cell):
        embedded = self.embedding(token.unsqueeze(0))
        output, (hidden, cell) = self.rnn(embedded, (hidden, cell))
        return self.fc_out(output.squeeze(0)), hidden, cell


class Seq2Seq(nn.Module):
    def __init__(self, encoder, decoder):
        super().__init__()
        self.encoder, self.decoder = encoder, decoder

    def forward(self, src, trg, teacher_forcing_ratio=0.5):
        trg_len, batch = trg.shape
        outputs = torch.zeros(trg_len, batch, self.decoder.vocab)
        _, (hidden, cell) = self.encoder(src)
        token = trg[0, :]
        for t in range(1, trg_len):
            output, hidden, cell = self.decoder(token, hidden, cell)
            outputs[t] = output
            top1 = output.argmax(1)
            token = trg[t] if random.random() < teacher_forcing_ratio else top1
        return outputs


model = Seq2Seq(nn.LSTM(3, 6), Decoder(9, 4, 6))
opt = torch.optim.Adam(model.parameters())
criterion = nn.CrossEntropyLoss(ignore_index=0)
for _ in range(2):
    src, trg = torch.randn(5, 2, 3), torch.randint(0, 9, (4, 2))
    out = model(src, trg)
    loss = criterion(out[1:].view(-1, 9), trg[1:].view(-1))
    opt.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
