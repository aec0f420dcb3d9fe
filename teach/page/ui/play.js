// Hands on a wheel: timers are carried onto it and off it, its hand turns the time back and forth, and a knob on the
// rim sets M. This works on the drawing of every single wheel. Arrow keys and Enter do what the pointer does.

const centre = { x: 180, y: 176 }; // of the ring, as it is drawn
let held = null; // what a pointer or a key has taken hold of

const modulo = (a, m) => (a % m + m) % m;
const nearest = (turn) => modulo(turn + 0.5, 1) - 0.5; // the same angle, by less than half a turn
const slots = () => Number(page.run.parameters.M);
const hand = () => Number($('lanes').querySelector('[data-slot].hand')?.dataset.slot);
const stops = () => [...$('lanes').querySelectorAll('.stop')]; // of the rim
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
  grips.classList.toggle('refused', isNaN(hand()));
  if (drawing.querySelector('.due')) {
    discovered('expiry');
  }
  const turner = grips.querySelector('.turner');
  const before = Number(turner.dataset.turn || 0);
  turner.dataset.turn = before + nearest(hand() / slots() - before) || 0;
  turner.style.transform = `rotate(${turner.dataset.turn}turn)`;
  const rim = grips.querySelector('.rim');
  rim.setAttribute('aria-valuenow', slots());
  rim.querySelector('text').textContent = page.toy ? `${slots()} slots` : `M = ${slots()}`;
  rim.querySelector('.knob').style.transform = `rotate(${grips.querySelectorAll('.stop')[stop()].dataset.turn}turn)`;
}

// place returns where a pointer is in a drawing.
function place(event, svg) {
  return new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
}

// hold takes hold of what is there, if that can be moved, until release. Time stands still meanwhile.
function hold(target) {
  const grip = target.closest('[data-grip], [data-slot].hand, .chip[data-k]:not(.due)');
  if (!grip || !$('lanes').querySelector('.grips')) {
    return false;
  }
  const id = grip.dataset.k?.slice(1);
  const left = Number(grip.dataset.left || 0);
  held = { what: grip.dataset.grip || (id ? 'timer' : 'hand'), id, left, reach: left, tick: page.now.tick, on: playing() };
  return true;
}

function release() {
  const on = held?.on;
  aim(null);
  held = null;
  $('lanes').querySelector('.ghost')?.toggleAttribute('hidden', true);
  if (on && !playing()) {
    play();
  }
}

// aim lights up the slot that is so far ahead of the hand, in slots, and says how long a timer waits there. What the
// wheel cannot have goes on by revolutions to what it can. null is nowhere.
function aim(reach) {
  const m = slots();
  for (; reach !== null && reach < 0.5; reach += m);
  for (; reach >= page.now.reach + 0.5; reach -= m);
  const ticks = Math.round(reach);
  Object.assign(held || {}, { reach, ticks });
  const slot = ticks && (hand() + ticks) % m;
  for (const e of $('lanes').querySelectorAll('[data-slot]')) {
    e.classList.toggle('aimed', ticks > 0 && Number(e.dataset.slot) === slot);
  }
  const box = $('lanes').querySelector('.aim');
  box?.toggleAttribute('hidden', !ticks);
  if (!ticks) {
    return;
  }
  const rounds = Math.ceil(ticks / m);
  const words = [`in ${ticks} tick${ticks > 1 ? 's' : ''}`, `slot ${slot}`, rounds > 1 ? `${rounds} rounds` : ''];
  box.querySelectorAll('text').forEach((text, i) => { text.textContent = words[i]; });
  const [round, way] = box.querySelectorAll('.way');
  round.toggleAttribute('hidden', rounds < 2);
  way.setAttribute('stroke-dasharray', `${(ticks / m - rounds + 1) * 110 * Math.PI} 999`);
  way.setAttribute('transform', `rotate(${360 * hand() / m - 90} 180 176)`);
  $('aim').textContent = words.join(' ');
}

