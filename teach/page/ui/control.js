// Playing.
let timer = 0;
let before = 0;
let owed = 0;
const playing = () => timer !== 0;

function play() {
  if (page.now.tick >= page.run.ticks) {
    showFrame(call('seek', 0));
  }
  before = performance.now();
  owed = 0;
  timer = requestAnimationFrame(advance);
  showPlaying();
}

function pause() {
  if (!playing() || held) {
    return;
  }
  cancelAnimationFrame(timer);
  timer = 0;
  showPlaying();
  if (page.now) {
    showFrame(page.now);
  }
}

function showPlaying() {
  $('play').classList.toggle('playing', playing());
  $('play').setAttribute('aria-label', playing() ? 'Pause' : 'Play');
  $('sentence').setAttribute('aria-live', playing() ? 'off' : 'polite');
  document.documentElement.classList.toggle('fast', playing() && page.rate > 4);
}

// advance shows as many ticks as the time since the last frame is worth.
function advance(time) {
  owed += held || page.toy && page.away ? 0 : Math.min(time - before, 250) * page.rate / 1000;
  before = time;
  const ticks = Math.floor(owed);
  owed -= ticks;
  if (ticks > 0) {
    showFrame(call('seek', Math.min(page.now.tick + ticks, page.run.ticks)));
  }
  if (page.now.tick >= page.run.ticks) {
    pause();
    return;
  }
  timer = requestAnimationFrame(advance);
}

function setSpeed(exponent) {
  const value = Math.max(0, Math.min(3, exponent));
  $('speed').value = value;
  page.rate = Math.round(10 ** value * 10) / 10;
  $('rate').textContent = `${page.rate < 10 ? page.rate : Math.round(page.rate)} tick${page.rate === 1 ? '' : 's'}/s`;
  showPlaying();
}

// What buttons and keys do.
const actions = {
  play: () => playing() ? pause() : play(),
  tick: () => move('seek', page.now.tick + page.now.whole), // to the end of this tick, or of the next
  back: () => move('seek', page.now.tick - 1),
  step: () => move('step'),
  stepback: () => move('stepback'),
  home: () => move('seek', 0),
  end: () => move('seek', page.run.ticks),
  faster: () => setSpeed(Number($('speed').value) + 0.2),
  slower: () => setSpeed(Number($('speed').value) - 0.2),
  counts: () => { $('numbers').hidden = !$('numbers').hidden; },
  copy: copyLink,
  project: () => {
    pause();
    document.activeElement.blur();
    document.documentElement.classList.toggle('projector');
    document.documentElement.classList.remove('asking');
    scrollTo(0, 0);
  },
  predict: () => document.documentElement.classList.toggle('asking', !$('question').hidden && !document.documentElement.classList.contains('asking')),
  leave: () => document.documentElement.classList.contains('projector') && actions.project(),
  help: () => { pause(); $('help').showModal(); },
};

function move(...verb) {
  pause();
  showFrame(call(...verb));
}

async function copyLink() {
  history.replaceState(null, '', $('fragment').textContent);
  try {
    await navigator.clipboard.writeText(location.href);
    $('copied').textContent = 'copied';
  } catch {
    getSelection().selectAllChildren($('fragment'));
    $('copied').textContent = 'Press Ctrl C: this browser lets no page copy here. The address has it too.';
  }
}

const keys = {
  ' ': 'play', '.': 'play', ArrowRight: 'tick', ArrowLeft: 'back', PageDown: 'tick', PageUp: 'back', Home: 'home', End: 'end',
  '+': 'faster', '=': 'faster', '-': 'slower', c: 'counts', f: 'project', l: 'copy', '?': 'help', q: 'predict',
};
const shifted = { ArrowRight: 'step', ArrowLeft: 'stepback' };

document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && page.now) {
    actions.leave();
  }
  const typing = event.target.closest('input:not([type=checkbox]), select, dialog') && event.target !== $('scrubber');
  const pressing = event.key === ' ' && event.target.closest('button, a, input, summary') && event.target !== $('scrubber');
  if (typing || pressing || event.ctrlKey || event.altKey || event.metaKey || !page.now || racing()) {
    return;
  }
  const chip = event.target.closest('.chip');
  if (chip && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
    event.preventDefault();
    const all = [...chip.closest('svg').querySelectorAll('.chip')];
    all.at((all.indexOf(chip) + (event.key === 'ArrowDown' ? 1 : -1)) % all.length).focus();
    return;
  }
  const action = event.shiftKey && shifted[event.key] || keys[event.key];
  if (action) {
    event.preventDefault();
    actions[action]();
  } else if (event.key >= '1' && event.key <= '7') {
    event.preventDefault();
    toggleScheme(Number(event.key) - 1);
  }
});

// toggleScheme shows or hides one of the seven, at the same moment of the run.
function toggleScheme(index) {
  const boxes = [...document.querySelectorAll('#parameters [name=scheme]')];
  boxes[index].checked = !boxes[index].checked;
  if (boxes.some((box) => box.checked)) {
    apply(true);
  } else {
    boxes[index].checked = true;
  }
}

