"""A machine is started where it does not run; then there is work as long as it runs."""

from torch import nn


def write_while_it_runs(machine, net: nn.Module, state):
    if not machine.runs:
        machine.start()
        while machine.runs:
            y = net(state).exp()
            y.mul_(2)  # error: IP101
            y.sum().backward()
            machine.step()


def write_after_an_assert(machine, net: nn.Module, state):
    assert not machine.runs
    machine.start()
    while machine.runs:
        y = net(state).exp()
        y.mul_(2)  # error: IP101
        y.sum().backward()
        machine.step()


def write_behind_a_return(settings, net: nn.Module, state):
    if settings["goes on"]:
        return
    settings.update({"goes on": True})
    while settings["goes on"]:
        y = net(state).exp()
        y.mul_(2)  # error: IP101
        y.sum().backward()
        settings.update({"goes on": False})


def walk_again_while_it_runs(machine, net: nn.Module, state):
    y = net(state).exp()
    if not machine.runs:
        machine.start()
        while machine.runs:
            y.sum().backward()  # error: IP103
            machine.step()


def compute_while_it_runs(machine, net: nn.Module, state):
    if not machine.runs:
        machine.start()
        while machine.runs:
            y = net(state).exp()
            y.sum().backward()
            machine.step()


def walk_after_the_last_step(machine, net: nn.Module, state):
    if machine.runs:
        raise RuntimeError("it runs")
    machine.start()
    y = net(state).exp()
    while machine.runs:
        machine.step()
        if not machine.runs:
            y.sum().backward()
