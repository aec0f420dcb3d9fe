// Predictions: the player asks, the reader answers, a copy of the schemes decides.

const quiz = { seed: '', right: [] };
let asked = null;

// askLesson puts the question of the lesson or quiz.
function askLesson() {
  if (page.run.quiz !== quiz.seed) {
    quiz.seed = page.run.quiz;
    quiz.right = [];
  }
  showScore();
  if (page.run.lesson || page.run.quiz) {
    ask('');
  }
}

function ask(kind) {
  const question = timerlab.ask(kind);
  if (question.none || question.error) {
    closeQuestion();
    if (kind) {
      say('These schemes have no such question at this moment. Choose other schemes, or step on.');
    }
    return;
  }
  if (kind) {
    say('');
  }
  asked = { ...question, lesson: kind === '' };
  $('revealed').replaceChildren();
  $('question').hidden = false;
  $('question').querySelector('h2').textContent =
    (page.run.quiz ? `Question ${page.run.asked + 1} of 10, seed ${page.run.quiz}` : 'Predict, then see') + `, tick ${page.now.tick}`;
  $('prompt').textContent = question.text;
  $('program').hidden = question.program.length === 0;
  $('program').textContent = question.program.join('\n');
  $('choices').replaceChildren(...choicesOf(question));
  $('verdict').textContent = '';
}

function closeQuestion() {
  asked = null;
  $('question').hidden = true;
}

function choicesOf(question) {
  if (question.points.length) {
    return curveInputs(question);
  }
  if (!question.choices.length) {
    return [element('input', { type: 'text', name: 'value', inputmode: 'numeric', size: '8', 'aria-label': 'Your answer', autocomplete: 'off' })];
  }
  return question.choices.map((choice, i) => {
    const label = element('label', {}, element('input', { type: 'radio', name: 'value', value: choice }));
    const text = element('span', {}, choice);
    if (question.kind === 'fault') {
      text.append(element('small', {}, question.labels[i]));
    }
    label.append(text);
    return label;
  });
}

// The curve: a point for each M, by hand or as numbers. The scale is logarithmic.
const curve = { left: 34, right: 350, top: 12, bottom: 176, low: 0.5, high: 512 };
const xOf = (i, n) => curve.left + (curve.right - curve.left) * i / (n - 1);
const yOf = (v) => curve.bottom - (curve.bottom - curve.top) * Math.log(v / curve.low) / Math.log(curve.high / curve.low);
const pathOf = (values) => values.map((v, i) =>
  `${i ? 'L' : 'M'}${xOf(i, values.length).toFixed(1)} ${yOf(Math.min(Math.max(v, curve.low), curve.high)).toFixed(1)}`).join('');

function curveInputs(question) {
  const values = question.points.map(() => 8);
  const svg = element('div');
  const inputs = question.labels.map((label, i) =>
    element('input', { type: 'number', name: 'value', min: '0.1', step: 'any', value: values[i], 'aria-label': `visits at M = ${label}` }));
  const rows = [1, 4, 16, 64, 256].map((v) =>
    `<path class="rule" d="M${curve.left} ${yOf(v)}H${curve.right}"/><text class="axis" x="${curve.left - 5}" y="${yOf(v) + 3}">${v}</text>`);
  const columns = question.labels.map((label, i) =>
    `<text class="number" x="${xOf(i, values.length)}" y="${curve.bottom + 16}">${label}</text>`);
  svg.innerHTML = '<svg class="draw" viewBox="0 0 360 200" role="img" aria-label="Visits of a timer for each M; the numbers below are the same curve">' +
    `${rows.join('')}${columns.join('')}<path class="formula"/><path class="counted"/><path class="mine"/></svg>`;
  const show = () => svg.querySelector('.mine').setAttribute('d', pathOf(inputs.map((input) => Number(input.value) || curve.low)));
  const drag = (event) => {
    if (event.buttons !== 1) {
      return;
    }
    const box = svg.firstChild.getBoundingClientRect();
    const x = (event.clientX - box.left) * 360 / box.width;
    const y = (event.clientY - box.top) * 200 / box.height;
    const i = Math.round((x - curve.left) / (curve.right - curve.left) * (values.length - 1));
    const v = curve.low * (curve.high / curve.low) ** ((curve.bottom - y) / (curve.bottom - curve.top));
    if (inputs[i]) {
      inputs[i].value = Math.min(curve.high, Math.max(curve.low, v)).toPrecision(2) * 1;
      show();
    }
  };
  svg.firstChild.addEventListener('pointerdown', drag);
  svg.firstChild.addEventListener('pointermove', drag);
  inputs.forEach((input) => input.addEventListener('input', show));
  show();
  const labels = inputs.map((input, i) => element('label', {}, `M = ${question.labels[i]}`, input));
  return [svg, element('div', { class: 'points' }, ...labels)];
}

