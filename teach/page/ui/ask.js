// Predictions: the player asks, the reader answers, a copy of the schemes decides.

let asked = null;

// askLesson puts the question of the lesson or quiz.
function askLesson() {
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
      say('These schemes have no such question at this moment, or no clear answer. Choose other schemes, or step on.');
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
  if (!page.run.quiz) {
    return;
  }
  const { marks, fragment } = timerlab.mark(verdict.right);
  page.run.marks = marks;
  page.now.fragment = fragment;
  $('fragment').textContent = '#' + fragment;
  keepLink();
  showScore();
  if (page.run.asked < 9) {
    const next = element('button', { type: 'button' }, 'Next question');
    next.addEventListener('click', () => go(`v=1&quiz=${page.run.quiz}&question=${page.run.asked + 1}&right=${page.run.marks}`));
    box.append(' ', next);
  } else {
    const hand = element('button', { type: 'button' }, 'Copy the link with your result');
    hand.addEventListener('click', copyLink);
    box.append(' ', hand);
  }
}

// showScore shows the result of a quiz, which its link has too.
function showScore() {
  const { quiz, marks } = page.run;
  const right = marks.replaceAll(/[^1]/g, '').length;
  $('score').textContent = quiz ? `${right}/${marks.replaceAll('-', '').length} right · seed ${quiz}` : '';
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
    go(`v=1&quiz=${form.elements.seed.value.trim().replace(/[^A-Za-z0-9._-]/g, '-') || 'alice'}`);
    $('question').scrollIntoView({ block: 'nearest' });
  });
}
