"""What a player computes is written before it is walked back, from the third player on."""

from player import Noting, Player


def write_scores(count, states):
    players = [Player(3) for _ in range(count)]
    for i in range(2, count):
        players[i].play(states[i])
        players[i].score.mul_(2)  # error: IP101
        players[i].score.sum().backward()


def write_later_scores(count, states):
    players = [Player(3) for _ in range(count)]
    for i in range(count):
        players[i].play(states[i])
    for i in range(2, count):
        players[i].play(states[i])
        players[i].score.mul_(2)  # error: IP101
        players[i].score.sum().backward()


def walk_twice(count, states):
    players = [Player(3) for _ in range(count)]
    for i in range(count):
        players[i].play(states[i])
        if i >= 2:
            players[i].score.sum().backward()
            players[i].score.mean().backward()  # error: IP103


def write_notes(count, states):
    players = [Noting(3) for _ in range(count)]
    for player in players:
        player.play(states[0])
    later = []
    for i in range(2, count):
        later.append(players[i])
    score = players[0].net(states[0]).exp()
    score.mul_(2)  # error: IP101
    score.sum().backward()
