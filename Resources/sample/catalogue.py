"""Reads `catalogue.txt` and `catalogue-en.txt`, whose opening lines describe their form."""

import re
from dataclasses import dataclass
from pathlib import Path

from draw import Look

FILE = Path(__file__).with_name("catalogue.txt")
ENGLISH = Path(__file__).with_name("catalogue-en.txt")

SECONDS = dict(s=1, m=60, h=3_600, d=86_400, w=604_800, y=31_557_600)


# Lines that are no field of a product by themselves.
OTHERS = {"text", "seller", "price", "off", "stock", "age", "look"}


@dataclass(frozen=True)
class Words:
    """What is said of a product, in English only what differs."""
    seller: str
    # By the names that `ProductField` has: texts, and numbers, amounts in hundredths.
    fields: dict


@dataclass(frozen=True)
class Product:
    korean: Words
    english: Words
    # Seconds between its registration and the filling of a market.
    age: int
    look: Look
    pictures: int


def read():
    """The products, oldest first."""
    pairs = zip(_entries(FILE), _entries(ENGLISH), strict=True)
    return sorted((_product(*pair) for pair in pairs), key=lambda product: -product.age)


def _entries(file):
    """Fields by their names, with the name and the description."""
    for entry in re.split(r"^# ", file.read_text("utf-8"), flags=re.MULTILINE)[1:]:
        head, description = entry.strip().split("\n\n", 1)
        name, *lines = head.split("\n")
        yield dict(line.split(" ", 1) for line in lines) | dict(name=name, text=description)


def _product(fields, english):
    subject, main, accent, palette, pictures = fields["look"].split()
    return Product(
        korean=_words(fields), english=_words(english),
        age=_seconds(fields["age"]), look=Look(subject, main, accent, palette),
        pictures=int(pictures))


def _words(fields):
    price, currency = fields["price"].split()
    further = {name: value for name, value in fields.items() if name not in OTHERS}
    if "stock" in fields:
        further["stock"] = int(fields["stock"])
    return Words(
        seller=fields["seller"],
        fields=further | dict(
            description=fields["text"], currency=currency, price=_hundredths(price),
            discount=_hundredths(fields.get("off", "0"))))


def _hundredths(amount):
    """Whole units only: many clients read prices as integers."""
    return int(amount) * 100


def _seconds(age):
    return sum(int(n) * SECONDS[unit] for n, unit in re.findall(r"(\d+)([smhdwy])", age))
