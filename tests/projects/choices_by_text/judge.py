import sys


def raises_carried_state():
    sys.argv = ["carried_state"]
    import carried_state


def raises_two_losses():
    import two_losses


def raises_clipped_loss():
    import clipped_loss


def runs_detached_state():
    sys.argv = ["detached_state"]
    import detached_state
