"""The padded batch and its output are written before anything keeps them, and padding is filled by a factor that needs no gradient."""

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

gru = nn.GRU(input_size=3, hidden_size=4, batch_first=True, bidirectional=True)
optimizer = torch.optim.SGD(gru.parameters(), lr=0.1)
sequences = [torch.randn(n, 3) for n in (5, 3, 2)]
lengths = torch.tensor([len(s) for s in sequences])

for _ in range(2):
    batch = pad_sequence(sequences=sequences, batch_first=True)
    batch /= 2
    packed = pack_padded_sequence(input=batch, lengths=lengths, batch_first=True)
    batch.zero_()
    packed_output, hidden = gru(packed)
    output, _lengths = pad_packed_sequence(sequence=packed_output, batch_first=True)
    output -= output.mean(dim=1, keepdim=True)
    mask = torch.arange(output.size(1))[None, :] < lengths[:, None]
    loss = (output * mask.unsqueeze(-1)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
