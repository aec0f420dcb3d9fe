'use strict';
// The page around the player. The player, in Go, holds the run and draws it; this script
// shows what it returns and turns buttons and keys into its verbs.

const $ = (id) => document.getElementById(id);
const page = { now: null, run: null, sources: null, lesson: null, sourceOf: '', operation: '', shown: '', rate: 3 };

// unpack is the reverse of pack in build.go.
async function unpack(id) {
  const bytes = Uint8Array.from(atob($(id).textContent), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}

function element(tag, attributes, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    e.setAttribute(name, value);
  }
  e.append(...children);
  return e;
}

function say(text) {
  $('message').textContent = text || '';
  $('message').hidden = !text;
}

// call calls a verb of the player and returns its result, or null after showing its error.
function call(verb, ...args) {
  const result = timerlab[verb](...args);
  if (result.error) {
    say(result.error);
    return null;
  }
  return result;
}

// open shows the run that a fragment describes, and reports whether there is one.
function open(fragment) {
  pause();
  if (openRace(decode(fragment))) {
    return true;
  }
  const start = decode($('play-first').hash);
  const run = call('open', decode(fragment) || start);
  if (!run) {
    return false;
  }
  say(run.warning);
  showRun(run);
  ask();
  if (run.fragment === start && !playing() && !matchMedia('(prefers-reduced-motion: reduce)').matches) {
    setSpeed(0);
    play();
  }
  return true;
}