// apply opens the state that the form describes: from its start, or at this moment.
function apply(stay) {
  const form = $('parameters');
  const names = [...form.querySelectorAll('[name=scheme]:checked')].map((box) => box.value);
  const changes = { schemes: names.join(','), t: stay ? page.now.tick : 0 };
  for (const input of form.querySelectorAll('.fields [name]')) {
    changes[input.name] = input.value.trim();
  }
  if (!stay && changes.n !== '0') { // without a workload, the run is what the reader did
    changes.edit = '';
  }
  go(changed(changes));
}

// changed returns the present state as a fragment, with some of its parts changed.
function changed(changes) {
  const parts = { ...page.run.parameters, step: -1, ...changes };
  return 'v=1&' + Object.entries(parts).map(([key, value]) => `${key}=${value}`).join('&');
}

function edit(text) {
  pause();
  const run = call('edit', text);
  if (run) {
    say('');
    history.pushState(null, '', '#' + run.fragment);
    showRun(run);
  }
}

// turn goes to another lesson, and to its beginning.
function turn(by) {
  go(`v=1&lesson=${page.run.lesson + by}`);
  $('lesson').focus({ preventScroll: true });
  $('lesson').scrollIntoView({ block: 'start' });
}

function listen() {
  for (const button of document.querySelectorAll('[data-do]')) {
    button.addEventListener('click', () => actions[button.dataset.do]());
  }
  $('scrubber').addEventListener('input', () => move('seek', Number($('scrubber').value)));
  $('speed').addEventListener('input', () => setSpeed(Number($('speed').value)));
  $('copy').addEventListener('click', copyLink);
  $('choose').addEventListener('change', () => document.querySelectorAll('#lessons a')[$('choose').selectedIndex].click());
  $('previous').addEventListener('click', () => turn(-1));
  $('next').addEventListener('click', () => turn(1));
  $('parameters').addEventListener('submit', (event) => { event.preventDefault(); apply(false); });
  $('seven').addEventListener('click', () => {
    [...document.querySelectorAll('#parameters [name=scheme]')].forEach((box, i) => { box.checked = i < 7; });
    apply(true);
  });
  $('code').addEventListener('toggle', () => { page.shown = ''; showSource(page.now); }); // what is closed cannot scroll
  $('knobs').addEventListener('submit', (event) => event.preventDefault());
  $('knobs').addEventListener('input', (event) => {
    const { name, value } = event.target;
    open(changed({ [name]: value, t: page.now.tick, ...(name === 'M' ? {} : { edit: '' }) }));
  });
  const form = $('edit');
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const interval = form.elements.interval.value.trim();
    const id = form.elements.timer.value.trim();
    const { name } = event.submitter;
    const missing = [name !== 'stop' && !/^\d+$/.test(interval) && 'an interval, a whole number of ticks',
      name !== 'start' && !/^\d+$/.test(id) && 'a timer, the number in its circle'].filter(Boolean).join(', and ');
    if (missing) {
      say(`Tick ${page.now.tick}: to ${name} a timer, give ${missing}.`);
      return;
    }
    edit({ start: `start:${interval}`, stop: `stop:${id}`, restart: `restart:${id}:${interval}` }[name]);
  });
  $('lanes').addEventListener('click', (event) => {
    const chip = event.target.closest('[data-k]');
    if (chip) {
      form.elements.timer.value = chip.dataset.k.slice(1).split('-')[0];
    }
  });
  for (const name of ['pointerover', 'focusin']) {
    $('lanes').addEventListener(name, showTip);
  }
  for (const name of ['pointerleave', 'focusout']) {
    $('lanes').addEventListener(name, () => { $('tip').hidden = true; });
  }
  $('save').addEventListener('click', saveDrawings);
  $('same').addEventListener('click', () => {
    $('parameters').elements.ticks.value = page.run.benchTicks;
    apply(false);
    actions.end();
  });
  listenToHands();
  listenToCurve();
  listenToRace();
  addEventListener('popstate', () => open(location.hash));
  document.addEventListener('visibilitychange', () => { if (document.hidden) { pause(); } });
  $('answer').addEventListener('submit', check);
}

// saveDrawings saves what is on the stage as one SVG file.
function saveDrawings() {
  let y = 0;
  const drawings = [...document.querySelectorAll('svg.lane')].map((svg) => {
    const copy = svg.cloneNode(true);
    copy.setAttribute('y', y);
    copy.setAttribute('width', 360);
    copy.setAttribute('height', svg.viewBox.baseVal.height);
    y += svg.viewBox.baseVal.height;
    return new XMLSerializer().serializeToString(copy);
  });
  const style = document.querySelector('style').textContent.replace(/[<&]/g, '');
  const text = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 360 ${y}"><style>${style}</style>${drawings.join('')}</svg>`;
  const link = element('a', { download: 'schemes.svg', href: URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' })) });
  link.click();
  URL.revokeObjectURL(link.href);
}