// carry does what the thing held does when the pointer is there.
const carry = {
  timer(p) {
    const ghost = $('lanes').querySelector('.ghost');
    ghost.toggleAttribute('hidden', false);
    ghost.style.transform = `translate(${p.x}px,${p.y}px)`;
    ghost.lastChild.textContent = held.id || '+';
    held.off = p.out > 182;
    if (held.off || p.out < 40) {
      aim(null);
      held.turn = undefined;
      return;
    }
    const m = slots();
    const step = nearest(p.turn - (held.turn ?? p.turn));
    const before = held.reach || modulo(p.turn - hand() / m, 1) * m;
    const reach = before + step * m;
    held.way = held.turn === undefined ? 0 : held.way + step;
    held.turn = p.turn;
    // Who passes the hand on the way to a slot has not gone round yet.
    const passes = Math.floor((reach - 0.5) / m) > Math.floor((before - 0.5) / m);
    aim(passes && held.way < 0.5 ? reach - m : reach);
  },
  hand(p) {
    held.reach += nearest(p.turn - (held.turn ?? p.turn)) * slots();
    held.turn = p.turn;
    const tick = Math.max(0, Math.min(page.run.ticks, held.tick + Math.round(held.reach)));
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
  if (event.key === 'Escape' && held) {
    release();
  } else if (!grip || event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) {
    return;
  } else if (grip.dataset.grip === 'rim' && step) {
    setSize(stops()[stop() + step]);
  } else if (step && (held || grip.dataset.grip && hold(grip))) {
    aim(held.reach + step);
  } else if (event.key === 'Enter' && held) {
    drop();
  } else if (event.key === 'Enter' && grip.dataset.grip !== 'rim' && hold(grip)) {
    aim(held.left || 1);
  } else if (['Delete', 'Backspace'].includes(event.key) && grip.dataset.k && hold(grip)) {
    Object.assign(held, { off: true, ticks: 0 });
    drop();
  } else {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
}

function listenToHands() {
  const lanes = $('lanes');
  lanes.addEventListener('keydown', holdByKey);
  lanes.addEventListener('focusout', () => { if (held && !held.down) { release(); } });
  lanes.addEventListener('pointerdown', (event) => {
    if (event.button === 0 && hold(event.target)) {
      held.down = event;
    }
  });
  lanes.addEventListener('pointermove', (event) => {
    if (!held?.down || !held.moved && Math.hypot(event.clientX - held.down.clientX, event.clientY - held.down.clientY) < 4) {
      return;
    }
    const way = held.moved ? [event] : [held.down, event];
    if (!held.moved) {
      held.moved = true;
      lanes.setPointerCapture(event.pointerId);
    }
    for (const { x, y } of way.map((e) => place(e, lanes.querySelector('.grips')))) {
      carry[held.what]({ x, y, turn: Math.atan2(x - centre.x, centre.y - y) / (2 * Math.PI), out: Math.hypot(x - centre.x, y - centre.y) });
    }
  });
  lanes.addEventListener('pointerup', () => {
    if (held?.moved && held.what === 'timer') {
      drop();
    } else if (held) {
      release();
    }
  });
  lanes.addEventListener('pointercancel', release);
  lanes.addEventListener('touchmove', (event) => { // which scrolls, but for a finger that holds something
    if (held) {
      event.preventDefault();
    }
  }, { passive: false });
  lanes.addEventListener('click', (event) => { // for those who cannot drag
    const slot = event.target.closest('.toy [data-slot]');
    if (slot) {
      held = { on: playing(), ticks: modulo(slot.dataset.slot - hand() - 1, slots()) + 1 };
      drop();
    }
  });
  new IntersectionObserver(([entry]) => { page.away = !entry.isIntersecting; }).observe(lanes);
  $('compare').addEventListener('click', () => go(changed({ schemes: 'unordered,tree,hashunsorted', t: page.now.tick })));
}

// discovered goes on to the next hint, when a reader has done what the first one asks, or a later one.
function discovered(what) {
  const first = $('hint').firstElementChild.dataset.hint;
  if (what !== 'expiry' || first === what) { // timers expire without a reader, too
    document.querySelector(`[data-hint=${what}]`)?.remove();
  }
}

// showCurve shows what a tick of scheme 6 costs over M, if it runs alone on a workload.
function showCurve(run) {
  $('curve').hidden = run.shown.join() !== 'hashunsorted' || run.parameters.n === '0';
  if (!$('curve').hidden) {
    showPlot(call('plot'));
  }
}

function showPlot(plot) {
  if (!plot) {
    return;
  }
  $('plot').innerHTML = plot.svg;
  $('costs').innerHTML = plot.rows;
  $('curve').classList.toggle('revealed', plot.revealed);
  for (const input of document.querySelectorAll('#guess input')) {
    input.max = plot.top;
  }
}

function listenToCurve() {
  const inputs = [...document.querySelectorAll('#guess input')];
  const draw = (event) => {
    if (event.buttons === 1) {
      $('plot').setPointerCapture(event.pointerId);
      const { x, y } = place(event, $('plot'));
      const i = Math.max(0, Math.min(inputs.length - 1, Math.round(x / 40)));
      const cost = inputs[0].max * Math.max(0, Math.min(1, 1 - y / 180));
      showPlot(call('guess', i, cost, event.type === 'pointermove'));
    }
  };
  inputs.forEach((input, i) => input.addEventListener('input', () => showPlot(call('guess', i, Number(input.value), false))));
  $('plot').addEventListener('pointerdown', draw);
  $('plot').addEventListener('pointermove', draw);
  $('reveal').addEventListener('click', () => showPlot(call('reveal')));
}
