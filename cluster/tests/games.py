"""Small games for the tests of the cluster."""

from __future__ import annotations

# All features in 4 boxes: 9 layers.
TOY = """\
dice = 3
faces = 3
rolls = 2

[upper_bonus]
threshold = 8
points = 5

[extra]
box = "y"
points = 9
joker = "forced"

[[box]]
id = "1"
pattern = "face"
face = 1

[[box]]
id = "3"
pattern = "face"
face = 3

[[box]]
id = "y"
pattern = "sets"
of = [3]
pays = 10

[[box]]
id = "c"
pattern = "chance"
"""


def many_tasks(dice: int = 3, faces: int = 4, boxes: int = 7) -> str:
    """Returns a game with one box per face, one for sets, and boxes for all dice: hundreds of tasks of milliseconds."""
    text = f"dice = {dice}\nfaces = {faces}\nrolls = 2\n[upper_bonus]\nthreshold = {dice * faces}\npoints = 7\n"
    for face in range(1, faces + 1):
        text += f'[[box]]\nid = "{face}"\npattern = "face"\nface = {face}\n'
    text += f'[[box]]\nid = "y"\npattern = "sets"\nof = [{dice}]\npays = 10\n'
    for nth in range(boxes - faces - 1):
        text += f'[[box]]\nid = "c{nth}"\nname = "All dice {nth + 1}"\npattern = "chance"\n'
    return text
