#!/usr/bin/env node
'use strict';
// An adapter for setTimeout and clearTimeout of Node.js. The protocol is in ../README.md.
const readline = require('node:readline');

const TICK = 10; // milliseconds

// The documentation says "When delay is larger than 2147483647 or less than 1, the delay will be set to 1". A longer interval
// would not be refused, but fire at once, so that the adapter refuses it: this is the range that is documented.
const LONGEST = Math.floor(2147483647 / TICK);

// Node.js "makes no guarantees about the exact timing of when callbacks will fire". It rounds the time of a start down to a
// millisecond, so that timers fire up to 1 ms early (github.com/nodejs/node/issues/26578).
const EARLY = 1; // ms

const now = process.hrtime.bigint; // nanoseconds

class Timers {
  constructor() {
    this.timers = new Map(); // by ID, ended ones too
    this.actions = new Map(); // the operations, by ID
    this.events = []; // since the last answer to tick
  }

  start(ID, interval) {
    const timer = { ended: false };
    this.timers.set(ID, timer);
    const began = now();
    timer.timeout = setTimeout(() => this.expire(ID, timer, (now() - began) / 1000n), interval * TICK);
  }

  // stop reports whether the timer had not ended. clearTimeout returns nothing, and no documented property of a Timeout tells,
  // so that the answer is the adapter's: the callback has not run, and there was no other stop. A timer that has ended is
  // cleared again, which must do no harm.
  stop(ID) {
    const timer = this.timers.get(ID);
    if (!timer) return false;
    clearTimeout(timer.timeout);
    const waited = !timer.ended;
    timer.ended = true;
    return waited;
  }

  expire(ID, timer, us) {
    timer.ended = true;
    const operations = this.actions.get(ID) ?? [];
    this.actions.delete(ID);
    const answers = operations.map((operation) => this.do(operation.split(' ')).split(' ')[0]);
    this.events.push(`${us}:${ID}` + (answers.length > 0 ? '=' + answers.join(',') : ''));
  }

  // do does a start, stop or restart and returns the answer. An ID may be too large for a number, and remains a string.
  // A restart is a stop and a start: timeout.refresh() keeps the interval.
  do(words) {
    const ID = words[1];
    if (words[0] === 'stop') return this.stop(ID) ? 'yes' : 'no';
    const interval = Number(words.at(-1));
    if (interval > LONGEST) return `error interval ${words.at(-1)} (use ${LONGEST} or less)`;
    if (words[0] === 'restart' && !this.stop(ID)) return 'no';
    this.start(words.at(-2), interval);
    return 'ok';
  }

  clear() {
    for (const timer of this.timers.values()) clearTimeout(timer.timeout);
  }
}

// until waits for a time, in nanoseconds. It looks at the clock once in each turn of the event loop, so that it needs no timer.
// It resolves to the longest time by which a look came late, after the one before or after the end: a pause of the process in
// the middle of many ticks is seen, too. There is one turn more, in which the timers that are due after a pause are called.
function until(time) {
  return new Promise((resolve) => {
    let [before, late] = [now(), 0n];
    const look = () => {
      const t = now();
      const by = t - (before < time ? before : time);
      if (by > late) late = by;
      before = t;
      if (t < time) setImmediate(look);
      else setImmediate(resolve, late);
    };
    setImmediate(look);
  });
}

async function main() {
  let timers = new Timers();
  let answered = now(); // the last tick or new
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const words = line.split(' ');
    let answer = 'ok';
    switch (words[0]) {
      case 'hello':
        answer = `hello 1 node ${process.versions.node} clock=${TICK}ms range=${LONGEST} early=${EARLY}ms stale action restart`;
        break;
      case 'new':
        timers.clear();
        timers = new Timers();
        break;
      case 'action':
        timers.actions.set(words[1], words.slice(2).join(' ').split('; '));
        break;
      case 'tick': {
        const late = await until(answered + BigInt(words[1]) * BigInt(TICK) * 1000000n);
        answer = [`ok @${late / 1000n}`, ...timers.events].join(' ');
        timers.events = [];
        break;
      }
      default:
        answer = timers.do(words);
    }
    process.stdout.write(answer + '\n');
    if (words[0] === 'new' || words[0] === 'tick') answered = now();
  }
  process.exit(0); // timers may be waiting
}

main();
