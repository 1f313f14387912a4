"""Sequences packed for recurrent layers: their steps are copies, with a graph of their own."""

import torch
from torch.nn.utils.rnn import pack_padded_sequence, pack_sequence, pad_packed_sequence

lin = torch.nn.Linear(3, 3)
rnn = torch.nn.GRU(3, 3, batch_first=True)


def packed():
    h = lin(torch.randn(2, 4, 3)).exp()
    pk = pack_padded_sequence(h, torch.tensor([4, 2]), batch_first=True, enforce_sorted=False)
    _, hn = rnn(pk)
    h.zero_()  # error: IP101
    return hn


def packed_list():
    h = lin(torch.randn(2, 4, 3)).exp()
    pk = pack_padded_sequence(h, [4, 2], batch_first=True)
    out, hn = rnn(pk)
    padded, lengths = pad_packed_sequence(out, batch_first=True)
    h.zero_()  # error: IP101
    return padded


def data_field():
    h = lin(torch.randn(2, 4, 3)).exp()
    pk = pack_padded_sequence(h, [4, 2], batch_first=True)
    h.zero_()  # error: IP101
    return pk.data


def fine():
    h = lin(torch.randn(2, 4, 3)) * 2
    pk = pack_padded_sequence(h, torch.tensor([4, 2]), batch_first=True)
    h.zero_()
    _, (hn, cn) = torch.nn.LSTM(3, 3)(pk)
    return hn + cn


def sequences():
    a = lin(torch.randn(4, 3)).exp()
    b = lin(torch.randn(2, 3))
    pk = pack_sequence([a, b])
    a.add_(1)  # error: IP101
    return pk.data


def output_written():
    h = lin(torch.randn(2, 4, 3))
    out, _ = rnn(pack_padded_sequence(h, torch.tensor([4, 2]), batch_first=True))
    padded, _ = pad_packed_sequence(out, batch_first=True)
    weighted = padded * lin(padded)
    padded.mul_(2)  # error: IP101
    return weighted


for step in (packed, packed_list, data_field, fine, sequences, output_written):
    try:
        step().sum().backward()

    except RuntimeError as error:
        print(error)