function decode(fragment) {
  try {
    return decodeURIComponent(fragment.replace(/^#/, ''));
  } catch {
    return fragment.replace(/^#/, '');
  }
}

// go opens a fragment, as open does, and keeps the one before in the browser's history.
function go(fragment) {
  if (open(fragment)) {
    history.pushState(null, '', '#' + fragment);
  }
}

// showRun shows everything that changes with the run, then the moment.
function showRun(run) {
  page.run = run;
  for (const article of document.querySelectorAll('article[data-lesson]')) {
    article.classList.toggle('open', Number(article.dataset.lesson) === run.lesson);
  }
  for (const link of document.querySelectorAll('#lessons a')) {
    link.toggleAttribute('aria-current', Number(link.dataset.lesson) === run.lesson);
  }
  $('choose').value = run.lesson;
  $('previous').disabled = run.lesson <= 1;
  $('next').disabled = run.lesson >= document.querySelectorAll('article').length - 1;
  const form = $('parameters');
  for (const input of form.querySelectorAll('[name]')) {
    if (input.name === 'scheme') {
      input.checked = run.shown.includes(input.value);
    } else {
      input.value = run.parameters[input.name];
    }
  }
  showKnobs(run);
  $('timeline').innerHTML = run.timeline;
  $('chart').innerHTML = run.chart + legendOf(run.lanes);
  $('scrubber').max = run.ticks;
  $('same').hidden = !run.benchTicks || run.benchTicks === run.ticks;
  $('command').textContent = run.command || 'No command makes this run: it has changes of yours, no workload, or wheels of different sizes.';
  document.querySelector('main').classList.toggle('many', run.shown.length > 1);
  if (page.lesson !== run.lesson) {
    $('code').open = run.shown.length === 1;
    page.lesson = run.lesson;
  }
  page.toy = run.lesson === 0 && run.parameters.n === '0' && run.reach > 0;
  document.documentElement.classList.toggle('toy', page.toy);
  const stage = [run.lesson, ...run.shown].join();
  if (page.stage !== stage) { // otherwise timers fly to their new places
    page.stage = stage;
    held = null;
    lanes.replaceChildren();
  }
  showFrame(run);
  showCurve(run);
}

// showKnobs sets the sliders, which a run without a workload does not have.
function showKnobs(run) {
  const knobs = $('knobs');
  knobs.hidden = run.parameters.n === '0';
  knobs.elements.M.closest('label').hidden = run.lanes.every((lane) => lane.number >= 1 && lane.number <= 3);
  for (const name of ['n', 'T', 'M']) {
    const input = knobs.elements[name];
    input.max = Math.max(input.max, run.parameters[name]);
    input.value = run.parameters[name];
    knobs.elements[name + 'Text'].value = run.parameters[name];
  }
}

function legendOf(lanes) {
  const items = lanes.map((lane, i) =>
    `<li><svg viewBox="0 0 30 8" aria-hidden="true"><path class="line line${i % 7}" d="M0 4H30"/></svg> ${lane.title}</li>`);
  return `<ul class="key-of">${items.join('')}</ul>`;
}

// showFrame shows one moment.
function showFrame(frame) {
  page.now = frame;
  frame.lanes.forEach(showLane);
  $('sentence').textContent = frame.sentence;
  $('scrubber').value = frame.tick;
  $('scrubber').setAttribute('aria-valuetext', `tick ${frame.tick} of ${page.run.ticks}`);
  $('where').textContent = `tick ${frame.tick} of ${page.run.ticks}` + (frame.whole ? '' : `, step ${frame.step} of ${frame.steps}`);
  $('fragment').textContent = '#' + frame.fragment;
  showNow(frame);
  showCounts(frame);
  showSource(frame);
  if (!playing()) {
    keepLink(frame.fragment);
  }
}

// keepLink writes the state into the address, at most four times a second: browsers refuse more.
let keeping = 0;
function keepLink(fragment) {
  clearTimeout(keeping);
  keeping = setTimeout(() => {
    if (decode(location.hash) !== fragment) {
      history.replaceState(null, '', '#' + fragment);
    }
  }, 250);
}

// showLane brings the drawing of a scheme up to date. Timers move from where they were.
function showLane(lane, i) {
  let card = $('lanes').children[i];
  if (!card) {
    card = element('figure', { class: 'card' }, element('figcaption'), element('div'));
    $('lanes').append(card);
  }
  card.firstChild.innerHTML = `<b>${lane.title}</b><span><i>${lane.name} · </i>${lane.steps.toLocaleString('en')} steps</span>` +
    `<span class="tally">${countNames.map((name, k) => [name, lane.counts[2][k]]).filter((pair) => pair[1]).map((pair) => pair.join(' ')).join(' · ')}</span>`;
  const box = element('template');
  box.innerHTML = lane.svg;
  const fresh = box.content.firstChild;
  fresh.querySelector('.chip')?.setAttribute('tabindex', '0'); // arrow keys lead to the others
  const old = card.lastChild.firstChild;
  if (!old) {
    card.lastChild.append(fresh);
  } else {
    const focused = old.querySelector('[data-k]:focus')?.dataset.k;
    morph(old, fresh);
    fresh.querySelector(`[data-k="${focused}"]`)?.focus({ preventScroll: true });
  }
  showGrips(card.lastChild, fresh);
}

// showTip says what is known of the timer that has the pointer or the focus.
function showTip(event) {
  const chip = event.target.closest('.chip');
  $('tip').hidden = !chip;
  if (chip) {
    const box = chip.getBoundingClientRect();
    $('tip').textContent = chip.getAttribute('aria-label');
    $('tip').style.left = `${Math.max(130, Math.min(innerWidth - 130, box.x + box.width / 2))}px`;
    $('tip').style.top = `${Math.max(50, box.y)}px`;
  }
}

// morph makes an SVG like another one. Elements with the same data-k stay, so that the
// style sheet can animate their transform.
function morph(old, fresh) {
  for (const e of fresh.querySelectorAll('[data-k]')) {
    const from = old.querySelector(`[data-k="${e.dataset.k}"]`)?.style.transform;
    const to = e.style.transform;
    if (from && from !== to) {
      e.style.transform = from;
      requestAnimationFrame(() => requestAnimationFrame(() => { e.style.transform = to; }));
    }
  }
  old.replaceWith(fresh);
}

// showNow moves the line of the chart.
function showNow(frame) {
  const line = document.querySelector('#chart .now');
  if (line) {
    const left = Number(line.dataset.left);
    const x = left + (line.dataset.right - left) * frame.tick / page.run.ticks;
    line.setAttribute('transform', `translate(${x})`);
  }
}

const countNames = ['comparisons', 'visits', 'links', 'migrations', 'empty slots'];

// showCounts fills the tables of counts and of formulas.
function showCounts(frame) {
  const format = (x) => !Number.isFinite(x) ? '–' :
    x >= 100 ? Math.round(x).toLocaleString('en') : String(Math.round(x * 100) / 100);
  const tables = frame.lanes.map((lane) => {
    const rows = countNames.map((name, k) => {
      const cells = lane.counts.map((counts) => `<td>${format(counts[k])}</td>`);
      const each = lane.ended ? lane.counts[2][k] / lane.ended : null;
      return `<tr><th scope="row">${name}</th>${cells.join('')}<td>${format(each)}</td></tr>`;
    });
    return `<table><caption>${lane.title}</caption><thead><tr><th scope="col">count</th><th scope="col">step</th>` +
      `<th scope="col">tick</th><th scope="col">total</th><th scope="col" title="of a timer that has ended, as bench run reports it">each</th></tr></thead><tbody>${rows.join('')}</tbody></table>` + formulaTable(lane, format);
  });
  $('counts').innerHTML = tables.map((table) => `<div>${table}</div>`).join('');
}

function formulaTable(lane, format) {
  if (!lane.formulas.length) {
    return '';
  }
  const rows = lane.formulas.map(([what, law, value, counted]) =>
    `<tr><td>${what}<br><span class="law">${law}</span></td><td>${format(value)}</td><td>${format(counted)}</td></tr>`);
  return '<table class="formulas"><thead><tr><th scope="col">mean</th><th scope="col">formula</th><th scope="col">counted</th>' +
    `</tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

// menu returns a choice of what source is shown.
function menu(label, values, chosen, choose) {
  const select = element('select', { 'aria-label': label });
  select.append(...values.map((value) => element('option', value === chosen ? { selected: '' } : {}, value)));
  select.addEventListener('change', () => {
    choose(select.value);
    showSource(page.now);
  });
  return select;
}

// showSource shows the file with the operation that the last step ran, of the scheme chosen, and
// marks the operation.
function showSource(frame) {
  if (!page.sources || playing()) {
    return;
  }
  const names = frame.lanes.map((lane) => lane.name);
  const name = names.includes(page.sourceOf) ? page.sourceOf : names[0];
  const operations = Object.keys(page.sources.of[name]);
  const { steps, paper } = page.sources;
  const ran = operations.includes(page.operation) ? page.operation : frame.operation;
  const operation = page.operation ? ran : steps[name][ran] || ran;
  const shown = `${name} ${operation} ${names}`;
  if (page.shown === shown) {
    return;
  }
  page.shown = shown;
  const box = $('source');
  box.replaceChildren();
  if (names.length > 1) {
    box.append(menu('Scheme whose code is shown', names, name, (value) => { page.sourceOf = value; }));
  }
  box.append(menu('Operation whose code is shown', ['what ran', ...operations], page.operation || 'what ran', (value) => {
    page.operation = value === 'what ran' ? '' : value;
  }));
  const number = frame.lanes[names.indexOf(name)].number;
  const called = Object.keys(steps[name]).find((key) => steps[name][key] === operation) || operation;
  const loop = paper[`${number} ${called}`] || paper[called];
  box.append(element('p', { class: 'file' }, `${called} of the paper's scheme ${number}`), element('pre', { class: 'paper', tabindex: '0' }, loop));
  const { file, line } = page.sources.of[name][operation];
  const lines = page.sources.files[file].split(/^/m);
  let begin = line - 1;
  const end = /\}\n$/.test(lines[begin]) ? begin + 1 : lines.indexOf('}\n', begin) + 1;
  while (lines[begin - 1].startsWith('//')) {
    begin--;
  }
  const mark = element('mark', {}, ...lines.slice(begin, end));
  const code = element('pre', { tabindex: '0', 'aria-label': file }, ...lines.slice(0, begin), mark, ...lines.slice(end));
  box.append(element('p', { class: 'file' }, `${file}:${begin + 1}`), code);
  code.scrollTop = mark.offsetTop - 8;
}

// timerlabReady is called by the player when its verbs are there.
function timerlabReady() {
  $('loading').hidden = true;
  setSpeed(0.5);
  listen();
  open(location.hash);
  document.documentElement.dataset.ready = 'yes';
}

async function start() {
  const lesson = /lesson=(\d+)/.exec(location.hash);
  document.querySelector(`article[data-lesson="${lesson ? lesson[1] : 1}"]`)?.classList.add('open');
  try {
    const go = new Go();
    const module = await WebAssembly.instantiate(await unpack('player'), go.importObject);
    go.run(module.instance);
    page.sources = JSON.parse(new TextDecoder().decode(await unpack('sources')));
    showSource(page.now);
  } catch (error) {
    $('loading').textContent = 'This browser cannot run the schemes: ' + error.message;
    throw error;
  }
}

addEventListener('DOMContentLoaded', start);
