"""Pairs of the greatest total weight: Edmonds' algorithm for weighted matching in any graph.

After Z. Galil, “Efficient algorithms for finding maximum matching in graphs” (1986): labels of the
points bound the weights of the edges; trees grow from unmatched points along edges that reach their
bound, circles of odd length are shrunk into blossoms, and labels move when no tree can grow. Points
are numbered from 1, blossoms follow them. It takes time in the order of the cube of the points.
"""

from collections import deque
from collections.abc import Mapping

Edge = tuple[int, int, int]
"""Two points and the weight of the edge between them; 0: there is none."""

FREE, OUTER, INNER = -1, 0, 1
"""Where a point or blossom is: in no tree, or at an even or odd distance from its tree's root."""


def heaviest_pairs(count: int, weights: Mapping[tuple[int, int], int]) -> dict[int, int]:
    """Return the partner of each point that has one, so that the total of the weights is greatest.

    Points are 1 to `count`; `weights` are those of the possible pairs, each above 0.
    """
    graph = _Graph(count, weights)
    while graph.grow():
        pass
    return {one: graph.match[one] for one in range(1, count + 1) if graph.match[one]}


class _Graph:
    """The state of the search. `top[x]` is the outermost blossom that holds x (itself: none does).

    `edge[x][y]` is the edge of least slack between two points or blossoms, `inside[b][p]` the part
    of blossom b that holds point p, `parent[x]` the outer point from which inner x was reached, and
    `best[x]` the outer point whose edge to x has the least slack (0: none).
    """

    def __init__(self, count: int, weights: Mapping[tuple[int, int], int]) -> None:
        size = 2 * count + 1
        self.count, self.last = count, count
        self.edge: list[list[Edge]] = [[(x, y, 0) for y in range(size)] for x in range(size)]
        for (one, two), weight in weights.items():
            self.edge[one][two], self.edge[two][one] = (one, two, weight), (two, one, weight)
        most = max(weights.values(), default=0)
        self.label = [most if 1 <= x <= count else 0 for x in range(size)]
        self.top = [x if x <= count else 0 for x in range(size)]
        self.inside = [[x if x == y <= count else 0 for y in range(size)] for x in range(size)]
        self.match, self.parent, self.best = [0] * size, [0] * size, [0] * size
        self.place, self.seen, self.search = [FREE] * size, [0] * size, 0
        self.parts: list[list[int]] = [[] for _ in range(size)]
        self.queue: deque[int] = deque()

    def slack(self, one: int, two: int) -> int:
        """Return twice how far the labels of an edge's points are above its weight."""
        first, second, _ = self.edge[one][two]
        weight = self.edge[first][second][2]
        return self.label[first] + self.label[second] - 2 * weight

    def is_edge(self, one: int, two: int) -> bool:
        return self.edge[one][two][2] > 0

    def note_best(self, point: int, x: int) -> None:
        """Keep `point` as the best to reach x if its edge has less slack."""
        if not self.best[x] or self.slack(point, x) < self.slack(self.best[x], x):
            self.best[x] = point

    def find_best(self, x: int) -> None:
        """Set the best outer point to reach x."""
        self.best[x] = 0
        for point in range(1, self.count + 1):
            outer = self.place[self.top[point]] == OUTER
            if outer and self.is_edge(point, x) and self.top[point] != x:
                self.note_best(point, x)

    def enqueue(self, x: int) -> None:
        """Let the edges of all points of x be looked at."""
        if x <= self.count:
            self.queue.append(x)
        for part in self.parts[x]:
            self.enqueue(part)

    def set_top(self, x: int, blossom: int) -> None:
        """Note the outermost blossom of x and of all its parts."""
        self.top[x] = blossom
        for part in self.parts[x]:
            self.set_top(part, blossom)

    def distance_in(self, blossom: int, part: int) -> int:
        """Return the even number of steps to a part from the base, turning the circle for it."""
        parts = self.parts[blossom]
        place = parts.index(part)
        if place % 2 == 0:
            return place
        parts[1:] = parts[:0:-1]
        return len(parts) - place

    def set_match(self, one: int, two: int) -> None:
        """Match `one` along its edge to `two`, and the parts of a blossom with each other."""
        point, other, _ = self.edge[one][two]
        self.match[one] = other
        if one <= self.count:
            return
        part = self.inside[one][point]
        place = self.distance_in(one, part)
        for index in range(place):
            self.set_match(self.parts[one][index], self.parts[one][index ^ 1])
        self.set_match(part, two)
        self.parts[one] = self.parts[one][place:] + self.parts[one][:place]

    def augment(self, one: int, two: int) -> None:
        """Match two outer points, and change matched and free edges on the way to the root."""
        while True:
            before = self.top[self.match[one]]
            self.set_match(one, two)
            if not before:
                return
            up = self.top[self.parent[before]]
            self.set_match(before, up)
            one, two = up, before

    def common_root(self, one: int, two: int) -> int:
        """Return where the ways of two outer points to their roots meet; 0: nowhere."""
        self.search += 1
        while one or two:
            if one:
                if self.seen[one] == self.search:
                    return one
                self.seen[one] = self.search
                one = self.top[self.match[one]]
                if one:
                    one = self.top[self.parent[one]]
            one, two = two, one
        return 0

    def way_up(self, x: int, root: int) -> list[int]:
        """Return the parts from x to below the root; the inner ones among them become outer."""
        way = []
        while x != root:
            inner = self.top[self.match[x]]
            way += [x, inner]
            self.enqueue(inner)
            x = self.top[self.parent[inner]]
        return way

    def shrink(self, one: int, root: int, two: int) -> None:
        """Make a blossom of the circle that an edge between two points of a tree closes."""
        blossom = self.count + 1
        while blossom <= self.last and self.top[blossom]:
            blossom += 1
        self.last = max(self.last, blossom)
        self.label[blossom], self.place[blossom] = 0, OUTER
        self.match[blossom] = self.match[root]
        self.parts[blossom] = [root, *reversed(self.way_up(one, root)), *self.way_up(two, root)]
        self.set_top(blossom, blossom)
        for x in range(1, self.last + 1):
            self.edge[blossom][x], self.edge[x][blossom] = (blossom, x, 0), (x, blossom, 0)
        for point in range(1, self.count + 1):
            self.inside[blossom][point] = 0
        for part in self.parts[blossom]:
            for x in range(1, self.last + 1):
                if self.is_edge(part, x) and (
                    not self.is_edge(blossom, x) or self.slack(part, x) < self.slack(blossom, x)
                ):
                    self.edge[blossom][x] = self.edge[part][x]
                    self.edge[x][blossom] = self.edge[x][part]
            for point in range(1, self.count + 1):
                if self.inside[part][point]:
                    self.inside[blossom][point] = part
        self.find_best(blossom)

    def expand(self, blossom: int) -> None:
        """Take an inner blossom whose label is 0 apart; the way through it stays in the tree."""
        for part in self.parts[blossom]:
            self.set_top(part, part)
        entry = self.inside[blossom][self.edge[blossom][self.parent[blossom]][0]]
        place = self.distance_in(blossom, entry)
        parts = self.parts[blossom]
        for inner, outer in zip(parts[:place:2], parts[1:place:2], strict=True):
            self.parent[inner] = self.edge[outer][inner][0]
            self.place[inner], self.place[outer] = INNER, OUTER
            self.best[inner] = 0
            self.find_best(outer)
            self.enqueue(outer)
        self.place[entry], self.parent[entry] = INNER, self.parent[blossom]
        for part in parts[place + 1 :]:
            self.place[part] = FREE
            self.find_best(part)
        self.top[blossom] = 0
        self.parts[blossom] = []

    def follow(self, edge: Edge) -> bool:
        """Grow a tree along an edge without slack; True: two trees met: there is a pair more."""
        one, two = self.top[edge[0]], self.top[edge[1]]
        if self.place[two] == FREE:
            self.parent[two], self.place[two] = edge[0], INNER
            partner = self.top[self.match[two]]
            self.best[two] = self.best[partner] = 0
            self.place[partner] = OUTER
            self.enqueue(partner)
        elif self.place[two] == OUTER:
            root = self.common_root(one, two)
            if not root:
                self.augment(one, two)
                self.augment(two, one)
                return True
            self.shrink(one, root, two)
        return False

    def grow(self) -> bool:
        """Find one pair more; False if the total weight would not be greater with it."""
        outermost = [x for x in range(1, self.last + 1) if self.top[x] == x]
        self.place = [FREE] * len(self.place)
        self.best = [0] * len(self.best)
        self.queue.clear()
        for x in outermost:
            if not self.match[x]:
                self.parent[x], self.place[x] = 0, OUTER
                self.enqueue(x)
        if not self.queue:
            return False
        while True:
            if self.follow_queue():
                return True
            if not self.move_labels():
                return False
            self.queue.clear()
            for x in range(1, self.last + 1):
                point = self.best[x]
                if not point or self.top[x] != x or self.top[point] == x or self.slack(point, x):
                    continue
                if self.follow(self.edge[point][x]):
                    return True
            for blossom in range(self.count + 1, self.last + 1):
                inner = self.top[blossom] == blossom and self.place[blossom] == INNER
                if inner and not self.label[blossom]:
                    self.expand(blossom)

    def follow_queue(self) -> bool:
        """Look at all edges of outer points; True: there is a pair more."""
        while self.queue:
            point = self.queue.popleft()
            if self.place[self.top[point]] == INNER:
                continue
            for other in range(1, self.count + 1):
                if not self.is_edge(point, other) or self.top[point] == self.top[other]:
                    continue
                if self.slack(point, other):
                    self.note_best(point, self.top[other])
                elif self.follow(self.edge[point][other]):
                    return True
        return False

    def move_labels(self) -> bool:
        """Move the labels until an edge loses its slack; False: no more pair can be found."""
        blossoms = [b for b in range(self.count + 1, self.last + 1) if self.top[b] == b]
        steps = [self.label[b] // 2 for b in blossoms if self.place[b] == INNER]
        for x in range(1, self.last + 1):
            if self.top[x] == x and self.best[x] and self.place[x] != INNER:
                slack = self.slack(self.best[x], x)
                steps.append(slack if self.place[x] == FREE else slack // 2)
        points = range(1, self.count + 1)
        outer = [p for p in points if self.place[self.top[p]] == OUTER]
        step = min([*steps, *(self.label[p] for p in outer)])
        if any(self.label[p] <= step for p in outer):
            return False
        for point in points:
            self.label[point] -= step * {OUTER: 1, INNER: -1, FREE: 0}[self.place[self.top[point]]]
        for blossom in blossoms:
            self.label[blossom] += 2 * step * {OUTER: 1, INNER: -1, FREE: 0}[self.place[blossom]]
        return True
