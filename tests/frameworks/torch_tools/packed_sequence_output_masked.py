"""The padded output of a packed GRU is centred in place after its square has entered the loss."""

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

gru = nn.GRU(input_size=3, hidden_size=4, batch_first=True, bidirectional=True)
optimizer = torch.optim.SGD(gru.parameters(), lr=0.1)
sequences = [torch.randn(n, 3) for n in (5, 3, 2)]
lengths = torch.tensor([len(s) for s in sequences])

for _ in range(2):
    batch = pad_sequence(sequences=sequences, batch_first=True)
    packed = pack_padded_sequence(input=batch, lengths=lengths, batch_first=True)
    packed_output, hidden = gru(packed)
    output, _lengths = pad_packed_sequence(sequence=packed_output, batch_first=True)
    activity = output.square().mean()
    output -= output.mean(dim=1, keepdim=True)  # error: IP101
    loss = output.sum(dim=1).mean() + activity
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
