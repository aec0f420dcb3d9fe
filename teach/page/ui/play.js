// Hands on a wheel: timers are carried onto it and off it, its hand turns the time back and forth, and a knob on the
// rim sets M. This works on the drawing of every single wheel. Arrow keys and Enter do what the pointer does.

const centre = { x: 180, y: 176 }; // of the ring, as it is drawn
const lanes = $('lanes');
let held = null; // what a pointer or a key has taken hold of; the clock stands still meanwhile, and goes on

const modulo = (a, m) => (a % m + m) % m;
const nearest = (turn) => modulo(turn + 0.5, 1) - 0.5; // the same angle, by less than half a turn
const slots = () => Number(page.run.parameters.M);
const hand = () => Number(lanes.querySelector('[data-slot].hand')?.dataset.slot);
const stops = () => [...lanes.querySelectorAll('.stop')]; // of the rim
const stop = () => Math.max(0, stops().findIndex((e) => e.dataset.size >= slots()));

// showGrips lays over the drawing of one wheel what can be taken hold of. It stays while drawings change.
function showGrips(box, drawing) {
  let grips = box.querySelector('.grips');
  if (!page.now.reach) {
    grips?.remove();
    return;
  }
  if (!grips) {
    box.append($('grips').content.cloneNode(true));
    grips = box.lastElementChild;
  }
  grips.setAttribute('viewBox', drawing.getAttribute('viewBox'));
  const clock = Number(page.run.parameters.now) + page.now.tick;
  grips.querySelector('.turner').style.transform = `rotate(${clock / slots()}turn)`;
  const rim = grips.querySelector('.rim');
  rim.setAttribute('aria-valuenow', slots());
  rim.querySelector('text').textContent = `M = ${slots()} slots`;
  rim.querySelector('.knob').style.transform = `rotate(${grips.querySelectorAll('.stop')[stop()].dataset.turn}turn)`;
}

// place returns where a pointer is in a drawing: on a wheel also how far round, in turns from the top, and how far out.
function place(event, svg) {
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  return { x, y, turn: Math.atan2(x - centre.x, centre.y - y) / (2 * Math.PI), out: Math.hypot(x - centre.x, y - centre.y) };
}

// hold takes hold of what is there, if that can be moved, until release.
function hold(target) {
  const grip = target.closest('[data-grip], [data-slot].hand, .chip[data-k]:not(.due)');
  if (!grip || !lanes.querySelector('.grips')) {
    return false;
  }
  const { grip: what, k, left = 0 } = grip.dataset;
  const id = k?.slice(1).split('-')[0];
  held = { what: what || (id ? 'timer' : 'hand'), id, left: Number(left), reach: Number(left), tick: page.now.tick };
  return true;
}

function release() {
  if (held) {
    keepLink(page.now.fragment);
    aim(null);
    lanes.querySelector('.ghost').toggleAttribute('hidden', true);
    held = null;
  }
}

// aim lights up the slot that is so far ahead of the hand, in slots, and says how long a timer waits there. What the
// wheel cannot have goes on by revolutions to what it can. null is nowhere.
function aim(reach) {
  const m = slots();
  for (; reach !== null && reach < 0.5; reach += m);
  for (; reach >= page.now.reach + 0.5; reach -= m);
  const ticks = Math.round(reach);
  Object.assign(held, { reach, ticks });
  const { slot, svg } = ticks ? call('aim', ticks) : { slot: -1, svg: '' };
  lanes.querySelectorAll('[data-slot]').forEach((e) => e.classList.toggle('aimed', Number(e.dataset.slot) === slot));
  lanes.querySelector('.aim').innerHTML = svg;
  $('aim').textContent = lanes.querySelector('.aim').textContent;
}

// carry does what the thing held does when the pointer is there.
const carry = {
  timer(p) {
    const ghost = lanes.querySelector('.ghost');
    ghost.toggleAttribute('hidden', false);
    ghost.style.transform = `translate(${p.x}px,${p.y}px)`;
    ghost.lastChild.textContent = held.id || '+';
    held.off = p.out > 182;
    if (held.off || p.out < 40) {
      aim(null);
      Object.assign(held, { turn: undefined, way: 0 });
      return;
    }
    const m = slots();
    const from = held.turn ?? p.turn;
    const before = held.reach || modulo(from - hand() / m, 1) * m;
    const reach = before + nearest(p.turn - from) * m;
    Object.assign(held, { turn: p.turn, way: (held.way || 0) + nearest(p.turn - from) });
    // To pass the hand on the way to a slot is not yet a turn.
    const passes = Math.floor((reach - 0.5) / m) > Math.floor((before - 0.5) / m);
    aim(passes && held.way < 0.5 ? reach - m : reach);
  },
  hand(p) {
    const reach = held.reach + nearest(p.turn - held.turn) * slots();
    held.reach = Math.max(-held.tick, Math.min(page.run.ticks - held.tick, reach));
    held.turn = p.turn;
    const tick = held.tick + Math.round(held.reach);
    if (tick !== page.now.tick) {
      showFrame(call('seek', tick));
      discovered('hand');
    }
  },
  rim(p) {
    const away = (e) => Math.abs(e.dataset.turn - p.turn);
    setSize(stops().reduce((a, b) => away(b) < away(a) ? b : a));
  },
};

