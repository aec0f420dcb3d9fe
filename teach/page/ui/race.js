// The race of two schemes. Go counts and draws it; here the knobs turn, and the heats run part by part.
const race = { of: null, flag: 0, shown: false, heats: 0, known: false }; // heats: a new number ends the loops of the one before

const still = matchMedia('(prefers-reduced-motion: reduce)');
const racing = () => document.documentElement.classList.contains('race');
const raceForm = () => document.querySelector('#race form').elements;
const runners = () => [...document.querySelectorAll('.runner')];

// openRace shows the race of a fragment, or leaves the race if it is the link of something else.
function openRace(fragment) {
  const is = /(^|&)race=/.test(fragment);
  document.documentElement.classList.toggle('race', is);
  race.heats++;
  if (!is) {
    return false;
  }
  if (!page.now) {
    showRun(call('open', '')); // for the way back
  }
  document.documentElement.classList.remove('toy', 'projector', 'asking');
  $('choose').value = 'race';
  for (const link of document.querySelectorAll('#lessons a')) {
    link.toggleAttribute('aria-current', link === $('toRace'));
  }
  race.known = false; // where the schemes cross
  race.of = call('race', fragment);
  say(race.of.warning);
  showRace();
  return true;
}

// showRace shows a race's knobs, and counts what is missing of it.
async function showRace() {
  const { parameters, fragment, command, shown } = race.of;
  const form = raceForm();
  for (const [name, value] of Object.entries({ ...parameters, first: shown[0], second: shown[1] })) {
    if (form[name]) {
      choose(form[name], value);
    }
  }
  form.octave.value = Math.log2(parameters.T / parameters.M);
  form.stay.value = `${parameters.T} ticks`;
  $('fragment').textContent = '#' + fragment;
  $('command').textContent = command;
  $('flags').hidden = !shown.includes('hashunsorted') || !shown.includes('hierarchical');
  keepLink(fragment);
  showPlot();
  if (await count(Number(parameters.T)) && race.shown) {
    count(0);
  }
}

// choose chooses a value, which need not be one that a menu has.
function choose(select, value) {
  if (![...select.options].some((option) => option.value === value)) {
    select.append(element('option', {}, value));
  }
  select.value = value;
}

// count runs the heat at a T, some parts a frame, or the heats that are needed to know where the schemes cross. It reports
// whether it came to its end.
async function count(T) {
  const heat = race.heats;
  let run;
  do {
    const begin = performance.now();
    do {
      run = call('run', T);
    } while (run.share < 1 && performance.now() - begin < 8);
    if (T && (run.share === 1 || !still.matches)) {
      showBars(run);
    }
    if (run.share === 1) {
      showPlot();
    }
    await new Promise(requestAnimationFrame);
    if (heat !== race.heats) {
      return false;
    }
  } while (T ? run.share < 1 : !run.known);
  race.known = !T;
  return true;
}

// showBars shows how far a heat is: the longer bar is as long as the share of it that is over.
function showBars({ share, each }) {
  runners().forEach((runner, i) => {
    runner.querySelector('i').style.width = `${100 * share * each[i] / Math.max(...each) || 0}%`;
    runner.querySelector('output').value = each[i] ? `${each[i].toFixed(2)} looks a timer` : '–';
  });
}

function showPlot() {
  const box = $('plot').firstChild;
  const { interval, slots } = $('flags').dataset; // up to which scheme 6 takes less time, in M and in n
  const { n, M } = race.of.parameters;
  const measured = M <= slots * n ? Number(interval) : 0;
  const drawn = call('plot', box.clientWidth, box.clientHeight, race.flag, race.shown, measured);
  box.innerHTML = drawn.svg;
  document.querySelector('#race table').innerHTML = drawn.table;
  if ($('outcome').textContent !== drawn.sentence) { // what is the same is not said again
    $('outcome').textContent = drawn.sentence;
  }
}

// reveal shows where the schemes cross, after the reader has said where.
function reveal() {
  race.shown = true;
  $('race').classList.add('shown');
  openRace(race.of.fragment); // from its beginning, lest two heats be in each other's way
}

function listenToRace() {
  $('race').addEventListener('input', (event) => {
    if (!event.target.name) {
      return; // the flag
    }
    const form = raceForm();
    const turned = ['octave', 'M'].includes(event.target.name); // the others leave T as it is
    const T = turned ? Math.max(1, Math.round(form.M.value * 2 ** form.octave.value)) : race.of.parameters.T;
    const parts = ['n', 'M', 'm', 'stop', 'workload'].map((name) => `${name}=${form[name].value}`);
    openRace(`v=1&race=${form.first.value},${form.second.value}&${parts.join('&')}&T=${T}&seed=${race.of.parameters.seed}`);
  });
  document.querySelector('#race form').addEventListener('submit', (event) => event.preventDefault());
  const flag = $('plot').lastChild;
  flag.addEventListener('input', () => {
    race.flag = Number(flag.value);
    showPlot();
  });
  flag.addEventListener('pointerup', reveal);
  flag.addEventListener('keydown', (event) => event.key === 'Enter' && reveal());
  const [plant, skip] = $('guess').querySelectorAll('button');
  plant.addEventListener('click', reveal);
  skip.addEventListener('click', () => {
    race.flag = NaN;
    reveal();
  });
  addEventListener('resize', () => racing() && showPlot());
}
