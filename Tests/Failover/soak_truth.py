"""What clients of both APIs were promised for hours, and whether what they see agrees with it."""
import threading
import time

from fall_load import Truth, slack
from soak_goods import base, name_of


class Record:
    """A product: which revisions were acknowledged when, which was tried last, and its end."""

    def __init__(self, good, api):
        self.good, self.api, self.product = good, api, None
        self.revisions = []
        self.tried = 0
        self.is_dying = False
        self.died = None

    @property
    def revision(self):
        return self.revisions[-1][1]

    def know(self, revision):
        self.revisions.append((time.monotonic(), revision))
        # Answers are at most 30 seconds old.
        oldest = time.monotonic() - 60
        while len(self.revisions) > 1 and self.revisions[1][0] < oldest:
            del self.revisions[0]

    @property
    def edits(self):
        """How many were acknowledged."""
        return self.revision

    def complaint(self, seen, moment):
        """What is wrong with what somebody saw that was right at a moment or later; None for nothing."""
        least = max([r for at, r in self.revisions if at + slack <= moment], default=0)
        revision = seen.text[2] - base
        if self.died and self.died + slack <= moment:
            return f"product {self.product} is there again"
        if not least <= revision <= self.tried:
            return f"product {self.product} is at revision {revision}, not {least} or more"
        due = self.good.text(revision)
        if any(part is not None and part != other for part, other in zip(seen.text, due)):
            return f"product {self.product} says {seen.text}, not {due}"
        if seen.photos is not None:
            names = [name_of(photo) for photo in self.good.photos(revision)]
            if [path.rsplit("/", 1)[-1] for path in seen.photos] != names:
                return f"product {self.product} has other photos than it should at {revision}"
        return None


class SoakTruth(Truth):
    """All products that were ever registered, by their numbers; the lost ones have none."""

    def __init__(self):
        super().__init__()
        self.records = {}
        self.counts = dict(registrations=0, edits=0, deletions=0, repeats=0)

    def count(self, what):
        with self.lock:
            self.counts[what] += 1

    def add(self, record):
        with self.lock:
            twin = self.records.setdefault(record.product, record)
        if twin is not record:
            self.fail(f"two registrations became product {record.product}")

    def alive(self):
        with self.lock:
            return {p: r for p, r in self.records.items() if not r.is_dying}

    def ended(self):
        with self.lock:
            return {p for p, r in self.records.items() if r.died}

    def check_seen(self, seen, moment):
        record = self.records.get(seen.product)
        # One that was registered a moment ago has not told its number yet.
        complaint = record and record.complaint(seen, moment)
        if complaint:
            self.fail(complaint)

    def due_changes(self):
        """What everybody who follows changes has to have been told by now, by product."""
        with self.lock:
            return {p: [r.edits, bool(r.died)] for p, r in self.records.items()}
