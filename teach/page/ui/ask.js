// Predictions: the lesson asks, the reader answers, a copy of the schemes decides.

// ask puts the question of the lesson, if it has a clear answer at this moment.
function ask() {
  const question = timerlab.ask();
  $('question').hidden = $('predict').hidden = question.none;
  if (question.none) {
    return;
  }
  $('question').querySelector('h2').textContent = `Predict, then see, tick ${page.now.tick}`;
  $('prompt').textContent = question.text;
  $('choices').replaceChildren(...choicesOf(question));
  $('verdict').replaceChildren();
  $('revealed').replaceChildren();
}

function choicesOf(question) {
  if (!question.choices.length) {
    return [element('input', { type: 'text', name: 'value', inputmode: 'numeric', size: '8', 'aria-label': 'Your answer', autocomplete: 'off' })];
  }
  return question.choices.map((choice) =>
    element('label', {}, element('input', { type: 'radio', name: 'value', value: choice }), element('span', {}, choice)));
}

function check(event) {
  event.preventDefault();
  const text = (new FormData($('answer')).get('value') || '').trim();
  const verdict = text === '' ? { error: 'Answer first.' } : timerlab.answer(text);
  $('verdict').className = verdict.right ? 'right' : 'wrong';
  if (verdict.error) {
    $('verdict').textContent = verdict.error;
    return;
  }
  $('verdict').replaceChildren(element('strong', {}, (verdict.right ? 'Right. ' : 'Not so. ') + verdict.text));
  const reveal = document.querySelector(`[data-reveal="${page.run.lesson}"]`);
  $('revealed').innerHTML = `<div class="reveal open">${reveal.innerHTML}</div>`;
}
