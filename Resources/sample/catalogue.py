"""Reads `catalogue.txt`, whose opening lines describe its form."""

import re
from dataclasses import dataclass
from pathlib import Path

from draw import Look

FILE = Path(__file__).with_name("catalogue.txt")

SECONDS = dict(s=1, m=60, h=3_600, d=86_400, w=604_800, y=31_557_600)


@dataclass(frozen=True)
class Product:
    name: str
    description: str
    seller: str
    currency: str
    # In hundredths of the currency's main unit.
    price: int
    discount: int
    stock: int
    # Seconds between its registration and the filling of a market.
    age: int
    look: Look
    pictures: int


def read():
    """The products, oldest first."""
    entries = re.split(r"^# ", FILE.read_text("utf-8"), flags=re.MULTILINE)[1:]
    return sorted(map(_product, entries), key=lambda product: -product.age)


def _product(entry):
    head, description = entry.strip().split("\n\n", 1)
    name, *lines = head.split("\n")
    fields = dict(line.split(" ", 1) for line in lines)
    price, currency = fields["price"].split()
    subject, main, accent, palette, pictures = fields["look"].split()
    return Product(
        name=name, description=description, seller=fields["seller"], currency=currency,
        price=_hundredths(price), discount=_hundredths(fields.get("off", "0")),
        stock=int(fields["stock"]), age=_seconds(fields["age"]),
        look=Look(subject, main, accent, palette), pictures=int(pictures))


def _hundredths(amount):
    """Whole units only: many clients read prices as integers."""
    return int(amount) * 100


def _seconds(age):
    return sum(int(n) * SECONDS[unit] for n, unit in re.findall(r"(\d+)([smhdwy])", age))
