#!/usr/bin/env python3
"""An adapter for a heap, as in the documentation of heapq: the example to copy. The protocol is in ../README.md."""
import heapq
import sys
import time


class Heap:
    """The timers: a heap of [deadline, number, ID]. A stop leaves the entry in it, with no ID."""

    def __init__(self):
        self.now = 0
        self.heap = []
        self.entries = {}  # of the timers that have not ended, by ID
        self.number = 0  # of starts: timers of one tick expire in the order of their starts

    def start(self, ID, interval):
        self.number += 1
        self.entries[ID] = entry = [self.now + interval, self.number, ID]
        heapq.heappush(self.heap, entry)

    def stop(self, ID):
        entry = self.entries.pop(ID, None)
        if entry is None:
            return False
        entry[2] = None
        return True

    def tick(self, action):
        self.now += 1
        while self.heap and self.heap[0][0] <= self.now:
            ID = heapq.heappop(self.heap)[2]
            if ID is not None:
                del self.entries[ID]
                action(ID)


def do(heap, words):
    """Does a start, stop or restart and returns the answer."""
    ID, interval = int(words[1]), int(words[-1])
    if words[0] == "stop":
        return "yes" if heap.stop(ID) else "no"
    if interval == 0:
        return "error interval 0 (use 1 or more)"
    if words[0] == "restart":
        if not heap.stop(ID):
            return "no"
        ID = int(words[2])
    heap.start(ID, interval)
    return "ok"


def passed(heap, ticks, actions):
    """Passes ticks and returns the answer."""
    events = []
    for k in range(1, ticks + 1):

        def expire(ID):
            answers = [do(heap, op.split()).split()[0] for op in actions.pop(ID, [])]
            events.append(f"{k}:{ID}" + ("=" + ",".join(answers) if answers else ""))

        heap.tick(expire)
    return " ".join(["ok"] + events)


class File:
    """The operations of a file, and what came of them."""

    def __init__(self, path):
        self.heap, self.expired, self.operations = Heap(), [], []
        for line in open(path):
            words = line.split()
            if words[0] == "begin":
                self.run()
                self.operations = []
            else:
                self.operations.append((words[0], int(words[-1]), [int(word) for word in words[1:]]))

    def run(self):
        heap = self.heap
        expire = lambda ID: self.expired.append((heap.now, ID))
        begun = time.process_time_ns()
        for name, last, numbers in self.operations:
            if name == "tick":
                for _ in range(last):
                    heap.tick(expire)
                continue
            if name != "start":
                heap.stop(numbers[0])
            if name != "stop":
                heap.start(numbers[-2], last)
        return time.process_time_ns() - begun

    def checksum(self):
        def mix(x):
            x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 % 2**64
            x = (x ^ x >> 27) * 0x94D049BB133111EB % 2**64
            return x ^ x >> 31

        return sum(mix((tick * 0x9E3779B97F4A7C15 + ID) % 2**64) for tick, ID in self.expired) % 2**64


def main():
    heap, actions, file = Heap(), {}, None
    for line in sys.stdin:
        words = line.split()
        if words[0] == "hello":
            answer = f"hello 1 heapq {sys.version.split()[0]} stale action order zero restart run"
        elif words[0] == "new":
            heap, actions, answer = Heap(), {}, "ok"
        elif words[0] == "action":
            actions[int(words[1])] = " ".join(words[2:]).split("; ")
            answer = "ok"
        elif words[0] == "tick":
            answer = passed(heap, int(words[1]), actions)
        elif words[0] == "load":
            file, answer = File(words[1]), "ok"
        elif words[0] == "run":
            answer = f"ok {file.run()}"
        elif words[0] == "outcome":
            answer = f"ok {len(file.expired)} {file.checksum()}"
        else:
            answer = do(heap, words)
        print(answer, flush=True)


main()
