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
  $('choices').replaceChildren(...choicesOf(question));
  $('verdict').textContent = '';
}

function closeQuestion() {
  asked = null;
  $('question').hidden = true;
}

function choicesOf(question) {
  if (!question.choices.length) {
    return [element('input', { type: 'text', name: 'value', inputmode: 'numeric', size: '8', 'aria-label': 'Your answer', autocomplete: 'off' })];
  }
  return question.choices.map((choice) =>
    element('label', {}, element('input', { type: 'radio', name: 'value', value: choice }), element('span', {}, choice)));
}

const answerText = () => (new FormData($('answer')).get('value') || '').trim();

function check(event) {
  event.preventDefault();
  const verdict = answerText() === '' ? { error: 'Answer first.' } : timerlab.answer(answerText());
  const box = $('verdict');
  if (verdict.error) {
    box.className = 'wrong';
    box.textContent = verdict.error;
    return;
  }
  toured(2);
  box.className = verdict.right ? 'right' : 'wrong';
  box.replaceChildren(element('strong', {}, (verdict.right ? 'Right. ' : 'Not so. ') + verdict.text));
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