// setSize makes the wheel one of another size, at the same tick and with the same timers.
function setSize(to) {
  if (to && Number(to.dataset.size) !== slots()) {
    open(changed({ M: to.dataset.size, t: page.now.tick }));
  }
}

// drop puts the timer held into the slot aimed at, or stops it if it has been carried off the wheel.
function drop() {
  const { id, ticks, left, off } = held;
  if (ticks && !id) {
    edit(`start:${ticks}`);
    discovered('start');
    if (ticks > slots()) {
      discovered('round');
    }
  } else if (ticks && ticks !== left) {
    edit(`restart:${id}:${ticks}`);
  } else if (off && id) {
    edit(`stop:${id}`);
    discovered('stop');
  }
  release();
}

// holdByKey does with keys what the pointer does: arrow keys choose, Enter takes and drops, Delete stops.
function holdByKey(event) {
  const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
  const grip = event.target.closest('[data-grip], .chip[data-k]:not(.due)');
  const rim = grip?.dataset.grip === 'rim';
  if (!grip || event.shiftKey || rim && !step) {
    return;
  }
  if (rim) {
    setSize(stops()[stop() + step]);
  } else if (held && ['Enter', 'Escape'].includes(event.key)) {
    (event.key === 'Enter' ? drop : release)();
  } else if (event.key === 'Enter' && hold(grip)) {
    aim(held.left || 1);
  } else if (step && (held || grip.dataset.grip && hold(grip))) {
    aim(held.reach + step);
  } else if (event.key === 'Delete' && grip.dataset.k && hold(grip)) {
    held.off = true;
    drop();
  } else {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
}

function listenToHands() {
  lanes.addEventListener('keydown', holdByKey);
  lanes.addEventListener('focusout', () => { if (held && !held.down) { release(); } });
  lanes.addEventListener('pointerdown', (event) => {
    if (event.button === 0 && hold(event.target)) {
      held.down = place(event, lanes.querySelector('.grips'));
      held.turn = held.down.turn;
    }
  });
  document.addEventListener('pointermove', (event) => { // a quick one is out of the drawing
    const p = held?.down && place(event, lanes.querySelector('.grips'));
    if (p && (held.moved || Math.hypot(p.x - held.down.x, p.y - held.down.y) > 3)) {
      held.moved = true;
      lanes.setPointerCapture(event.pointerId);
      carry[held.what](p);
    }
  });
  document.addEventListener('pointerup', () => (held?.moved && held.what === 'timer' ? drop : release)());
  document.addEventListener('pointercancel', release);
  lanes.addEventListener('touchmove', (event) => { if (held) { event.preventDefault(); } }, { passive: false }); // it would scroll
  lanes.addEventListener('click', (event) => { // for those who cannot drag
    const slot = event.target.closest('.toy [data-slot]');
    if (slot) {
      held = { ticks: modulo(slot.dataset.slot - hand() - 1, slots()) + 1 };
      drop();
    }
  });
  new IntersectionObserver((seen) => { page.away = !seen.at(-1).isIntersecting; }).observe(lanes);
  $('compare').addEventListener('click', () => go(changed({ schemes: 'unordered,tree,hashunsorted', t: page.now.tick })));
}

// discovered drops the hint of what a reader has done. The first one left is said.
const discovered = (what) => document.querySelector(`[data-hint=${what}]`)?.remove();

// showCurve shows what a tick of scheme 6 costs over M, if it runs alone on a workload.
function showCurve(run) {
  $('curve').hidden = run.shown.join() !== 'hashunsorted' || run.parameters.n === '0';
  if (!$('curve').hidden) {
    showCosts('costs');
  }
}

function showCosts(...verb) {
  const costs = call(...verb);
  $('curve').hidden = !costs;
  if (costs) {
    $('costs').innerHTML = costs.svg;
    $('costTable').innerHTML = costs.rows;
    $('curve').classList.toggle('revealed', costs.revealed);
  }
}

function listenToCurve() {
  if (matchMedia('(max-width: 48rem)').matches) {
    lanes.after($('curve')); // both are to be seen
  }
  $('guesses').addEventListener('input', (event) => showCosts('guess', 40 * event.target.name, 180 - event.target.value, false));
  for (const name of ['pointerdown', 'pointermove']) {
    $('costs').addEventListener(name, (event) => {
      if (event.buttons === 1) {
        $('costs').setPointerCapture(event.pointerId);
        const { x, y } = place(event, $('costs'));
        showCosts('guess', x, y, name === 'pointermove');
      }
    });
  }
  $('countCosts').addEventListener('click', () => {
    showCosts('reveal');
    lanes.querySelector('.rim')?.focus({ preventScroll: true });
  });
}
