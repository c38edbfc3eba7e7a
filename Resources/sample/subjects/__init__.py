"""The things for sale, each a function that draws one in the middle of the picture.

A subject takes a pen and two colours. It reaches about 350 to both sides and 250 up and down;
one that stands has its feet near y = 240.
"""

from dataclasses import dataclass
from typing import Callable


@dataclass(frozen=True)
class Subject:
    draw: Callable
    # Where close-ups look: x, y and magnification.
    details: tuple
    # Whether it stands on the floor; else it lies and is seen from above.
    stands: bool
    # The scenes it suits, the usual one first.
    scenes: tuple


SUBJECTS = {}


def subject(*details, stands=True, scenes=("studio", "room")):
    """Registers the function below it under its own name, with dashes for underscores."""
    def register(draw):
        SUBJECTS[draw.__name__.replace("_", "-")] = Subject(draw, details, stands, scenes)
        return draw
    return register


from subjects import home, kitchen, music, outdoors, technology, wardrobe  # noqa: E402,F401
