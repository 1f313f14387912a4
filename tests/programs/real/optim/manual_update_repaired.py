"""The update runs under no_grad."""

import torch

X = torch.randn(20, 2)
y = X @ torch.tensor([[2.0], [-3.4]]) + 4.2
w = torch.zeros(2, 1, requires_grad=True)
b = torch.zeros(1, requires_grad=True)


def linreg(X, w, b):
    return torch.matmul(X, w) + b


def squared_loss(y_hat, y):
    return (y_hat - y.reshape(y_hat.shape)) ** 2 / 2


def sgd(params, lr, batch_size):
    with torch.no_grad():
        for param in params:
            param -= lr * param.grad / batch_size
            param.grad.zero_()


for epoch in range(3):
    loss = squared_loss(linreg(X, w, b), y)
    loss.sum().backward()
    sgd([w, b], 0.03, 20)
