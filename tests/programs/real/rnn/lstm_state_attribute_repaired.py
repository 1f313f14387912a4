"""The state is reset for every sequence."""

import torch
from torch import nn, optim


class LSTMTagger(nn.Module):
    def __init__(self, embedding_dim, hidden_dim, tags):
        super().__init__()
        self.hidden_dim = hidden_dim
        self.lstm = nn.LSTM(embedding_dim, hidden_dim)
        self.hidden2tag = nn.Linear(hidden_dim, tags)
        self.hidden = self.init_hidden()

    def init_hidden(self):
        return (torch.zeros(1, 1, self.hidden_dim), torch.zeros(1, 1, self.hidden_dim))

    def forward(self, sentence):
        lstm_out, self.hidden = self.lstm(sentence.view(len(sentence), 1, -1), self.hidden)
        return self.hidden2tag(lstm_out.view(len(sentence), -1))


model = LSTMTagger(4, 6, 3)
loss_function = nn.CrossEntropyLoss()
optimizer = optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    sentence, tags = torch.randn(5, 4), torch.randint(0, 3, (5,))
    model.zero_grad()
    model.hidden = model.init_hidden()
    loss = loss_function(model(sentence), tags)
    loss.backward()
    optimizer.step()
