"""Fifteen ordinary merges of two people's edits to a todo, with the right results; and 300 merges of separate edits."""
import itertools
import random

PARTY = """\
id: 7c1e0f0a-9a0e-4b5b-8f39-0d0f6a4b1c11
text: Plan the party
due: 2026-12-05
priority: medium
guests: 12
budget: 80.50
tags: [home, shop]
items:
- text: Cake
  done: false
- text: Candles
  done: false
- text: Music
  done: false
place: the hall in Mill Lane
notes: |
  Ask Bea for chairs.

  The hall opens at six.

  Bring the big pot.
"""


class Case:
    """A base, two sides and the right result: a merged text, or the texts after taking either side of all blocks."""

    def __init__(self, name, base, local, remote, merged=None, taken=None):
        self.name = name
        self.base, self.local, self.remote = base, local, remote
        # None stands for a deleted todo.
        self.merged = merged
        self.taken = taken


def edit(text, *changes):
    """Returns a text with new parts in place of old ones; each old part must occur once."""
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


TEXT = ("Plan the party", "Plan Ann's party")
DUE = ("2026-12-05", "2026-12-12")
PRIORITY = ("medium", "high")
GUESTS = ("guests: 12", "guests: 15")
BUDGET = ("80.50", "95.00")
SEVEN = ("at six", "at seven")
TICK = ("Candles\n  done: false", "Candles\n  done: true")
QUOTED = edit(PARTY, ("Plan the party", '"Plan the party"'), ("2026-12-05", '"2026-12-05"'), ("medium", '"medium"'),
              ("[home, shop]", '["home", "shop"]'), ("the hall in Mill Lane", '"the hall in Mill Lane"'))
INDENTED = edit(PARTY, *[(f"- text: {item}\n  done", f"  - text: {item}\n    done")
                         for item in ("Cake", "Candles", "Music")])
# One side moved the due date to the end.
REORDERED = edit(PARTY, ("due: 2026-12-05\n", "")) + "due: 2026-12-05\n"


def both(name, local, remote, merged=None, base=PARTY):
    """Returns a case whose right result contains the changes of both sides."""
    return Case(name, base, edit(base, *local), edit(base, *remote), merged or edit(base, *local, *remote))


CASES = [
    both("two fields, far apart", [TEXT], [SEVEN]),
    both("two fields, one below the other", [DUE], [PRIORITY]),
    Case("one field on both sides, and another field", PARTY,
         edit(PARTY, TEXT), edit(PARTY, ("Plan the party", "Plan Bob's party"), DUE),
         taken=(edit(PARTY, TEXT, DUE), edit(PARTY, ("Plan the party", "Plan Bob's party"), DUE))),
    both("two paragraphs of a note", [("for chairs", "for ten chairs")], [("the big pot", "the big pot and a ladle")]),
    both("a tag added on each side", [("[home, shop]", "[home, shop, ann]")], [("[home, shop]", "[home, shop, fun]")],
         edit(PARTY, ("[home, shop]", "[home, shop, ann, fun]"))),
    both("an item ticked, and its text edited", [TICK], [("Candles", "Forty candles")],
         edit(PARTY, TICK, ("Candles", "Forty candles"))),
    both("an item added in one place on each side", [("place:", "- text: Balloons\n  done: false\nplace:")],
         [("place:", "- text: Drinks\n  done: false\nplace:")],
         edit(PARTY, ("place:", "- text: Balloons\n  done: false\n- text: Drinks\n  done: false\nplace:"))),
    both("a comment above a field, and its value", [("guests", "# without the children\nguests")], [GUESTS],
         edit(PARTY, ("guests: 12", "# without the children\nguests: 15"))),
    both("two comments in one place", [("guests", "# without the children\nguests")],
         [("guests", "# Cem may come, too\nguests")],
         edit(PARTY, ("guests", "# without the children\n# Cem may come, too\nguests"))),
    Case("a field moved, and its value", PARTY, REORDERED, edit(PARTY, DUE), edit(REORDERED, DUE)),
    Case("all values quoted, and two of them edited", PARTY, QUOTED, edit(PARTY, TEXT, ("shop]", "shop, fun]")),
         edit(QUOTED, TEXT, ('"shop"]', '"shop", fun]'))),
    Case("deleted, and edited", PARTY, edit(PARTY, TEXT), None, taken=(edit(PARTY, TEXT), None)),
    both("the same edit on both sides, and another", [PRIORITY, TICK], [PRIORITY, SEVEN],
         edit(PARTY, PRIORITY, TICK, SEVEN)),
    Case("a list indented, and an item ticked", PARTY, INDENTED, edit(PARTY, TICK),
         edit(INDENTED, ("Candles\n    done: false", "Candles\n    done: true"))),
    both("a date and numbers, and the fields between them", [DUE, GUESTS], [PRIORITY, BUDGET]),
]


# A todo with twelve fields, and an edit of each.
TRIP = """\
text: Plan the trip
due: 2026-12-05
priority: medium
tags: [home, travel]
from: Bonn
to: Berlin
train: ICE 845
seats: 2
budget: 180.00
owner: Ann
phone: 030 123456
notes: |
  Ask Bea for the tent.
  The train leaves at six.
  Bring the big map.
"""
TRIP_EDITS = [
    ("the trip", "the weekend"), ("12-05", "12-12"), ("medium", "high"), ("travel]", "travel, bea]"), ("Bonn", "Cologne"),
    ("Berlin", "Potsdam"), ("845", "647"), ("seats: 2", "seats: 3"), ("180.00", "240.00"), ("Ann", "Cem"),
    ("123456", "654321"), ("at six", "at seven"),
]


def separate_edits(count):
    """Returns merges (base, local, remote) where each side edited three fields that the other side didn't edit.

    They are a sample of all 18,480. The seed was chosen so that git merges the same share of the sample as of all: 18 %.
    """
    pairs = [(ours, theirs) for ours in itertools.combinations(TRIP_EDITS, 3)
             for theirs in itertools.combinations(TRIP_EDITS, 3) if not set(ours) & set(theirs)]
    return [tuple(f"id: trip-{number}\n" + edit(TRIP, *changes) for changes in [(), ours, theirs])
            for number, (ours, theirs) in enumerate(random.Random(6).sample(pairs, count))]


SEPARATE_EDITS = separate_edits(300)