function answerText() {
  const values = [...$('answer').elements].filter((e) => e.name === 'value');
  if (values[0] && values[0].type === 'radio') {
    return values.filter((e) => e.checked).map((e) => e.value)[0] || '';
  }
  return values.map((e) => e.value.trim()).join(',');
}

function check(event) {
  event.preventDefault();
  const verdict = timerlab.answer(answerText());
  const box = $('verdict');
  if (verdict.error) {
    box.className = 'wrong';
    box.textContent = answerText() === '' ? 'Answer first.' : verdict.error;
    return;
  }
  box.className = verdict.right ? 'right' : 'wrong';
  box.replaceChildren(element('strong', {}, (verdict.right ? 'Right. ' : 'Not so. ') + verdict.text));
  if (verdict.counted.length) {
    document.querySelector('.draw .counted').setAttribute('d', pathOf(verdict.counted));
    document.querySelector('.draw .formula').setAttribute('d', pathOf(verdict.formula));
    box.append(curveTable(verdict));
  }
  const reveal = document.querySelector(`[data-reveal="${page.run.lesson}"]`);
  if (reveal && !page.run.quiz && asked.lesson) {
    $('revealed').innerHTML = `<div class="reveal open">${reveal.innerHTML}</div>`;
  }
  if (page.run.quiz && quiz.right[page.run.asked] === undefined) {
    quiz.right[page.run.asked] = verdict.right;
    showScore();
  }
  if (page.run.quiz && page.run.asked < 9) {
    const next = element('button', { type: 'button' }, 'Next question');
    next.addEventListener('click', () => go(`v=1&quiz=${page.run.quiz}&question=${page.run.asked + 1}`));
    box.append(' ', next);
  }
}

function curveTable(verdict) {
  const rows = asked.labels.map((label, i) =>
    `<tr><th scope="row">${label}</th><td>${verdict.counted[i].toFixed(2)}</td><td>${verdict.formula[i].toFixed(2)}</td></tr>`);
  const table = element('table');
  table.innerHTML = '<thead><tr><th scope="col">M</th><th scope="col">counted (red)</th><th scope="col">formula (dashed)</th></tr></thead>' +
    `<tbody>${rows.join('')}</tbody>`;
  return table;
}

function showScore() {
  const answered = quiz.right.filter((x) => x !== undefined);
  $('score').textContent = quiz.seed ? `${answered.filter(Boolean).length}/${answered.length} right · seed ${quiz.seed}` : '';
}

function listenToAnswers() {
  $('answer').addEventListener('submit', check);
  const form = $('ask');
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    ask(form.elements.kind.value);
    $('question').scrollIntoView({ block: 'nearest' });
  });
  $('quiz').addEventListener('click', () => {
    quiz.seed = '';
    go(`v=1&quiz=${form.elements.seed.value.trim().replace(/[^A-Za-z0-9._-]/g, '-') || 'alice'}`);
    $('question').scrollIntoView({ block: 'nearest' });
  });
}
