from torch import rand
x = rand(4, requires_grad=True)
x.sum().backward()
x -= x.grad
