"""The same, without a write between, or with a new result after it."""

from player import Noting, Player


def walk_each_once(count, states):
    players = [Player(3) for _ in range(count)]
    for i in range(count):
        players[i].play(states[i])
    for i in range(2, count):
        players[i].score.sum().backward()


def write_old_scores(count, states):
    players = [Player(3) for _ in range(count)]
    for i in range(count):
        players[i].play(states[i])
    for i in range(2, count):
        players[i].score.detach().mul_(2)
        players[i].play(states[i])
        players[i].score.sum().backward()


def note_and_walk(count, states):
    players = [Noting(3) for _ in range(count)]
    for player in players:
        player.play(states[0])
    later = []
    for i in range(2, count):
        later.append(players[i])
    for player in players:
        score, _ = player.note
        score.sum().backward()
