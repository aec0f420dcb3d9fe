// Predictions: the player asks, the reader answers, a copy of the schemes decides.

let asked = null;

// ask puts a question of a kind, or with '' the question of the lesson.
function ask(kind) {
  const question = timerlab.ask(kind);
  if (question.none || question.error) {
    asked = null;
    $('question').hidden = true;
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
  $('question').querySelector('h2').textContent = `Predict, then see, tick ${page.now.tick}`;
  $('prompt').textContent = question.text;
  $('choices').replaceChildren(...choicesOf(question));
  $('verdict').textContent = '';
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
  if (reveal && asked.lesson) {
    $('revealed').innerHTML = `<div class="reveal open">${reveal.innerHTML}</div>`;
  }
}

function listenToAnswers() {
  $('answer').addEventListener('submit', check);
  const form = $('ask');
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    ask(form.elements.kind.value);
    $('question').scrollIntoView({ block: 'nearest' });
  });
}
