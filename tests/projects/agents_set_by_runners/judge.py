import types

import agents
import runner

SETTINGS = types.SimpleNamespace(networks="networks", seen=3, action=2, batch=4, optimizer="Adam", rate=1e-3)


def raises_early_agent():
    runner.Runner(SETTINGS, agents.EarlyAgent(0.9)).run(2)


def runs_late_agent():
    runner.Runner(SETTINGS, agents.LateAgent(0.9)).run(2)
